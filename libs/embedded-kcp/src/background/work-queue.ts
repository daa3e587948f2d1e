// A queue of keys that need work. One run per key at a time. A key that is added during its run is run again. Failures back off exponentially.
import type { Background } from './background.js';

/** The result of a run: undefined: done; otherwise when to run again. */
export type WorkOutcome = { readonly againMs: number } | undefined;

/** An expected failure that means "not yet": the key backs off, and nothing is reported. */
export class NotYet extends Error {}

/** How a queue works. */
export interface WorkQueueOptions {
  readonly name: string;
  readonly background: Background;
  readonly run: (key: string) => Promise<WorkOutcome>;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

interface KeyState {
  due: boolean;
  running: boolean;
  failures: number;
}

/** A queue of keys. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #keys = new Map<string, KeyState>();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Runs a key after a while. */
  add(key: string, afterMs: number): void {
    this.#options.background.afterMs(afterMs, this.#options.name, () => this.#start(key));
  }

  async #start(key: string): Promise<void> {
    const state = this.#keys.get(key) ?? { due: false, running: false, failures: 0 };
    this.#keys.set(key, state);
    if (state.running) {
      state.due = true;
      return;
    }
    state.running = true;
    try {
      await this.#run(key, state);
    } finally {
      state.running = false;
      if (state.due) {
        state.due = false;
        this.add(key, 0);
      } else if (state.failures === 0) this.#keys.delete(key);
    }
  }

  async #run(key: string, state: KeyState): Promise<void> {
    const { run, firstRetryMs, longestRetryMs } = this.#options;
    try {
      const outcome = await run(key);
      state.failures = 0;
      if (outcome !== undefined) this.add(key, outcome.againMs);
    } catch (error) {
      this.add(key, Math.min(longestRetryMs, firstRetryMs * 2 ** state.failures));
      state.failures += 1;
      if (!(error instanceof NotYet)) throw error;
    }
  }
}
