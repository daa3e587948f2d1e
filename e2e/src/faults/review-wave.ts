// Many reviews at once, as many API servers send them when much is deleted, and what the least server would have made of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { GuardedProcess } from '../backends/guarded-process.js';
import { Authority } from '../backends/pki.js';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';

/** The reviews to send, and where. */
export interface WaveTarget {
  readonly url: string;
  readonly ca: string;
  readonly bodies: readonly string[];
}

/** What became of the reviews of one wave. Times count from the moment at which all were sent, connections included. */
export interface Wave {
  readonly answers: readonly Tree[];
  /** Reviews without an answer, by what the caller saw instead. */
  readonly unanswered: readonly string[];
  /** When the last answer had been read. */
  readonly lastMs: number;
}

/** Callers that have a connection for each review, which they keep. */
export class Callers {
  readonly #target: WaveTarget;
  readonly #agent: Agent;

  constructor(target: WaveTarget) {
    this.#target = target;
    // Go dials for as long as a call may take: what bounds a wave is the time of its last answer alone.
    const connect = { ca: target.ca, timeout: 60_000 };
    this.#agent = new Agent({
      connect,
      connections: target.bodies.length,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      headersTimeout: 60_000,
    });
  }

  /** Sends every review at once. The first wave opens the connections. */
  async wave(): Promise<Wave> {
    const { url, bodies } = this.#target;
    let sentMs = 0;
    let lastMs = 0;
    const unanswered: string[] = [];
    const headers = { 'content-type': 'application/json' };
    const asked = bodies.map(async (body): Promise<readonly Tree[]> => {
      try {
        const answer = await request(url, { method: 'POST', body, dispatcher: this.#agent, headers });
        const read = (await answer.body.json()) as Tree;
        lastMs = performance.now() - sentMs;
        return [read];
      } catch (failure) {
        unanswered.push(String(failure));
        return [];
      }
    });
    // Node dials when this turn is over, and to make two thousand sockets for TLS takes a second of it: nobody has been called by then.
    sentMs = performance.now();
    return { answers: (await Promise.all(asked)).flat(), unanswered, lastMs };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** What two waves of the same reviews cost a server that does nothing: the first opens the connections, the second has them. */
export async function floorOf(
  bodies: readonly string[],
  answer: Tree,
  workDir: string,
): Promise<readonly [firstMs: number, secondMs: number]> {
  const folder = join(workDir, `empty-server-${String(Date.now())}`);
  mkdirSync(folder);
  const authority = await Authority.create('empty server');
  const { cert, key } = await authority.server();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const port = join(folder, 'port');
  const server = new GuardedProcess({
    command: process.execPath,
    args: [
      // Bundled beside the program that runs the cases.
      fileURLToPath(new URL('./empty-server.mjs', import.meta.url)),
      ...[file('cert.pem', cert), file('key.pem', key), file('answer.json', JSON.stringify(answer)), port],
    ],
    cwd: folder,
    logFile: join(folder, 'log'),
  });
  try {
    const listening = await eventually('the empty server listens', () => readFile(port, 'utf8'));
    const callers = new Callers({ url: `https://127.0.0.1:${listening}/validate`, ca: authority.pair.cert, bodies });
    try {
      const [first, second] = [await callers.wave(), await callers.wave()];
      return [first.lastMs, second.lastMs];
    } finally {
      await callers.close();
    }
  } finally {
    await server.stop();
  }
}
