// What bootstrap wrote into `system:admin` of a shard for one installation: named after it, so nobody else's is touched.
import type { ClusterClient, Stoppable } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { shardRightNames } from '../bootstrap/manifests.js';
import type { Removal } from './plan-removal.js';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const TYPES: Readonly<Record<string, GroupVersionResource>> = {
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
};

/** The rights of an installation that are there, bindings first. */
export async function findRights(systemAdmin: ClusterClient, owner: LogicalClusterName, options: Stoppable): Promise<readonly Removal[]> {
  const cluster = parseLogicalClusterName('system:admin');
  if (!cluster.ok) throw new Error(cluster.problem);
  const removals: Removal[] = [];
  for (const [kind, type] of Object.entries(TYPES)) {
    for (const name of shardRightNames(owner)) {
      const found = await getIfExists(systemAdmin, type, { name }, options);
      if (found !== undefined) removals.push({ cluster: cluster.value, action: 'delete-right', object: { ...found, kind } });
    }
  }
  return removals;
}

/** The type that a request for such an object names. */
export function rightType({ kind }: KubeObject): GroupVersionResource {
  const type = TYPES[kind ?? ''];
  if (type === undefined) throw new Error(`"${kind ?? ''}" is no right on a shard`);
  return type;
}
