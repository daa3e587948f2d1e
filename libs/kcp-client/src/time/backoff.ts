/** A growing pause: `firstMs * factor ^ (attempt - 1)`, never above `capMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly capMs: number;
}

/** The pause after the given attempt (from 1). */
export function pauseAfter({ firstMs, factor, capMs }: Backoff, attempt: number): number {
  return Math.min(capMs, firstMs * factor ** (attempt - 1));
}

/** The same, spread over its upper half by `random` in [0, 1) so that clients do not march in step. */
export function jittered(backoff: Backoff, attempt: number, random: number): number {
  return pauseAfter(backoff, attempt) * (0.5 + random / 2);
}
