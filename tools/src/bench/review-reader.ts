// What a review is compared with, in a process of its own so that its CPU time is its own: `floor` reads one raw unpaged list and looks at
// nothing; `naive` reads one unpaged list per reference path, parses it whole and walks it.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';

/** A question to a reader. */
export interface ReadQuestion {
  readonly how: 'floor' | 'naive';
  readonly url: string;
  readonly paths: readonly string[];
  readonly name: string;
}

/** What reading took. */
export interface ReadAnswer {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytes: number;
  readonly found: number;
}

/** How to reach kcp; goes through the environment. */
export interface ReaderAccess {
  readonly ca: string;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A reader process. */
export class ReaderProcess {
  readonly #child: ChildProcess;

  constructor(file: string, access: ReaderAccess) {
    this.#child = fork(file, ['reader'], { env: { ...process.env, READER_ACCESS: JSON.stringify(access) } });
  }

  async read(question: ReadQuestion): Promise<ReadAnswer> {
    this.#child.send(question);
    const [answer] = (await once(this.#child, 'message')) as [ReadAnswer];
    return answer;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** The other side: answers until the parent goes. */
export function serveReader(): void {
  const { ca, token, cert, key } = JSON.parse(process.env['READER_ACCESS'] ?? '{}') as ReaderAccess;
  const agent = new Agent({ connect: { ca, ...(cert === undefined || key === undefined ? {} : { cert, key }) } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const list = async (url: string): Promise<Buffer> => {
    const { statusCode, body } = await request(url, { dispatcher: agent, headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${bytes.toString().slice(0, 200)}`);
    return bytes;
  };
  process.on('message', (question: ReadQuestion) => void answer(question, list));
  process.on('disconnect', () => void agent.destroy());
}

async function answer({ how, url, paths, name }: ReadQuestion, list: (url: string) => Promise<Buffer>): Promise<void> {
  const begunMs = performance.now();
  const before = process.cpuUsage();
  let bytes = 0;
  let found = 0;
  if (how === 'floor') bytes = (await list(url)).length;
  else {
    for (const path of paths) {
      const body = await list(url);
      bytes += body.length;
      const { items } = JSON.parse(body.toString()) as { readonly items: readonly object[] };
      const steps = path.split('.').slice(1);
      found += items.filter(
        (item) => steps.reduce((node: unknown, step) => (node as Record<string, unknown> | undefined)?.[step], item) === name,
      ).length;
    }
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms: performance.now() - begunMs, cpuMs: (user + system) / 1000, bytes, found } satisfies ReadAnswer);
}
