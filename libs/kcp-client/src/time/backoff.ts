/** A growing pause: `firstMs * factor ^ (attempt - 1)`, never above `capMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly capMs: number;
}

/** The pause after the given failed attempt (from 1), spread over its upper half by `random` in [0, 1) so that clients do not march in step. */
export function jittered({ firstMs, factor, capMs }: Backoff, attempt: number, random: number): number {
  const full = Math.min(capMs, firstMs * factor ** (attempt - 1));
  return full * (0.5 + random / 2);
}
