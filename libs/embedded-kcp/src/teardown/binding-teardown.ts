// Tears down deleted APIBindings: the objects of the bound types go first, through the exporter's webhooks. The status says what keeps the binding.
import { BINDING_FINALIZER } from '../admission/binding-admission.js';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';
import { withoutFinalizer } from '../json/json.js';
import { withConditions, type Condition } from '../kcp/kinds/conditions.js';
import { API_BINDINGS } from '../kcp/kinds/system-resources.js';
import { boundResourcesOf } from '../kcp/shards/workspace-catalog.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent, isBeingDeleted, describeFinalizers, describeRemaining, type ContentReport } from './delete-content.js';

/** Watches the bindings of all shards. */
export class BindingTeardown {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new ObjectQueue(context, {
      name: 'binding teardown',
      definition: API_BINDINGS,
      run: (shard, stored) => this.#reconcile(shard, stored),
      longestRetry: 'retryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('bindingContent');
    watchShards(this.#context, (shard, { bucket, event: { type, current, previous } }) => {
      if (bucket === API_BINDINGS.bucket) {
        if (isBeingDeleted(current) && (previous === undefined || !isBeingDeleted(previous))) this.#queue.add(shard, current, pause);
      } else if (type === 'deleted') {
        for (const binding of shard.loopback.list(API_BINDINGS, current.cluster))
          if (isBeingDeleted(binding)) this.#queue.add(shard, binding, pause);
      }
    });
  }

  async #reconcile(shard: ShardControl, binding: StoredObject): Promise<WorkOutcome> {
    if (!isBeingDeleted(binding)) return undefined;
    const { cluster, name } = binding;
    const place = { cluster };
    const report = await deleteContent(shard, place, boundTypes(shard, binding));
    const blocked = conditionOf(report);
    if (blocked === undefined) {
      await shard.loopback.change(API_BINDINGS, place, name, (current) => withoutFinalizer(current, BINDING_FINALIZER));
      return undefined;
    }
    const now = timestamp(this.#context.now());
    await shard.loopback.change(API_BINDINGS, place, name, (current) => withConditions(current, [blocked], now), 'status');
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    return { againMs: this.#context.background.pause('teardownRecheck') };
  }
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
