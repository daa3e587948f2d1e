import type { Clock } from '@dep-ctrl/kcp-client';
import type { ReadServingPair, ServingPair } from './serving-pair.js';
import { mintServingPair, SERVING_DAYS, type Authority } from './mint.js';

// Two thirds of its life, as cert-manager does: a third is left to notice that renewing fails.
const RENEW_AFTER_MS = (SERVING_DAYS * 24 * 3_600_000 * 2) / 3;

/** Serving certificates of our own CA, a new one when the last is two thirds through its life, or the CA is another one. */
export function ownServingPair({
  authority,
  hosts,
  clock,
  webhook,
}: {
  /** The CA of the moment. */
  readonly authority: () => Authority;
  readonly hosts: readonly string[];
  readonly clock: Clock;
  /** How the webhook is called in its certificate. */
  readonly webhook?: string;
}): ReadServingPair {
  let latest: { readonly pair: ServingPair; readonly by: Authority; readonly madeAtMs: number } | undefined;
  return async () => {
    const now = clock.now();
    const by = authority();
    if (latest?.by.certificate !== by.certificate || now - latest.madeAtMs > RENEW_AFTER_MS) {
      latest = { pair: await mintServingPair(by, hosts, now, webhook), by, madeAtMs: now };
    }
    return latest.pair;
  };
}
