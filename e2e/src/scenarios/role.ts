import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { ProgramStart, RunningProgram } from '../backends/guarded-process.js';

const START_TIMEOUT_MS = 60_000;
// A role answers what has begun before it ends, for 30 s at most.
const END_MS = 40_000;

/** Where a role answers probes and scrapes. */
export interface RolePorts {
  readonly health: number;
  readonly metrics: number;
}

/** How to run a role. */
export interface RoleStart {
  readonly name: string;
  readonly args: readonly string[];
  readonly dir: string;
  readonly ports: RolePorts;
  readonly run: (start: Pick<ProgramStart, 'args' | 'cwd' | 'logFile'>) => RunningProgram;
}

/** One role, as a process that can be killed and started again. */
export class Role {
  readonly #start: RoleStart;
  readonly name: string;
  #process: RunningProgram | undefined;

  constructor(start: RoleStart) {
    this.name = start.name;
    this.#start = start;
  }

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  /** Starts it. */
  launch(): void {
    const { args, dir, run } = this.#start;
    this.#process = run({ args, cwd: dir, logFile: join(dir, `${this.name}.log`) });
  }

  /** Waits for `/readyz`. */
  async ready(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const said = await this.readyz();
      if (said === 'ok') return;
      if (this.#process?.running !== true) throw new Error(`${this.name} ended: see ${this.#start.dir}/${this.name}.log`);
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready after ${START_TIMEOUT_MS} ms: ${said}`);
      await sleep(50);
    }
  }

  /** What `/readyz?verbose` says; `ok` when it is ready. */
  async readyz(): Promise<string> {
    try {
      const answer = await request(`http://127.0.0.1:${this.#start.ports.health}/readyz?verbose`, { headersTimeout: 2_000 });
      const text = await answer.body.text();
      return answer.statusCode === 200 ? 'ok' : text;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Throws unless `/healthz` answers within so long: the event loop turns. */
  async isAlive(withinMs: number): Promise<void> {
    const answer = await request(`http://127.0.0.1:${this.#start.ports.health}/healthz`, {
      headersTimeout: withinMs,
      bodyTimeout: withinMs,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${this.name} is not healthy: ${text}`);
  }

  /** What `/metrics` says, by name and labels as printed there. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const answer = await request(`http://127.0.0.1:${this.#start.ports.metrics}/metrics`);
    const lines = (await answer.body.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  /** Ends it as those do who replace it, and starts it again. */
  async restart(): Promise<void> {
    await this.#process?.stop(END_MS);
    await this.start();
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }
}
