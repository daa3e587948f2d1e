// Every new workspace of a WorkspaceType stays Initializing until this operator has written what belongs into it.
import {
  isKcpError,
  KeyedQueue,
  parseVirtualWorkspaceUrl,
  Reflector,
  runAll,
  type ClusterClient,
  type Connection,
  type Logger,
  type QueueOutcome,
  type ReflectorEvent,
  type VirtualWorkspace,
} from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const WORKSPACE_TYPES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' };
const LOGICAL_CLUSTERS = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

interface Waiting {
  readonly shard: VirtualWorkspace;
  readonly resourceVersion: string | undefined;
  readonly initializers: readonly string[];
}

/** What belongs into a new workspace. It is called again after a failure, so it applies and does not create. */
async function initialize(workspace: ClusterClient, signal: AbortSignal): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } };
  await workspace.patch(NAMESPACES, { name: 'shared' }, { kind: 'apply', body, fieldManager: 'initializer' }, { signal });
}

/** Initializes workspaces until the signal aborts. The connection is to the workspace of the type. Shards that come later need a restart. */
export async function runInitializer(connection: Connection, typeName: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const type = await connection.ownWorkspace().get(WORKSPACE_TYPES, { name: typeName }, { signal });
  const { virtualWorkspaces = [] } = (type['status'] ?? {}) as {
    readonly virtualWorkspaces?: readonly { readonly type: string; readonly url: string }[];
  };
  // kcp names an initializer by the logical cluster of its type, not by the path.
  const name = `${type.metadata.annotations?.['kcp.io/cluster'] ?? ''}:${typeName}`;
  const waiting = new Map<LogicalClusterName, Waiting>();

  const run = async (cluster: LogicalClusterName, stop: AbortSignal): Promise<QueueOutcome> => {
    const found = waiting.get(cluster);
    if (found === undefined) return { kind: 'done' };
    const workspace = found.shard.cluster(cluster);
    try {
      await initialize(workspace, stop);
      // With the version that was seen: another initializer may have taken its own name off meanwhile.
      const { resourceVersion, initializers } = found;
      const body = { metadata: { resourceVersion }, status: { initializers: initializers.filter((each) => each !== name) } };
      await workspace.patch(LOGICAL_CLUSTERS, { name: 'cluster', subresource: 'status' }, { kind: 'merge', body }, { signal: stop });
      logger.info('workspace initialized', { cluster });
      return { kind: 'done' };
    } catch (error) {
      if (!isKcpError(error) || error.code === 'aborted') throw error;
      logger.warn('workspace not initialized yet', { cluster, error: error.message });
      return { kind: 'retry' };
    }
  };
  const queue = new KeyedQueue<LogicalClusterName>({ run, concurrency: 10 });

  // A shard shows the workspaces that wait for this initializer, and no others.
  const observe = (shard: VirtualWorkspace, event: ReflectorEvent): void => {
    if (event.kind === 'undecodable') return;
    if (event.kind === 'deleted') return void waiting.delete(event.object.cluster);
    if (event.kind === 'replaced') for (const [cluster, known] of waiting) if (known.shard === shard) waiting.delete(cluster);
    for (const { cluster, object } of event.kind === 'replaced' ? event.objects : [event.object]) {
      const { initializers = [] } = (object['status'] ?? {}) as { readonly initializers?: readonly string[] };
      waiting.set(cluster, { shard, resourceVersion: object.metadata.resourceVersion, initializers });
      queue.add(cluster);
    }
  };
  const watches = virtualWorkspaces.flatMap((view) => {
    const url = parseVirtualWorkspaceUrl(view.url);
    if (view.type !== 'initializing' || !url.ok) return [];
    const shard = connection.virtualWorkspace(url.value);
    return [new Reflector({ client: shard.wildcard(), type: LOGICAL_CLUSTERS, onEvent: (event) => observe(shard, event) })];
  });
  await runAll([queue, ...watches], signal);
}
