// The ClusterRole in `system:admin` of a shard with the types that the webhook may read. Several `bind` and `bootstrap` commands may change it at the same
// time, so it is read, changed and written with its resourceVersion.
import { isKcpError, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { printGroupResource, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { type Ensured, getIfExists, mergeDesired } from '@dep-ctrl/kcp-objects';
import { readAccessIn, readRules, typesWithout, type ReadAccess } from './read-rules.js';
import { bytesOf, MOST_BYTES } from './share-out.js';

const CLUSTER_ROLES: GroupVersionResource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };

/** The first part of the ClusterRole's name; the installation follows. */
export const READS_DEPENDENTS = 'dep-ctrl:read-dependents';

// Commands of several people may meet; each needs one turn.
const ATTEMPTS = 10;

/** A change of the ClusterRole. */
export interface AccessChange {
  readonly change: Ensured;
  readonly before: ReadAccess | undefined;
  readonly after: ReadAccess | undefined;
}

/** How to change it. */
export interface ChangeOptions {
  readonly signal: AbortSignal;
  /** Labels of the ClusterRole. */
  readonly labels: Readonly<Record<string, string>>;
  /** Can refuse by throwing. */
  readonly mayTouch?: (observed: KubeObject) => void;
}

/** The access that the ClusterRole grants; undefined if there is no ClusterRole. */
export async function readReaderRole(systemAdmin: ClusterClient, name: string, options: Stoppable): Promise<ReadAccess | undefined> {
  const role = await getIfExists(systemAdmin, CLUSTER_ROLES, { name }, options);
  return role && readAccessIn(role);
}

/** Changes the ClusterRole to the result of `accessAfter`, which gets the current access; undefined leaves it as it is. */
export async function changeReaderRole(
  systemAdmin: ClusterClient,
  name: string,
  accessAfter: (now: ReadAccess | undefined) => ReadAccess | undefined,
  { signal, labels, mayTouch }: ChangeOptions,
): Promise<AccessChange> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const observed = await getIfExists(systemAdmin, CLUSTER_ROLES, { name }, { signal });
      const before = observed && readAccessIn(observed);
      const after = accessAfter(before);
      if (after === undefined) return { change: 'unchanged', before, after: before };
      refuseTooLarge(before, after);
      const desired = readerRole(name, after, labels);
      if (observed === undefined) {
        await systemAdmin.create(CLUSTER_ROLES, desired, { signal });
        return { change: 'created', before, after };
      }
      mayTouch?.(observed);
      const merged = mergeDesired(observed, desired);
      if (merged === undefined) return { change: 'unchanged', before, after };
      await systemAdmin.replace(CLUSTER_ROLES, merged, { signal });
      return { change: 'updated', before, after };
    } catch (error) {
      const raced = isKcpError(error, 'conflict', 'already-exists');
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The ClusterRole as an object. */
export function readerRole(name: string, access: ReadAccess, labels?: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    rules: readRules(access),
  };
}

function refuseTooLarge(before: ReadAccess | undefined, after: ReadAccess): void {
  if (after.kind === 'wildcard' || bytesOf(after.types) <= MOST_BYTES) return;
  const added = before?.kind === 'listed' ? typesWithout(after.types, before.types) : after.types;
  const first = added[0] === undefined ? '' : `, ${printGroupResource(added[0])} among them`;
  throw new Error(
    `${after.types.length} types are too many for one ClusterRole (${added.length} of them new${first}): dep-ctrl bootstrap shares the room out among the providers, and with --read-access wildcard the webhook needs no list`,
  );
}
