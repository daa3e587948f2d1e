// When to say again what keeps a process from starting: at once when it is another reason, else after pauses that grow to a minute. Pure.

const FIRST_PAUSE_MS = 4_000;
const LONGEST_PAUSE_MS = 60_000;

/** What was said last, and when it is worth saying again. */
export interface Told {
  readonly reason: string;
  readonly pauseMs: number;
  readonly againAtMs: number;
}

/** Says the reason now, where it should be said now; undefined where it was said lately. */
export function tellAgain(last: Told | undefined, reason: string, nowMs: number): Told | undefined {
  if (last?.reason !== reason) return { reason, pauseMs: FIRST_PAUSE_MS, againAtMs: nowMs + FIRST_PAUSE_MS };
  if (nowMs < last.againAtMs) return undefined;
  const pauseMs = Math.min(last.pauseMs * 2, LONGEST_PAUSE_MS);
  return { reason, pauseMs, againAtMs: nowMs + pauseMs };
}
