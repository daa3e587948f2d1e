// The ClusterRole in `system:admin` of a shard with the types that the webhook may read.
import type { ClusterClient, Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { changeAccess, type AccessChange, type ChangeOptions } from './change-access.js';
import { readAccessIn, readRules, type ReadAccess } from './read-rules.js';

const CLUSTER_ROLES: GroupVersionResource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };

/** The first part of the ClusterRole's name; the installation follows. */
export const READS_DEPENDENTS = 'dep-ctrl:read-dependents';

/** The access that the ClusterRole grants; undefined if there is no ClusterRole. */
export async function readReaderRole(systemAdmin: ClusterClient, name: string, options: Stoppable): Promise<ReadAccess | undefined> {
  const role = await getIfExists(systemAdmin, CLUSTER_ROLES, { name }, options);
  return role && readAccessIn(role);
}

/** Changes the ClusterRole to the result of `accessAfter`, which gets the current access; undefined leaves it as it is. */
export function changeReaderRole(
  systemAdmin: ClusterClient,
  name: string,
  accessAfter: (now: ReadAccess | undefined) => ReadAccess | undefined,
  { labels, ...options }: ChangeOptions & { readonly labels: Readonly<Record<string, string>> },
): Promise<AccessChange> {
  const holding = (access: ReadAccess): KubeObject => readerRole(name, access, labels);
  return changeAccess(
    systemAdmin,
    { kind: 'ClusterRole', type: CLUSTER_ROLES, name, accessIn: readAccessIn, holding },
    accessAfter,
    options,
  );
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
