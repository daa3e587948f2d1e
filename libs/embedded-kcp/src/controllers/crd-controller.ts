// Establishes a workspace's own CustomResourceDefinitions once their names are free, and removes them after their objects.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt, withoutFinalizer } from '../json/json.js';
import { universalResource } from '../kcp/shards/workspace-catalog.js';
import { CRD_FINALIZER } from '../machinery/builtin/crd-rules.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent } from '../teardown/delete-content.js';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';

const CRDS = universalResource('apiextensions.k8s.io', 'customresourcedefinitions');

/** Watches the CustomResourceDefinitions of all shards. */
export class CrdController {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new ObjectQueue(context, {
      name: 'CRD controller',
      definition: CRDS,
      run: (shard, stored) => this.#reconcile(shard, stored),
      longestRetry: 'namespaceRetryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('reaction');
    watchShards(this.#context, (shard, { bucket, event }) => {
      if (bucket === CRDS.bucket && event.type !== 'deleted') this.#queue.add(shard, event.current, pause);
    });
  }

  async #reconcile(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (stored.object.metadata.deletionTimestamp !== undefined) return this.#clear(shard, stored);
    const now = timestamp(this.#context.now());
    await shard.loopback.change(CRDS, stored, stored.name, (current) => established(current, now), 'status');
    return undefined;
  }

  async #clear(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const { cluster, name, object } = stored;
    const served = shard.catalog.find(cluster, stringAt(object, 'spec', 'group') ?? '', stringAt(object, 'spec', 'names', 'plural') ?? '');
    const report = await deleteContent(shard, { cluster }, served?.origin.kind === 'crd' ? [served] : []);
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    if (report.remaining.length > 0) return { againMs: this.#context.background.pause('teardownRecheck') };
    await shard.loopback.change(CRDS, { cluster }, name, (current) => withoutFinalizer(current, CRD_FINALIZER));
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
