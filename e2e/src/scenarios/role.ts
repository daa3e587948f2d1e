import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { GuardedProcess } from '../backends/guarded-process.js';

const START_TIMEOUT_MS = 60_000;

/** Where a role answers probes and scrapes. */
export interface RolePorts {
  readonly health: number;
  readonly metrics: number;
}

/** One role, as a process that can be killed and started again. */
export class Role {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #dir: string;
  readonly #healthPort: number;
  readonly #metricsPort: number;
  readonly name: string;
  #process: GuardedProcess | undefined;

  constructor(start: { name: string; program: string; args: readonly string[]; dir: string; ports: RolePorts }) {
    this.name = start.name;
    this.#program = start.program;
    this.#args = start.args;
    this.#dir = start.dir;
    this.#healthPort = start.ports.health;
    this.#metricsPort = start.ports.metrics;
  }

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  /** Starts it. */
  launch(): void {
    this.#process = new GuardedProcess({
      command: process.execPath,
      args: [this.#program, ...this.#args],
      cwd: this.#dir,
      logFile: join(this.#dir, `${this.name}.log`),
    });
  }

  /** Waits for `/readyz`. */
  async ready(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const said = await this.readyz();
      if (said === 'ok') return;
      if (this.#process?.running !== true) throw new Error(`${this.name} ended: see ${this.#dir}/${this.name}.log`);
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready after ${START_TIMEOUT_MS} ms: ${said}`);
      await sleep(50);
    }
  }

  /** What `/readyz?verbose` says; `ok` when it is ready. */
  async readyz(): Promise<string> {
    try {
      const answer = await request(`http://127.0.0.1:${this.#healthPort}/readyz?verbose`, { headersTimeout: 2_000 });
      const text = await answer.body.text();
      return answer.statusCode === 200 ? 'ok' : text;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** What `/metrics` says, by name and labels as printed there. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const answer = await request(`http://127.0.0.1:${this.#metricsPort}/metrics`);
    const lines = (await answer.body.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }
}
