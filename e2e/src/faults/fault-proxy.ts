// A proxy between one process and kcp that breaks the answers it is told to break: what a lossy network, a restarting front-proxy or a
// careless gateway would do, in front of any kcp, real or not. It ends TLS: tokens go through, a certificate it has to present itself.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { Authority, type KeyPair } from '../backends/pki.js';

/** How an answer is broken. */
export type ProxyFault =
  /** Another answer, without asking kcp. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends before any answer. */
  | { readonly kind: 'reset' }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Half of the body, as if it were all of it. */
  | { readonly kind: 'half' }
  /** No answer, ever. */
  | { readonly kind: 'hang' }
  /** Passed on, but only once this has happened. */
  | { readonly kind: 'after'; readonly happens: () => Promise<void> };

/** A request as faults choose by it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
}

/** A fault in force. */
export interface Break {
  /** How many requests it has hit. */
  readonly hits: number;
  mend(): void;
}

interface Rule {
  readonly matches: (asked: ProxiedRequest) => boolean;
  readonly fault: ProxyFault;
  hits: number;
}

// Go's and Node's own; hop-by-hop headers end here.
const NOT_PASSED_ON = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length']);

/** The proxy. */
export class FaultProxy {
  readonly #server: Server;
  readonly #upstream: { readonly url: string; readonly ca: string };
  #agent: Agent;
  readonly #rules = new Set<Rule>();
  /** PEM that verifies it. */
  readonly ca: string;
  /** Makes every list come in pages of at most so many objects. */
  pageLimit: number | undefined;

  private constructor(server: Server, ca: string, upstream: { readonly url: string; readonly ca: string }) {
    this.#server = server;
    this.#upstream = upstream;
    this.#agent = agentFor({ ca: upstream.ca });
    this.ca = ca;
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => void this.#serve(asked, answer));
  }

  /** Starts one before a kcp. */
  static async start({ url, ca }: { readonly url: string; readonly ca: string }): Promise<FaultProxy> {
    const authority = await Authority.create('dep-ctrl-e2e-fault-proxy');
    const server = createServer(await authority.server());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, authority.pair.cert, { url, ca });
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Speaks to kcp with this client certificate from now on; for before anybody uses it. */
  present({ cert, key }: KeyPair): void {
    this.#agent = agentFor({ ca: this.#upstream.ca, cert, key });
  }

  /** Breaks every request that matches, until mended. */
  breakWhere(matches: Rule['matches'], fault: ProxyFault): Break {
    const rule: Rule = { matches, fault, hits: 0 };
    this.#rules.add(rule);
    return {
      get hits() {
        return rule.hits;
      },
      mend: () => void this.#rules.delete(rule),
    };
  }

  /** Ends it and every connection. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#agent.destroy();
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(asked.url ?? '/', 'https://kcp');
    const { method = 'GET', headers } = asked;
    const proxied = { method, path: url.pathname, query: url.searchParams, accept: headers.accept ?? '' };
    const rule = [...this.#rules].find(({ matches }) => matches(proxied));
    if (rule !== undefined) rule.hits += 1;
    if (this.pageLimit !== undefined && url.searchParams.has('limit')) url.searchParams.set('limit', String(this.pageLimit));
    try {
      await this.#answer(rule?.fault, { asked, answer, target: `${url.pathname}${url.search}` });
    } catch {
      answer.destroy(); // kcp or the client has gone: the other learns it this way
    }
  }

  async #answer(fault: ProxyFault | undefined, { asked, answer, target }: Exchange): Promise<void> {
    switch (fault?.kind) {
      case undefined:
        return this.#passOn(asked, answer, target);
      case 'hang':
        return;
      case 'after':
        await fault.happens();
        return this.#passOn(asked, answer, target);
      case 'reset':
        asked.socket.destroy();
        return;
      case 'answer':
        answer.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        answer.end(fault.body ?? JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: fault.status }));
        return;
      case 'cut':
      case 'half': {
        const { statusCode, headers, body } = await this.#ask(asked, answer, target);
        const whole = Buffer.from(await body.arrayBuffer());
        const half = whole.subarray(0, Math.floor(whole.length / 2));
        answer.writeHead(statusCode, { ...passedOn(headers), 'content-length': fault.kind === 'cut' ? whole.length : half.length });
        answer.write(half, () => (fault.kind === 'cut' ? asked.socket.destroy() : answer.end()));
        return;
      }
      default:
        fault satisfies never;
    }
  }

  async #passOn(asked: IncomingMessage, answer: ServerResponse, target: string): Promise<void> {
    const { statusCode, headers, body } = await this.#ask(asked, answer, target);
    answer.writeHead(statusCode, passedOn(headers));
    answer.flushHeaders();
    for await (const bytes of body as AsyncIterable<Buffer>) answer.write(bytes);
    answer.end();
  }

  #ask(asked: IncomingMessage, answer: ServerResponse, target: string): Promise<Dispatcher.ResponseData> {
    const gone = new AbortController();
    answer.once('close', () => gone.abort());
    const hasBody = asked.method !== 'GET' && asked.method !== 'HEAD';
    return request(this.#upstream.url + target, {
      dispatcher: this.#agent,
      method: asked.method ?? 'GET',
      headers: passedOn(asked.headers),
      signal: gone.signal,
      ...(hasBody ? { body: asked } : {}),
    });
  }
}

interface Exchange {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  /** Path and query. */
  readonly target: string;
}

function agentFor(connect: { readonly ca: string; readonly cert?: string; readonly key?: string }): Agent {
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
}

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !NOT_PASSED_ON.has(name)) passed[name] = value;
  return passed;
}
