import { equal } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GuardedProcess } from '../backends/guarded-process.js';
import { eventually } from '../stage/eventually.js';
import type { Library } from './library-case.js';
import { overlaps, termsOf, type Term } from './terms.js';

/** How to start a process that stands for a lease. */
export interface RecordedStart {
  /** Bundled beside the program that runs the cases. */
  readonly program: string;
  /** Its arguments but the last, which is the file for its terms. */
  readonly args: readonly string[];
  readonly identity: string;
}

/** A process that stands for a lease, and records when it leads. */
export class RecordedProcess {
  readonly identity: string;
  readonly #file: string;
  readonly #process: GuardedProcess;

  constructor({ kcp }: Library, { program, args, identity }: RecordedStart) {
    const { workDir } = kcp.backend;
    this.identity = identity;
    this.#file = join(workDir, `${identity}.terms`);
    this.#process = new GuardedProcess({
      command: process.execPath,
      args: [fileURLToPath(new URL(program, import.meta.url)), ...args, this.#file],
      cwd: workDir,
      logFile: join(workDir, `${identity}.log`),
    });
  }

  /** When it led, as it recorded itself. */
  terms(): readonly Term[] {
    return existsSync(this.#file) ? termsOf(this.identity, readFileSync(this.#file, 'utf8')) : [];
  }

  /** How much it has recorded. */
  lines(): number {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n').length : 0;
  }

  /** The begin of its last term. */
  since(): bigint {
    return this.terms().at(-1)?.from ?? 0n;
  }

  freeze(): void {
    this.#process.signal('STOP');
  }

  thaw(): void {
    this.#process.signal('CONT');
  }

  kill(): Promise<void> {
    return this.#process.stop();
  }

  stop(): Promise<void> {
    return this.#process.stop(10_000);
  }
}

/** Processes that stand for one lease. */
export class Election implements AsyncDisposable {
  readonly #candidates: readonly RecordedProcess[];

  constructor(candidates: readonly RecordedProcess[]) {
    this.#candidates = candidates;
  }

  /** Those who say so right now. */
  leading(): readonly RecordedProcess[] {
    // A record is written every 10 ms; a process that has none of the last half second is frozen, dead or starved.
    const recently = process.hrtime.bigint() - 500_000_000n;
    return this.#candidates.filter((candidate) => (candidate.terms().at(-1)?.to ?? 0n) > recently);
  }

  /** Waits until one leads who is not that one. */
  leader(other?: RecordedProcess): Promise<RecordedProcess> {
    return eventually(
      'one leads',
      () => {
        const found = this.leading().find((candidate) => candidate !== other);
        if (found === undefined) throw new Error('nobody does');
        return Promise.resolve(found);
      },
      60_000,
    );
  }

  /** Fails when two led at one time; says how many terms there were. */
  verdict(): string {
    const terms = this.#candidates.flatMap((candidate) => candidate.terms());
    equal(
      overlaps(terms).length,
      0,
      `two led at once: ${overlaps(terms)
        .flat()
        .map(({ who, from, to }) => `${who} ${String(from)}-${String(to)}`)
        .join(', ')}`,
    );
    return `${String(terms.length)} terms, none at the time of another`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#candidates.map((candidate) => candidate.kill()));
  }
}
