import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** What a spec's server does with one request. */
export type Act = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers the n-th list and the n-th watch with the n-th act; the last one of each goes on for ever. Keeps what was asked. */
export class Script {
  readonly lists: URLSearchParams[] = [];
  readonly watches: URLSearchParams[] = [];
  readonly listener: RequestListener = (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const [asked, acts] = query.get('watch') === 'true' ? [this.watches, this.#onWatch] : [this.lists, this.#onList];
    asked.push(query);
    acts[Math.min(asked.length, acts.length) - 1]?.(request, response);
  };
  readonly #onList: readonly Act[];
  readonly #onWatch: readonly Act[];

  constructor(onList: readonly Act[], onWatch: readonly Act[]) {
    this.#onList = onList;
    this.#onWatch = onWatch;
  }
}

/** An object as kcp stores it. */
export function vpc(name: string, resourceVersion: string, cluster = 'c1'): object {
  return {
    apiVersion: 'network.example.com/v1',
    kind: 'VPC',
    metadata: { name, resourceVersion, annotations: { 'kcp.io/cluster': cluster } },
  };
}

/** A list as kcp writes it. */
export function vpcList(resourceVersion: string, items: readonly object[], token = ''): object {
  return { apiVersion: 'network.example.com/v1', items, kind: 'VPCList', metadata: { continue: token, resourceVersion } };
}

/** Opens a watch and writes these lines; then what is said. */
export function watchOf(lines: readonly (object | string)[], then: 'stay' | 'end' | 'reset'): Act {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const line of lines) response.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`);
    if (then === 'end') response.end();
    if (then === 'reset') setImmediate(() => response.socket?.resetAndDestroy());
  };
}
