// Tears down deleted namespaces: after a pause their content goes type by type, until nothing is left. The conditions say what keeps a namespace.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';
import { arrayAt, isRecord, recordAt, type JsonRecord } from '../json/json.js';
import { universalResource } from '../kcp/shards/workspace-catalog.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { StoredObject } from '../storage/stored-object.js';
import { deleteContent, isBeingDeleted, describeFinalizers, describeRemaining, type ContentReport } from './delete-content.js';

const NAMESPACES = universalResource('', 'namespaces');

/** Watches the namespaces of all shards. */
export class NamespaceTeardown {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new ObjectQueue(context, {
      name: 'namespace teardown',
      definition: NAMESPACES,
      run: (shard, stored) => this.#reconcile(shard, stored),
      longestRetry: 'namespaceRetryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('namespaceContent');
    watchShards(this.#context, (shard, { bucket, event: { type, current, previous } }) => {
      if (bucket !== NAMESPACES.bucket || type === 'deleted') return;
      if (isBeingDeleted(current) && (previous === undefined || !isBeingDeleted(previous))) this.#queue.add(shard, current, pause);
    });
  }

  async #reconcile(shard: ShardControl, { cluster, name }: StoredObject): Promise<WorkOutcome> {
    const place = { cluster };
    const report = await deleteContent(shard, { ...place, namespace: name }, contentTypes(shard, cluster));
    if (report.errors.length === 0 && report.remaining.length === 0) {
      await shard.loopback.change(NAMESPACES, place, name, (current) => ({ ...current, spec: {} }), 'finalize');
      return undefined;
    }
    const now = timestamp(this.#context.now());
    await shard.loopback.change(
      NAMESPACES,
      place,
      name,
      (current) => ({
        ...current,
        status: { ...recordAt(current, 'status'), conditions: withConditions(arrayAt(current, 'status', 'conditions'), report, now) },
      }),
      'status',
    );
    if (report.errors.length > 0) throw new NotYet(report.errors.join(', '));
    return { againMs: this.#context.background.pause('namespaceRecheck') };
  }
}

function contentTypes({ catalog }: ShardControl, cluster: LogicalClusterName): readonly ResourceDefinition[] {
  return catalog.all(cluster).filter(({ namespaced, verbs }) => namespaced && verbs.includes('deletecollection'));
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function conditionsOf(report: ContentReport): readonly NamespaceCondition[] {
  const [remaining, finalizers] = [describeRemaining(report), describeFinalizers(report, 'namespace')];
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      status: 'False',
      reason: 'ResourcesDiscovered',
      message: 'All resources successfully discovered',
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      status: 'False',
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    },
    report.errors.length === 0
      ? {
          type: 'NamespaceDeletionContentFailure',
          status: 'False',
          reason: 'ContentDeleted',
          message: 'All content successfully deleted, may be waiting on finalization',
        }
      : {
          type: 'NamespaceDeletionContentFailure',
          status: 'True',
          reason: 'ContentDeletionFailed',
          message: `Failed to delete all resource types, ${report.errors.length} remaining: ${report.errors.join(', ')}`,
        },
    remaining === ''
      ? { type: 'NamespaceContentRemaining', status: 'False', reason: 'ContentRemoved', message: 'All content successfully removed' }
      : { type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message: remaining },
    finalizers === ''
      ? {
          type: 'NamespaceFinalizersRemaining',
          status: 'False',
          reason: 'ContentHasNoFinalizers',
          message: 'All content-preserving finalizers finished',
        }
      : { type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message: finalizers },
  ];
}

function withConditions(before: readonly unknown[], report: ContentReport, now: string): readonly JsonRecord[] {
  return conditionsOf(report).map((condition) => {
    const known = before.filter(isRecord).find((one) => one['type'] === condition.type);
    const since = known?.['status'] === condition.status ? known['lastTransitionTime'] : undefined;
    return { ...condition, lastTransitionTime: since ?? now };
  });
}
