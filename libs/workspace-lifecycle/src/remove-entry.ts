import { isKcpError, type PatchClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { entriesOf, planRemoval } from './held-entry.js';
import { LOGICAL_CLUSTER_NAME, LOGICAL_CLUSTERS, type LifecycleKind } from './lifecycle-kind.js';

/** Which entry is to go, and the list as it was seen last. */
export interface EntryRemoval {
  /** The workspace, through the virtual workspace of the entry. */
  readonly client: PatchClient;
  readonly kind: LifecycleKind;
  readonly entry: string;
  readonly seen: readonly string[];
}

// Each other controller that removes its own entry meanwhile costs one more look.
const LOOKS = 5;

/**
 * Takes the entry off the list, and nothing else. If the list is another one by now (409, 422), it is read again. Throws KcpError; a "not found" proves
 * nothing, since a shard that starts says so too.
 */
export async function removeEntry({ client, kind, entry, seen }: EntryRemoval, { signal }: Stoppable): Promise<'removed' | 'absent'> {
  let entries = seen;
  for (let look = 1; ; look += 1) {
    const removal = planRemoval(entries, kind, entry);
    if (removal.kind === 'absent') return 'absent';
    try {
      const ref = { name: LOGICAL_CLUSTER_NAME, subresource: 'status' };
      await client.patch(LOGICAL_CLUSTERS, ref, { kind: 'json', body: removal.patch }, { signal });
      return 'removed';
    } catch (failure) {
      if (look === LOOKS || !isOutdated(failure)) throw failure;
    }
    entries = entriesOf(await client.get(LOGICAL_CLUSTERS, { name: LOGICAL_CLUSTER_NAME }, { signal }), kind);
  }
}

function isOutdated(failure: unknown): boolean {
  return isKcpError(failure, 'conflict') || (isKcpError(failure, 'invalid') && failure.status === 422);
}
