// Follows the CA that replicas share. A new CA in its Secret is trusted beside the old one, and signs the next serving certificate. That certificate is
// served once the installed configurations verify it.
import type { Clock, Logger, Stoppable } from '@dep-ctrl/kcp-client';
import { FollowedCaBundle } from '@dep-ctrl/webhook-installer';
import { checkPair } from './serving-pair.js';
import type { Authority } from './mint.js';

/** A CA that may change. */
export interface FollowedAuthority {
  /** The CA to sign with now. */
  readonly current: () => Authority;
  /** What API servers should trust; follows the CA while it runs. */
  readonly bundle: FollowedCaBundle;
}

/** Reads the CA, and again while the bundle runs. One that cannot be used changes nothing; at the start it throws. */
export async function followAuthority({
  read,
  clock,
  logger,
  signal,
}: {
  readonly read: (options: Stoppable) => Promise<Authority>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): Promise<FollowedAuthority> {
  let current = checked(await read({ signal }));
  const bundle = new FollowedCaBundle({
    read: async (options) => {
      current = checked(await read(options));
      return current.certificate;
    },
    clock,
    logger,
  });
  return { current: () => current, bundle };
}

function checked(authority: Authority): Authority {
  const pair = checkPair(authority);
  if (!pair.ok) throw new Error(`the Secret of the webhook's CA cannot be used: ${pair.problem}`);
  return authority;
}
