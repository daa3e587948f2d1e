import { jittered } from './backoff.js';
import type { Clock } from './clock.js';
import { isKcpError } from '../errors/kcp-error.js';

/** How often and how patiently to try again. */
export interface RetryOptions {
  /** Tries in all. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** In [0, 1). Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const BACKOFF = { firstMs: 100, factor: 2, capMs: 5_000 };

/**
 * Calls until it succeeds, as long as what it throws is a retryable KcpError. Waits as the server asked, else with back-off. A kcp that starts answers for up
 * to a minute what passes: `not-served` and `unavailable` are retryable, a 403 is not, though it says so of every logical cluster by name meanwhile.
 */
export async function retrying<T>(call: () => Promise<T>, { attempts, signal, clock, random = Math.random }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      if (!isKcpError(failure) || !failure.retryable || attempt >= attempts) throw failure;
      await clock.sleep(failure.retryAfterMs ?? jittered(BACKOFF, attempt, random()), { signal });
    }
  }
}
