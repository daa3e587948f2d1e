// Brings a Workspace from creation to ready: first a cluster name and a shard, then the logical cluster there, then its phase.
import { createHash, randomInt } from 'node:crypto';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { OWNER_ANNOTATION } from '../admission/workspace-admission.js';
import {
  isRecord,
  recordAt,
  stringAt,
  stringsAt,
  valueAt,
  withAnnotations,
  withLabels,
  withMetadata,
  withoutUndefined,
} from '../json/json.js';
import { withConditions, type Condition } from '../kcp/kinds/conditions.js';
import { pathOf } from '../kcp/shards/shard-view.js';
import { LOGICAL_CLUSTERS } from '../kcp/kinds/system-resources.js';
import { CLUSTER_NOTE, PHASE_LABEL, SHARD_NAME, SHARD_NOTE, WORKSPACE_FINALIZER } from '../kcp/kinds/workspace-marks.js';
import { readTypeReference } from '../kcp/kinds/workspace-types.js';
import { matchesLabels, readLabelSelector } from '../machinery/resources/label-selector.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { ownerOf, shardOf, type ControllerContext, type ShardControl } from '../background/controller-context.js';
import { foundType } from './found-type.js';
import { newLogicalCluster, parseCreator } from './new-logical-cluster.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';

const UNSCHEDULABLE = 'experimental.core.kcp.io/unschedulable';

/** Watches the workspaces of all shards. */
export class WorkspaceController {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new ObjectQueue(context, {
      name: 'workspace controller',
      definition: context.root.workspaces,
      run: (shard, stored) => this.#reconcile(shard, stored),
      longestRetry: 'namespaceRetryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const { background, root } = this.#context;
    const pause = background.pause('reaction');
    watchShards(this.#context, (shard, { bucket, event: { current } }) => {
      if (bucket === root.workspaces.bucket) this.#queue.add(shard, current, pause);
      if (bucket !== LOGICAL_CLUSTERS.bucket) return;
      // A Workspace follows its logical cluster, wherever that lives.
      const owner = ownerOf(this.#context, current);
      if (owner !== undefined) this.#queue.add(owner.shard, owner, pause);
    });
  }

  async #reconcile(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (stored.object.metadata.deletionTimestamp !== undefined) return undefined;
    if (valueAt(stored.object, 'spec', 'mount') !== undefined) return undefined;
    if (stored.object.metadata.annotations?.[CLUSTER_NOTE] === undefined) return this.#schedule(shard, stored);
    if (stringAt(stored.object, 'spec', 'cluster') === undefined) return this.#place(shard, stored);
    return this.#follow(shard, stored);
  }

