import { setImmediate as turn } from 'node:timers/promises';
import { systemClock, type Clock } from '../time/clock.js';

/** A clock that remembers how long each pause was asked for. */
export interface InstantClock extends Clock {
  readonly slept: readonly number[];
}

/** A clock whose pauses take no time; it goes forward by what is slept, and by `atLeastMs` with each pause. */
export function instantClock({ atLeastMs = 0 }: { readonly atLeastMs?: number } = {}): InstantClock {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => 1_700_000_000_000 + now,
    monotonic: () => now,
    async sleep(ms, { signal }) {
      signal.throwIfAborted();
      slept.push(ms);
      now += Math.max(ms, atLeastMs);
      await turn();
    },
  };
}

/** A clock for what must not wait: a pause is a failure. */
export const sleepless: Clock = { ...systemClock, sleep: () => Promise.reject(new Error('nobody sleeps here')) };
