import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import type { Part } from './backend.js';
import { GuardedProcess, type ProgramStart } from './guarded-process.js';
import type { KeyPair } from './pki.js';

/** How to start a server and how to see that it is ready. */
export interface ServerStart extends ProgramStart {
  readonly url: string;
  /** A client that may read `/readyz` there. */
  readonly client: KeyPair;
  /** Looked at besides `/readyz`; true once the server may be used. */
  readonly alsoReady?: () => boolean | Promise<boolean>;
  readonly timeoutMs: number;
}

/** A server program that can be taken away and brought back. */
export class ServerProcess implements Part {
  readonly #start: ServerStart;
  #process: GuardedProcess | undefined;

  constructor(start: ServerStart) {
    this.#start = start;
  }

  /** Starts the program without waiting. */
  launch(): void {
    this.#process = new GuardedProcess(this.#start);
  }

  /** Waits until it is ready; says why when it never is. */
  async ready(): Promise<void> {
    const { url, client, timeoutMs, alsoReady, logFile, command } = this.#start;
    // Only readiness is asked, of a server we started: its certificate is checked by every caller that follows.
    const agent = new Agent({ connect: { cert: client.cert, key: client.key, rejectUnauthorized: false } });
    const deadline = Date.now() + timeoutMs;
    try {
      for (;;) {
        if (this.#process?.running !== true) throw new Error(`${command} ended while starting: ${lastLines(logFile)}`);
        if ((await answersReady(url, agent)) && (await (alsoReady?.() ?? true))) return;
        if (Date.now() > deadline) throw new Error(`${command} was not ready after ${timeoutMs} ms: ${lastLines(logFile)}`);
        await sleep(100);
      }
    } finally {
      await agent.destroy();
    }
  }

  /** Starts it and waits. */
  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  /** Kills it. Nothing is lost by that: what etcd said is written. A SIGTERM alone would take up to a minute while watches are open. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }
}

async function answersReady(url: string, agent: Dispatcher): Promise<boolean> {
  try {
    const answer = await request(`${url}/readyz`, { dispatcher: agent, headersTimeout: 2_000, bodyTimeout: 2_000 });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false; // not listening yet
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-600);
}
