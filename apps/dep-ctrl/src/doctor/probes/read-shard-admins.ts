// Reads what only an admin of a shard sees: the rights in its system:admin, and configurations in workspaces that no longer bind dep-ctrl.
import { isKcpError, listAll, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ShardAdmin } from '../../command-line/connect.js';
import { reading } from '../../installation/reading.js';
import { namedAsOurs } from '../../own-objects/tenant-lists.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { installationOf } from '../../shard-rights/right-names.js';
import type { ShardAdminFacts } from './probes.js';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const RIGHTS: Readonly<Record<string, GroupVersionResource>> = {
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
};

/** Reads each shard that was given. */
export async function readShardAdmins(
  connection: Connection,
  shards: readonly ShardAdmin[],
  options: Stoppable,
): Promise<readonly ShardAdminFacts[]> {
  return Promise.all(shards.map((shard) => readShardAdmin(connection, { shard, shards }, options)));
}

async function readShardAdmin(
  connection: Connection,
  { shard, shards }: { readonly shard: ShardAdmin; readonly shards: readonly ShardAdmin[] },
  options: Stoppable,
): Promise<ShardAdminFacts> {
  const { file, systemAdmin } = shard;
  const needs = 'group system:masters of the shard, as in the admin.kubeconfig that it wrote';
  const [rights, configurations] = await Promise.all([
    reading({ what: `system:admin of ${file}`, needs }, async () => {
      const lists = await Promise.all(
        Object.entries(RIGHTS).map(async ([kind, type]) => {
          const { objects } = await listAll(systemAdmin, type, {}, options);
          return objects.flatMap((object): readonly (readonly [string, KubeObject])[] => {
            const { name = '' } = object.metadata;
            return name.startsWith('dep-ctrl:') ? [[`${kind}/${name}`, object]] : [];
          });
        }),
      );
      return new Map(lists.flat());
    }),
    reading({ what: `configurations on the shard of ${file}`, needs }, async () => {
      const objects = await namedAsOurs(shard.connection.wildcard(), options, { labelSelector: OWNER_LABEL });
      return objects.flatMap((object) => {
        const cluster = clusterOf(object);
        const owner = object.metadata.labels?.[OWNER_LABEL] ?? '';
        return cluster.ok ? [{ cluster: cluster.value, owner }] : [];
      });
    }),
  ]);
  const installations = rights.state === 'read' ? installationsIn(rights.value) : [];
  const sought = installations.map(async (name) => ((await isFound(connection, name, shards, options)) ? [] : [name]));
  return { file, rights, configurations, orphans: (await Promise.all(sought)).flat() };
}

function installationsIn(rights: ReadonlyMap<string, KubeObject>): readonly LogicalClusterName[] {
  const names = [...rights.values()].flatMap(({ metadata }) => installationOf(metadata.name ?? '') ?? []);
  return [...new Set(names)].sort();
}

/** Whether any shard knows the workspace; true if that cannot be told. */
async function isFound(
  connection: Connection,
  cluster: LogicalClusterName,
  shards: readonly ShardAdmin[],
  options: Stoppable,
): Promise<boolean> {
  const answers = await Promise.all(
    [connection, ...shards.map((shard) => shard.connection)].map(async (each) => {
      try {
        await each.cluster(cluster).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options);
        return true;
      } catch (error) {
        // The front-proxy refuses what it does not know; a shard has no such object in what is not on it.
        return !isKcpError(error, 'not-found', 'forbidden');
      }
    }),
  );
  return answers.includes(true);
}
