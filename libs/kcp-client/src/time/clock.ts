import { allowManyListeners } from './abort-signals.js';
import { setTimeout as wait } from 'node:timers/promises';

/** Time as a port, so that tests run at their own speed. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump; for showing and for writing into objects only. */
  now(): number;
  /** Milliseconds that never go backwards; for measuring. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, options: Stoppable): Promise<void>;
}

/** The last parameter of every function that waits: the signal that ends the wait. */
export interface Stoppable {
  readonly signal: AbortSignal;
}

/** By which clock to wait, and the signal that ends it. */
export interface Waiting extends Stoppable {
  readonly clock: Clock;
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, { signal }) {
    allowManyListeners(signal);
    return wait(ms, undefined, { signal });
  },
};
