// The stop before an uninstall that would leave workspaces without the controller that ends them. Pure.
import { printFirst } from '@dep-ctrl/exported-types';
import type { ShardAdmin } from '../command-line/connect.js';
import type { Unswept } from '../shard-rights/shards-not-given.js';
import type { HeldWorkspace } from '../teardown-type/held-workspaces.js';

/** What was found of workspaces that carry our terminator. */
export interface FoundHeld {
  readonly held: readonly HeldWorkspace[];
  readonly shards: readonly Pick<ShardAdmin, 'file'>[];
  readonly unswept: readonly Unswept[];
  /** What could not be looked at. */
  readonly problems: readonly string[];
}

const OR_LEAVE =
  'or give --leave-terminators: then each waits at its end until the terminator is taken off by hand, and the result says how';

/** Throws where some carry it, and where that cannot be known. */
export function refuseWhileHeld({ held, shards, unswept, problems }: FoundHeld): void {
  if (held.length > 0) {
    const names = printFirst(held.map(({ path, cluster }) => path ?? cluster).toSorted(), { most: 3 });
    const many = held.length === 1 ? '1 workspace carries' : `${held.length} workspaces carry`;
    throw new Error(
      `${many} the terminator of dep-ctrl (${names}; --dry-run names all), and nothing was removed: delete them while a controller runs, ${OR_LEAVE}`,
    );
  }
  const unseen =
    shards.length === 0 ? 'no shard was looked at; give --shard-kubeconfig once per shard' : [...problems, ...unswept.map(toText)][0];
  if (unseen === undefined) return;
  throw new Error(`whether workspaces carry the terminator of dep-ctrl is not known, and nothing was removed: ${unseen}, ${OR_LEAVE}`);
}

function toText({ where, why }: Unswept): string {
  return `${where}: ${why}`;
}
