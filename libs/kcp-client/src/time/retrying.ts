import { jittered } from './backoff.js';
import type { Clock } from './clock.js';
import { isKcpError, type KcpError } from '../errors/kcp-error.js';

/** How often and how patiently to try again. */
export interface RetryOptions {
  /** Tries in all. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /**
   * Which failures are tried again. Default: the retryable ones. A kcp that starts answers for up to a minute 403 about every logical cluster by name; whoever
   * waits for it says `({ retryable, code }) => retryable || code === 'forbidden'`, and bounds `attempts`: a right that is missing looks the same.
   */
  readonly retryOn?: ((failure: KcpError) => boolean) | undefined;
  /** In [0, 1). Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const BACKOFF = { firstMs: 100, factor: 2, capMs: 5_000 };

/** Calls until it succeeds, as long as what it throws is a KcpError that passes. Waits as the server asked, else with back-off. */
export async function retrying<T>(
  call: () => Promise<T>,
  { attempts, signal, clock, retryOn = ({ retryable }) => retryable, random = Math.random }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      if (!isKcpError(failure) || !retryOn(failure) || attempt >= attempts) throw failure;
      await clock.sleep(failure.retryAfterMs ?? jittered(BACKOFF, attempt, random()), { signal });
    }
  }
}
