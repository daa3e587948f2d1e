// CustomResourceDefinitions of a workspace's own: established once their names are free, and gone after their objects.
import { parseLogicalClusterName, type KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt, withMetadata } from '../json.js';
import { CRD_FINALIZER } from '../machinery/builtin/crd-rules.js';
import { timestamp } from '../machinery/object-meta.js';
import type { ResourceDefinition } from '../machinery/resource-definition.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent } from '../teardown/delete-content.js';
import { joinKey, splitKey, type ControllerContext, type ShardControl } from './controller-context.js';
import { NotYet, WorkQueue, type WorkOutcome } from './work-queue.js';

const BUCKET = 'apiextensions.k8s.io/customresourcedefinitions';

/** Watches the CustomResourceDefinitions of all shards. */
export class CrdController {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { background } = context;
    this.#queue = new WorkQueue({
      name: 'CRD controller',
      background,
      run: (key) => this.#reconcile(key),
      firstRetryMs: background.pause('retryFirst'),
      longestRetryMs: background.pause('namespaceRetryLongest'),
    });
  }

  /** Begins to watch. */
  start(): void {
    for (const shard of this.#context.shards) {
      shard.view.store.subscribe(({ bucket, event }) => {
        if (bucket !== BUCKET || event.type === 'deleted') return;
        this.#queue.add(joinKey(shard.name, event.current.cluster, event.current.name), this.#context.background.pause('reaction'));
      });
    }
  }

  async #reconcile(key: string): Promise<WorkOutcome> {
    const [shardName, clusterName = '', name = ''] = splitKey(key);
    const shard = this.#context.shards.find((one) => one.name === shardName);
    const cluster = parseLogicalClusterName(clusterName);
    if (shard === undefined || !cluster.ok) return undefined;
    const definition = shard.catalog.find(cluster.value, 'apiextensions.k8s.io', 'customresourcedefinitions');
    const stored = definition === undefined ? undefined : shard.loopback.get(definition, { cluster: cluster.value }, name);
    if (definition === undefined || stored === undefined) return undefined;
    if (stored.object.metadata.deletionTimestamp !== undefined) return this.#clear(shard, definition, stored);
    await shard.loopback.change(definition, stored, name, (current) => established(current, timestamp(this.#context.now())), 'status');
    return undefined;
  }

  async #clear(shard: ShardControl, definition: ResourceDefinition, stored: StoredObject): Promise<WorkOutcome> {
    const { cluster, name, object } = stored;
    const served = shard.catalog.find(cluster, stringAt(object, 'spec', 'group') ?? '', stringAt(object, 'spec', 'names', 'plural') ?? '');
    const report = await deleteContent(shard, { cluster }, served?.origin.kind === 'crd' ? [served] : []);
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    if (report.remaining.length > 0) return { againMs: this.#context.background.pause('teardownRecheck') };
    await shard.loopback.change(definition, { cluster }, name, (current) =>
      withMetadata(current, { finalizers: (current.metadata.finalizers ?? []).filter((one) => one !== CRD_FINALIZER) }),
    );
    return undefined;
  }
}

function established(crd: KubeObject, now: string): KubeObject {
  const before = arrayAt(crd, 'status', 'conditions').filter(isRecord);
  const condition = (type: string, reason: string, message: string): Readonly<Record<string, unknown>> => {
    const since = before.find((one) => one['type'] === type)?.['lastTransitionTime'];
    return { type, status: 'True', lastTransitionTime: since ?? now, reason, message };
  };
  const storage = arrayAt(crd, 'spec', 'versions').find((version) => recordAt(version)['storage'] === true);
  return {
    ...crd,
    status: {
      ...recordAt(crd, 'status'),
      acceptedNames: recordAt(crd, 'spec', 'names'),
      storedVersions: [stringAt(storage, 'name') ?? ''],
      conditions: [
        condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
        condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ],
    },
  };
}
