// Runs an author's work within a time limit, and never waits longer than that for its end. What it throws is a value here.
import { setMaxListeners } from 'node:events';
import { pause, type Clock } from '@dep-ctrl/kcp-client';

/** How a run ended. */
export type TimedRun<R> =
  | { readonly kind: 'ended'; readonly value: R }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It goes on although its signal was aborted. `ending` resolves when it ends after all. */
  | { readonly kind: 'hung'; readonly ending: Promise<unknown> };

/** The patience with a run. */
export interface TimeLimit {
  /** After so long its signal is aborted. */
  readonly limitMs: number;
  /** After so long more, counted from the abort whatever its reason, nobody waits for it. */
  readonly graceMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The reason of a signal that was aborted because a run took too long. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** Runs work with a signal that aborts at the time limit. Never rejects. */
export async function withinTime<R>(
  work: (signal: AbortSignal) => Promise<R>,
  { limitMs, graceMs, clock, signal }: TimeLimit,
): Promise<TimedRun<R>> {
  const own = new AbortController();
  const limit = new AbortController();
  const stop = (): void => {
    own.abort(signal.reason);
    limit.abort();
  };
  if (signal.aborted) stop();
  // As many as run side by side; each takes its listener away.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  const running = settle(work, own.signal);
  const ended = new AbortController();
  void running.then(() => {
    limit.abort();
    ended.abort();
  });
  const overtime = async (): Promise<undefined> => {
    await pause(limitMs, { clock, signal: limit.signal });
    if (!ended.signal.aborted) own.abort(new TimeLimitError(`it took longer than ${limitMs} ms`));
    await pause(graceMs, { clock, signal: ended.signal });
  };
  try {
    return (await Promise.race([running, overtime()])) ?? { kind: 'hung', ending: running };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function settle<R>(work: (signal: AbortSignal) => Promise<R>, signal: AbortSignal): Promise<TimedRun<R>> {
  try {
    return { kind: 'ended', value: await work(signal) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
