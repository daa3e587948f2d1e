// What --shard-kubeconfig was given that a shard refuses: kcp's own answer names neither the file nor what to give instead. Pure.
import type { KcpError } from '@dep-ctrl/kcp-client';
import type { ShardAdmin } from '../cli/connect.js';

/** The error to show for one that came while rights were written to `system:admin` of a shard. */
export function refusedByShard(error: KcpError, { file, context }: Pick<ShardAdmin, 'file' | 'context'>): Error {
  const given = `--shard-kubeconfig ${JSON.stringify(file)} (context ${JSON.stringify(context)})`;
  if (error.code === 'forbidden' || error.code === 'not-found' || error.code === 'not-served') {
    return new Error(
      `${given} must be of an admin of the shard, at the shard's own address: ${INSTEAD}; then run bootstrap again, or have such an admin apply the last part of "dep-ctrl bootstrap --dry-run" there`,
      { cause: error },
    );
  }
  if (error.code === 'unauthorized') {
    return new Error(`${given} has credentials that this shard does not accept: ${INSTEAD}; then run bootstrap again`, { cause: error });
  }
  return new Error(`${given}: the rights could not be written to system:admin of this shard`, { cause: error });
}

const INSTEAD =
  'give one kubeconfig per shard, of a user in the group system:masters there, such as the admin.kubeconfig that the shard wrote, with its context "system:admin" or "shard-base"';
