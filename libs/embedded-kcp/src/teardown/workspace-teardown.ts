// Tears down deleted workspaces: the logical cluster and everything in it goes before the Workspace. Content begins to go at once, also while there are
// terminators; the logical cluster itself waits for both. Bindings go last, when nothing else is left.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ownerOf, shardOf, type ControllerContext, type ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';
import { arrayAt, isRecord, recordAt, stringAt, stringsAt, withLabels, withoutFinalizer, withoutUndefined } from '../json/json.js';
import { withConditions, type Condition } from '../kcp/kinds/conditions.js';
import { lifecycleLabels } from '../kcp/kinds/lifecycle-labels.js';
import { LOGICAL_CLUSTER_NAME } from '../kcp/shards/shard-view.js';
import { CLUSTER_NOTE, CONTENT_FINALIZER, PHASE_LABEL, TERMINATOR_FINALIZER, WORKSPACE_FINALIZER } from '../kcp/kinds/workspace-marks.js';
import { API_BINDINGS, LOGICAL_CLUSTERS } from '../kcp/kinds/system-resources.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent, isBeingDeleted, describeFinalizers, describeRemaining, type ContentReport } from './delete-content.js';

// Rights go at the very end: clients that clean up in a dying workspace still need them.
const KEPT = new Set(['logicalclusters', 'clusterroles', 'clusterrolebindings', 'apibindings']);

