import { every, type Clock, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import { nameOfKey } from '../store/stored.js';

/** What a {@link LoopWatch} is made of. */
export interface LoopWatchOptions {
  readonly controller: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const LOOK_MS = 500;
/** A lease, a watch and other objects wait meanwhile. */
const BLOCKED_MS = 1_000;

/** Tells of a reconcile that kept the event loop for itself. While it does, nothing in this process can. */
export class LoopWatch implements Runnable {
  readonly #options: LoopWatchOptions;
  #last: string | undefined;
  #lookedMs: number | undefined;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
  }

  /** A run of an object begins. */
  begins(key: string): void {
    this.#last = key;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#lookedMs = clock.monotonic();
    return every(LOOK_MS, () => this.#look(), { clock, signal });
  }

  #look(): void {
    const { clock, logger, controller } = this.#options;
    const now = clock.monotonic();
    const lateMs = now - (this.#lookedMs ?? now) - LOOK_MS;
    this.#lookedMs = now;
    if (lateMs < BLOCKED_MS) return;
    const begunLast = this.#last === undefined ? {} : { begunLast: nameOfKey(this.#last) };
    logger.warn('the event loop was blocked', { controller, ms: Math.round(lateMs), ...begunLast });
  }
}
