// The message if a shard refuses a --shard-kubeconfig: kcp's own answer names neither the file nor what to give instead. Pure.
import type { KcpError } from '@dep-ctrl/kcp-client';
import type { ShardAdmin } from '../command-line/connect.js';

/** What a command tried on the shard. */
export interface TriedOnShard {
  readonly command: 'bootstrap' | 'bind' | 'uninstall';
  /** What can be done instead of giving another kubeconfig. */
  readonly otherwise?: string;
  /** The failure where no right is missing. */
  readonly failure: string;
}

/** Bootstrap, which writes rights to `system:admin`. */
export const RIGHTS_ON_SHARD: TriedOnShard = {
  command: 'bootstrap',
  otherwise: ', or have such an admin apply the system:admin part of "dep-ctrl bootstrap --dry-run" there',
  failure: 'the rights could not be written to system:admin of this shard',
};

/** Bind, which adds to the webhook's rights in `system:admin`. */
export const READING_ON_SHARD: TriedOnShard = {
  command: 'bind',
  failure: 'what the webhook may read could not be written to system:admin of this shard',
};

/** Uninstall, which looks for what is left. */
export const SWEEP_OF_SHARD: TriedOnShard = { command: 'uninstall', failure: 'this shard could not be looked through' };

/** The error to show for a failed request to a shard. */
export function refusedByShard(
  error: KcpError,
  { file, context }: Pick<ShardAdmin, 'file' | 'context'>,
  { command, otherwise = '', failure }: TriedOnShard,
): Error {
  const given = `--shard-kubeconfig ${JSON.stringify(file)} (context ${JSON.stringify(context)})`;
  const again = `${INSTEAD}; then run ${command} again`;
  if (error.code === 'forbidden' || error.code === 'not-found' || error.code === 'not-served') {
    return new Error(`${given} must be of an admin of the shard, at the shard's own address: ${again}${otherwise}`, { cause: error });
  }
  if (error.code === 'unauthorized') {
    return new Error(`${given} has credentials that this shard does not accept: ${again}`, { cause: error });
  }
  return new Error(`${given}: ${failure}`, { cause: error });
}

const INSTEAD =
  'give one kubeconfig per shard, of a user in the group system:masters there, such as the admin.kubeconfig that the shard wrote, with its context "system:admin" or "shard-base"';
