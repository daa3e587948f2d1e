import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../time/clock.js';

/** A clock whose pauses take no time; it goes forward by what is slept. */
export function hurriedClock(): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => 1_700_000_000_000 + now,
    monotonic: () => now,
    async sleep(ms, { signal }) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
      await turn();
    },
  };
}
