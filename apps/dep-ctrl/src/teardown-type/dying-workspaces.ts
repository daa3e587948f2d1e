// Workspaces that are being deleted and wait for our terminator, as the terminating virtual workspaces of the type show them.
import { listAll, parseVirtualWorkspaceUrl, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, hintedPath, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { terminatingUrls } from './teardown-type.js';

/** One of them. */
export interface DyingWorkspace {
  readonly cluster: LogicalClusterName;
  /** As the workspace says itself. */
  readonly path?: WorkspacePath;
  /** When its deletion began. */
  readonly since: string;
}

/** Those on all shards, the longest first. Throws KcpError where one of them does not answer. */
export async function findDyingWorkspaces(
  connection: Connection,
  type: KubeObject,
  options: Stoppable,
): Promise<readonly DyingWorkspace[]> {
  const lists = await Promise.all(
    terminatingUrls(type).map(async (address) => {
      const url = parseVirtualWorkspaceUrl(address);
      if (!url.ok) throw new Error(url.problem);
      const { objects } = await listAll(connection.virtualWorkspace(url.value).wildcard(), LOGICAL_CLUSTERS, {}, options);
      return objects.flatMap(dyingWorkspace);
    }),
  );
  return lists.flat().toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
}

function dyingWorkspace(object: KubeObject): readonly DyingWorkspace[] {
  const { deletionTimestamp: since } = object.metadata;
  const cluster = clusterOf(object);
  if (!cluster.ok || since === undefined) return [];
  const path = hintedPath(object);
  return [{ cluster: cluster.value, ...(path === undefined ? {} : { path }), since }];
}
