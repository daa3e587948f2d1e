import { systemClock, type Clock } from '../time/clock.js';

/** The real time, only so many times faster: a minute of patience is over in a second. */
export function hurriedClock(factor: number): Clock {
  const start = systemClock.monotonic();
  const monotonic = (): number => (systemClock.monotonic() - start) * factor;
  return {
    now: () => systemClock.now(),
    monotonic,
    sleep: (ms, options) => systemClock.sleep(Math.max(1, ms / factor), options),
  };
}
