import { setImmediate as turn } from 'node:timers/promises';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';

/** A clock for what must not wait: a pause is a failure. */
export const sleepless: Clock = { ...systemClock, sleep: () => Promise.reject(new Error('nobody sleeps here')) };

/** A clock whose pauses take no time and count as a second at least. */
export function instantClock(): Clock {
  let nowMs = 0;
  return {
    now: () => 1_700_000_000_000 + nowMs,
    monotonic: () => nowMs,
    async sleep(ms, { signal }) {
      signal.throwIfAborted();
      nowMs += Math.max(ms, 1_000);
      await turn();
    },
  };
}
