import { pause, type Clock } from '@dep-ctrl/kcp-client';
import { linkedSignal } from './linked-signal.js';

/** How a run of an author's function ended. */
export type RunEnding<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** It was told to stop. */
  | { readonly kind: 'stopped'; readonly isLeftBehind: boolean }
  /** It took too long and was told to stop. */
  | { readonly kind: 'timed-out'; readonly isLeftBehind: boolean };

/** How long a run may take, and how long it may go on after it was told to stop. */
export interface RunBounds {
  readonly limitMs: number;
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * Runs a function with a signal that aborts when one of the given does, or the limit is over. What it does after that counts for nothing. Where it does not
 * end then, it is left behind after the grace: a promise cannot be stopped.
 */
export async function boundedRun<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly AbortSignal[],
  { limitMs, graceMs, clock }: RunBounds,
): Promise<RunEnding<T>> {
  const run = linkedSignal(...signals);
  const timers = new AbortController();
  const settled = settle(work, run.signal);
  const limit = pause(limitMs, { clock, signal: timers.signal }).then(() => 'limit' as const);
  const told = new Promise<'told'>((resolve) => {
    if (run.signal.aborted) resolve('told');
    run.signal.addEventListener('abort', () => resolve('told'), { once: true });
  });
  try {
    const first = await Promise.race([told, settled, limit]);
    if (typeof first === 'object') return first;
    if (first === 'limit') run.end(new Error(`the limit of ${limitMs} ms is over`));
    const isLeftBehind = await Promise.race([settled.then(() => false), pause(graceMs, { clock, signal: timers.signal }).then(() => true)]);
    return { kind: first === 'limit' ? 'timed-out' : 'stopped', isLeftBehind };
  } finally {
    run.end(new Error('the run is over'));
    run.unlink();
    timers.abort();
  }
}

async function settle<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<RunEnding<T>> {
  try {
    return { kind: 'returned', value: await work(signal) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