  /** First step: a name and a shard, noted on the Workspace. */
  async #schedule(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const target = this.#chooseShard(shard, stored.object);
    if (target === undefined) {
      await this.#status(shard, stored, 'Unavailable', [
        {
          type: 'WorkspaceScheduled',
          status: 'False',
          reason: 'Unschedulable',
          severity: 'Error',
          message: 'No available shards to schedule the workspace',
        },
      ]);
      return undefined;
    }
    await this.#change(shard, stored, (current) =>
      withMetadata(
        withLabels(
          withAnnotations(current, { [CLUSTER_NOTE]: newClusterName(), [SHARD_NOTE]: shardHash(target.name), [SHARD_NAME]: target.name }),
          { [PHASE_LABEL]: 'Scheduling' },
        ),
        { finalizers: [...new Set([...(current.metadata.finalizers ?? []), WORKSPACE_FINALIZER])] },
      ),
    );
    return undefined;
  }

  #chooseShard(shard: ShardControl, workspace: KubeObject): ShardControl | undefined {
    const selector = valueAt(workspace, 'spec', 'location', 'selector');
    const objects = [
      ...shard.view.store.bucket(this.#context.root.shards.bucket).list({ cluster: '*' }),
      ...shard.view.cache.bucket(this.#context.root.shards.bucket).list({ cluster: '*' }),
    ];
    const names = new Set(
      objects
        .filter(({ object }) => object.metadata.annotations?.[UNSCHEDULABLE] === undefined)
        .filter(({ object }) => !isRecord(selector) || matchesLabels(readLabelSelector(selector), object.metadata.labels))
        .map(({ name }) => name),
    );
    const fitting = this.#context.shards.filter(({ name }) => names.has(name));
    return fitting.length === 0 ? undefined : fitting[randomInt(fitting.length)];
  }

  /** Second step: the logical cluster on its shard, then its name on the Workspace. */
  async #place(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const { annotations = {} } = stored.object.metadata;
    const child = annotations[CLUSTER_NOTE] as LogicalClusterName;
    const target = this.#context.shards.find(({ name }) => name === annotations[SHARD_NAME]);
    if (target === undefined) throw new NotYet(`shard ${annotations[SHARD_NAME] ?? ''} is not there`);
    const found = foundType(shard, readTypeReference(valueAt(stored.object, 'spec', 'type')));
    const path = `${parentPath(shard, stored)}:${stored.name}`;
    const logicalCluster = newLogicalCluster(stored, { path, shard: target.name, ...found });
    await target.loopback.ensure(LOGICAL_CLUSTERS, { cluster: child }, logicalCluster);
    await this.#change(shard, stored, (current) => ({
      ...current,
      spec: { ...recordAt(current, 'spec'), cluster: child, URL: `${this.#context.externalUrl}/clusters/${path}` },
    }));
    await this.#status(shard, stored, 'Initializing', [{ type: 'WorkspaceScheduled', status: 'True' }]);
    return undefined;
  }

  /** From then on: the phase of the logical cluster is the phase of the Workspace. */
  async #follow(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const child = stringAt(stored.object, 'spec', 'cluster') as LogicalClusterName;
    const logicalCluster = shardOf(this.#context, child)?.view.logicalCluster(child)?.object;
    if (logicalCluster === undefined) return undefined;
    const phase = stringAt(logicalCluster, 'status', 'phase') ?? 'Scheduling';
    const ready = phase === 'Ready';
    if (phase === 'Scheduling') return undefined;
    const conditions: readonly Condition[] = [
      { type: 'WorkspaceScheduled', status: 'True' },
      ready
        ? { type: 'WorkspaceInitialized', status: 'True' }
        : {
            type: 'WorkspaceInitialized',
            status: 'False',
            reason: 'InitializerExists',
            severity: 'Info',
            message: 'Initializers still exist',
          },
    ];
    await this.#status(shard, stored, phase, conditions, {
      initializers: nonEmpty(stringsAt(logicalCluster, 'status', 'initializers')),
      terminators: nonEmpty(stringsAt(logicalCluster, 'status', 'terminators')),
    });
    if (ready) await this.#shortenOwner(shard, stored);
    return undefined;
  }

  async #shortenOwner(shard: ShardControl, stored: StoredObject): Promise<void> {
    const username = stringAt(parseCreator(stored.object.metadata.annotations?.[OWNER_ANNOTATION]), 'username');
    if (username === undefined) return;
    await this.#change(shard, stored, (current) => withAnnotations(current, { [OWNER_ANNOTATION]: JSON.stringify({ username }) }));
  }

  async #status(
    shard: ShardControl,
    stored: StoredObject,
    phase: string,
    conditions: readonly Condition[],
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.#change(shard, stored, (current) => withLabels(current, { [PHASE_LABEL]: phase }));
    const now = timestamp(this.#context.now());
    await this.#change(
      shard,
      stored,
      (current) => {
        const next = withConditions(current, conditions, now);
        return { ...next, status: withoutUndefined({ ...recordAt(next, 'status'), phase, ...fields }) };
      },
      'status',
    );
  }

  async #change(shard: ShardControl, stored: StoredObject, make: (current: KubeObject) => KubeObject, subresource?: string): Promise<void> {
    await shard.loopback.change(this.#context.root.workspaces, stored, stored.name, make, subresource);
  }
}

function parentPath(shard: ShardControl, { cluster }: StoredObject): string {
  const parent = shard.view.logicalCluster(cluster);
  return parent === undefined ? cluster : pathOf(parent.object, cluster);
}

const NAME_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const NAME_LENGTH = 16;

function newClusterName(): string {
  return Array.from({ length: NAME_LENGTH }, () => NAME_DIGITS[randomInt(NAME_DIGITS.length)]).join('');
}

// Opaque to clients; kcp writes eight characters of a hash.
function shardHash(name: string): string {
  const number = createHash('sha224').update(name).digest().readBigUInt64BE(0);
  return number.toString(36).padStart(8, '0').slice(0, 8);
}

function nonEmpty(values: readonly string[]): readonly string[] | undefined {
  return values.length === 0 ? undefined : values;
}