/** Watches the workspaces and logical clusters of all shards. */
export class WorkspaceTeardown {
  readonly #context: ControllerContext;
  readonly #workspaces: ObjectQueue;
  readonly #clusters: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#workspaces = new ObjectQueue(context, {
      name: 'workspace teardown',
      definition: context.root.workspaces,
      run: (shard, stored) => this.#reconcileWorkspace(shard, stored),
      longestRetry: 'retryLongest',
    });
    this.#clusters = new ObjectQueue(context, {
      name: 'logical cluster teardown',
      definition: LOGICAL_CLUSTERS,
      run: (shard, stored) => this.#reconcileCluster(shard, stored),
      longestRetry: 'retryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const { background, root } = this.#context;
    const pause = background.pause('reaction');
    watchShards(this.#context, (shard, { bucket, event: { type, current, previous } }) => {
      if (!isBeingDeleted(current) && type !== 'deleted') return;
      if (bucket === root.workspaces.bucket) this.#workspaces.add(shard, current, pause);
      if (bucket !== LOGICAL_CLUSTERS.bucket) return;
      this.#notifyOwner(current);
      const begins = previous === undefined || !isBeingDeleted(previous);
      const changed =
        stringsAt(previous?.object, 'status', 'terminators').length !== stringsAt(current.object, 'status', 'terminators').length;
      if (begins || changed) this.#clusters.add(shard, current, pause);
    });
  }

  #notifyOwner(logicalCluster: StoredObject): void {
    const owner = ownerOf(this.#context, logicalCluster);
    if (owner !== undefined) this.#workspaces.add(owner.shard, owner, this.#context.background.pause('reaction'));
  }

  async #reconcileWorkspace(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (!isBeingDeleted(stored)) return undefined;
    const { workspaces } = this.#context.root;
    const child = (stringAt(stored.object, 'spec', 'cluster') ?? stored.object.metadata.annotations?.[CLUSTER_NOTE]) as
      LogicalClusterName | undefined;
    const host = child === undefined ? undefined : shardOf(this.#context, child);
    const logicalCluster = child === undefined ? undefined : host?.view.logicalCluster(child);
    if (child === undefined || host === undefined || logicalCluster === undefined) {
      await shard.loopback.change(workspaces, stored, stored.name, (current) => withoutFinalizer(current, WORKSPACE_FINALIZER));
      return undefined;
    }
    if (logicalCluster.object.metadata.deletionTimestamp === undefined)
      await host.loopback.delete(LOGICAL_CLUSTERS, { cluster: child }, LOGICAL_CLUSTER_NAME);
    else await this.#mirror(shard, stored, logicalCluster);
    return undefined;
  }

  /** The Workspace says what its logical cluster says. */
  async #mirror(shard: ShardControl, stored: StoredObject, { object }: StoredObject): Promise<void> {
    const { workspaces } = this.#context.root;
    const phase = stringAt(object, 'status', 'phase') ?? '';
    if (phase !== 'Terminating' && phase !== 'Deleting') return;
    const content = arrayAt(object, 'status', 'conditions')
      .filter(isRecord)
      .find((one) => one['type'] === 'WorkspaceContentDeleted');
    const terminators = stringsAt(object, 'status', 'terminators');
    await shard.loopback.change(workspaces, stored, stored.name, (current) => withLabels(current, { [PHASE_LABEL]: phase }));
    const now = timestamp(this.#context.now());
    await shard.loopback.change(
      workspaces,
      stored,
      stored.name,
      (current) => {
        const { lastTransitionTime: _time, ...condition } = content ?? {};
        const next = content === undefined ? current : withConditions(current, [condition as unknown as Condition], now);
        const list = terminators.length === 0 ? undefined : terminators;
        return { ...next, status: withoutUndefined({ ...recordAt(next, 'status'), phase, terminators: list }) };
      },
      'status',
    );
  }

  async #reconcileCluster(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (!isBeingDeleted(stored)) return undefined;
    const { cluster } = stored;
    const terminators = stringsAt(stored.object, 'status', 'terminators');
    await this.#phase(shard, cluster, terminators);
    if (terminators.length === 0) await this.#changeCluster(shard, cluster, (current) => withoutFinalizer(current, TERMINATOR_FINALIZER));
    if (stored.object.metadata.finalizers?.includes(CONTENT_FINALIZER) !== true) return undefined;
    const report = await this.#deleteAll(shard, cluster);
    if (report.errors.length === 0 && report.remaining.length === 0) {
      await this.#finish(shard, cluster);
      return undefined;
    }
    const now = timestamp(this.#context.now());
    await this.#changeCluster(shard, cluster, (current) => withConditions(current, [conditionOf(report)], now), 'status');
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    return { againMs: this.#context.background.pause('teardownRecheck') };
  }

  async #phase(shard: ShardControl, cluster: LogicalClusterName, terminators: readonly string[]): Promise<void> {
    const phase = terminators.length > 0 ? 'Terminating' : 'Deleting';
    await this.#changeCluster(shard, cluster, (current) =>
      withLabels(current, { ...lifecycleLabels(current, { initializers: [], terminators }), [PHASE_LABEL]: phase }),
    );
    await this.#changeCluster(shard, cluster, (current) => ({ ...current, status: { ...recordAt(current, 'status'), phase } }), 'status');
  }

  async #deleteAll(shard: ShardControl, cluster: LogicalClusterName): Promise<ContentReport> {
    const report = await deleteContent(shard, { cluster }, contentTypes(shard, cluster));
    const isEmpty = report.errors.length === 0 && report.remaining.length === 0;
    return isEmpty ? deleteContent(shard, { cluster }, [API_BINDINGS]) : report;
  }

  async #finish(shard: ShardControl, cluster: LogicalClusterName): Promise<void> {
    const rights = shard.catalog
      .all(cluster)
      .filter(({ resource, namespaced }) => !namespaced && (resource === 'clusterroles' || resource === 'clusterrolebindings'));
    for (const definition of rights) await shard.loopback.deleteAll(definition, { cluster });
    await this.#changeCluster(shard, cluster, (current) => withoutFinalizer(current, CONTENT_FINALIZER));
  }

  async #changeCluster(
    shard: ShardControl,
    cluster: LogicalClusterName,
    make: Parameters<ShardControl['loopback']['change']>[3],
    subresource?: string,
  ): Promise<void> {
    await shard.loopback.change(LOGICAL_CLUSTERS, { cluster }, LOGICAL_CLUSTER_NAME, make, subresource);
  }
}

// Cluster-scoped types that are not bound: namespaced objects go with their namespace, bound ones with their binding.
function contentTypes({ catalog }: ShardControl, cluster: LogicalClusterName): readonly ResourceDefinition[] {
  return catalog
    .all(cluster)
    .filter(
      ({ namespaced, origin, verbs, resource }) =>
        !namespaced && origin.kind !== 'bound' && verbs.includes('delete') && !KEPT.has(resource),
    );
}

function conditionOf(report: ContentReport): Condition {
  const message = [describeRemaining(report), describeFinalizers(report, 'logical cluster')].filter((one) => one !== '').join('; ');
  const failed = { type: 'WorkspaceContentDeleted', status: 'False', severity: 'Error' } as const;
  if (message !== '') return { ...failed, severity: 'Info', reason: 'SomeResourcesRemain', message };
  return { ...failed, reason: 'ContentDeletionFailed', message: report.errors.join(', ') };
}
