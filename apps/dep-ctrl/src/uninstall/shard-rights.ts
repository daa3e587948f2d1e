// The rights that bootstrap wrote into `system:admin` of a shard for one installation. Their names contain the installation, so no other one is touched.
import type { ClusterClient, Stoppable } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { shardRightNames } from '../bootstrap/manifests.js';
import { typeOfKind } from '../bootstrap/plan-bootstrap.js';
import type { Removal } from './plan-removal.js';

/** The rights of an installation that are there, bindings first. */
export async function findRights(systemAdmin: ClusterClient, owner: LogicalClusterName, options: Stoppable): Promise<readonly Removal[]> {
  const cluster = parseLogicalClusterName('system:admin');
  if (!cluster.ok) throw new Error(cluster.problem);
  const removals: Removal[] = [];
  for (const kind of ['ClusterRoleBinding', 'ClusterRole']) {
    for (const name of shardRightNames(owner)) {
      const found = await getIfExists(systemAdmin, typeOfKind(kind), { name }, options);
      if (found !== undefined) removals.push({ cluster: cluster.value, action: 'delete-right', object: { ...found, kind } });
    }
  }
  return removals;
}
