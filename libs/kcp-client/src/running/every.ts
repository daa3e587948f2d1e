import type { Waiting } from '../time/clock.js';

/** Waits for so long, or until the signal aborts. The caller looks at the signal then. */
export async function pause(ms: number, { clock, signal }: Waiting): Promise<void> {
  try {
    await clock.sleep(ms, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Does something at once and again after each pause, until the signal aborts. What it throws ends it. */
export async function every(ms: number, work: (signal: AbortSignal) => unknown, options: Waiting): Promise<void> {
  while (!options.signal.aborted) {
    await work(options.signal);
    await pause(ms, options);
  }
}
