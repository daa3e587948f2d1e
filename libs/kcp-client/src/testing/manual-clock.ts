import type { Clock } from '../time/clock.js';

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/** A clock that a spec moves. */
export class ManualClock implements Clock {
  /** How much time has passed; a spec may set it, while nothing else happens. */
  ms = 0;
  #sleepers: readonly Sleeper[] = [];

  now(): number {
    return Date.UTC(2026, 0, 1) + this.ms;
  }

  monotonic(): number {
    return this.ms;
  }

  sleep(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(signal.reason as Error);
      };
      const wake = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { atMs: this.ms + ms, wake };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Lets time pass, and everything that waited for it happen. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.ms + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.ms = next.atMs;
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.ms = untilMs;
    await settled();
  }
}

// On a busy machine what takes one turn of the loop takes several: its pieces are measured in real time.
const TURNS = 20;

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
