// A deleted APIBinding: the objects of its types go first, through the exporter's webhooks; it says what keeps it.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { BINDING_FINALIZER } from '../admission/binding-admission.js';
import { joinKey, splitKey, type ControllerContext, type ShardControl } from '../controllers/controller-context.js';
import { NotYet, WorkQueue, type WorkOutcome } from '../controllers/work-queue.js';
import { withMetadata } from '../json.js';
import { withConditions, type Condition } from '../kcp/conditions.js';
import { API_BINDINGS } from '../kcp/system-resources.js';
import { boundResourcesOf } from '../kcp/workspace-catalog.js';
import { timestamp } from '../machinery/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent, describeFinalizers, describeRemaining, type ContentReport } from './delete-content.js';

/** Watches the bindings of all shards. */
export class BindingTeardown {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { background } = context;
    this.#queue = new WorkQueue({
      name: 'binding teardown',
      background,
      run: (key) => this.#reconcile(key),
      firstRetryMs: background.pause('retryFirst'),
      longestRetryMs: background.pause('retryLongest'),
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('bindingContent');
    for (const shard of this.#context.shards) {
      const add = ({ cluster, name }: StoredObject): void => this.#queue.add(joinKey(shard.name, cluster, name), pause);
      shard.view.store.subscribe(({ bucket, event }) => {
        const { current, previous, type } = event;
        if (bucket === API_BINDINGS.bucket) {
          if (isGoing(current) && (previous === undefined || !isGoing(previous))) add(current);
        } else if (type === 'deleted')
          for (const binding of shard.loopback.list(API_BINDINGS, current.cluster)) if (isGoing(binding)) add(binding);
      });
    }
  }

  async #reconcile(key: string): Promise<WorkOutcome> {
    const [shardName, cluster = '', name = ''] = splitKey(key);
    const shard = this.#context.shards.find((one) => one.name === shardName);
    const place = { cluster: cluster as LogicalClusterName };
    const binding = shard?.loopback.get(API_BINDINGS, place, name);
    if (shard === undefined || binding === undefined || !isGoing(binding)) return undefined;
    const report = await deleteContent(shard, place, boundTypes(shard, binding));
    const blocked = conditionOf(report);
    if (blocked === undefined) {
      await shard.loopback.change(API_BINDINGS, place, name, (current) =>
        withMetadata(current, { finalizers: (current.metadata.finalizers ?? []).filter((one) => one !== BINDING_FINALIZER) }),
      );
      return undefined;
    }
    const now = timestamp(this.#context.now());
    await shard.loopback.change(API_BINDINGS, place, name, (current) => withConditions(current, [blocked], now), 'status');
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    return { againMs: this.#context.background.pause('teardownRecheck') };
  }
}

function isGoing({ object }: StoredObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

function boundTypes({ catalog }: ShardControl, { object, cluster }: StoredObject): ReturnType<typeof catalog.all> {
  return boundResourcesOf(object).flatMap(({ group, resource }) => catalog.find(cluster, group, resource) ?? []);
}

function conditionOf(report: ContentReport): Condition | undefined {
  const failed = { type: 'BindingResourceDeleteSuccess', status: 'False' } as const;
  if (report.errors.length > 0) {
    const message = report.errors.length === 1 ? (report.errors[0] ?? '') : `[${report.errors.join(', ')}]`;
    return { ...failed, severity: 'Error', reason: 'ResourceDeletionFailed', message };
  }
  if (report.finalizers.size > 0) {
    return { ...failed, severity: 'Error', reason: 'SomeFinalizersRemain', message: describeFinalizers(report, 'apibinding') };
  }
  if (report.remaining.length > 0)
    return { ...failed, severity: 'Error', reason: 'SomeResourcesRemain', message: describeRemaining(report) };
  return undefined;
}
