// Workspaces that carry the terminator of the ordered teardown: at their end they wait until somebody takes it off. Virtual workspaces show those that die
// already, so the others are found on the shards.
import type { Stoppable } from '@dep-ctrl/kcp-client';
import {
  clusterOf,
  elements,
  hintedPath,
  recordAt,
  text,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import type { ShardAdmin } from '../command-line/connect.js';

/** One workspace that carries it. */
export interface HeldWorkspace {
  readonly cluster: LogicalClusterName;
  /** As the workspace says itself. */
  readonly path?: WorkspacePath;
  readonly isDying: boolean;
  /** Takes the terminator off, by hand. */
  readonly letGo: string;
}

/** Where among the terminators that the workspace waits for; undefined: it does not. One that is still made has them in its spec only. Pure. */
export function positionOf(logicalCluster: KubeObject, entry: string): number | undefined {
  const status = recordAt(logicalCluster, 'status');
  const isMade = text(status['phase']) !== 'Scheduling';
  const at = elements((isMade ? status : recordAt(logicalCluster, 'spec'))['terminators']).indexOf(entry);
  return at === -1 ? undefined : at;
}

/** Those on one shard. */
export async function findHeldWorkspaces(
  { connection, file }: ShardAdmin,
  entry: string,
  options: Stoppable,
): Promise<readonly HeldWorkspace[]> {
  const held: HeldWorkspace[] = [];
  for await (const page of connection.wildcard().list(LOGICAL_CLUSTERS, {}, options)) {
    for (const object of page.objects()) {
      const cluster = clusterOf(object);
      const at = positionOf(object, entry);
      if (!cluster.ok || at === undefined) continue;
      const path = hintedPath(object);
      const server = `${connection.baseUrl}/clusters/${cluster.value}`;
      const isDying = object.metadata.deletionTimestamp !== undefined;
      held.push({ cluster: cluster.value, ...(path === undefined ? {} : { path }), isDying, letGo: letGo({ file, server, at, entry }) });
    }
  }
  return held;
}

/** kcp refuses it if another terminator has come to that place meanwhile. Pure. */
export function letGo(from: { readonly file: string; readonly server: string; readonly at: number; readonly entry: string }): string {
  const path = `/status/terminators/${from.at}`;
  const patch = JSON.stringify([
    { op: 'test', path, value: from.entry },
    { op: 'remove', path },
  ]);
  return `kubectl --kubeconfig ${from.file} --server ${from.server} patch logicalclusters.core.kcp.io cluster --subresource status --type json -p '${patch}'`;
}
