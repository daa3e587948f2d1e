// Deletes objects that have lost their owners, within each logical cluster. Dependents go after a background delete of the owner, and before the end of a
// foreground delete; an orphaning delete removes their reference first. It deletes as kcp itself, through admission, and tries again, with pauses, if
// admission refuses.
import type { LogicalClusterName, OwnerReference } from '@dep-ctrl/kcp-names';
import type { Background } from '../background/background.js';
import { NotYet, WorkQueue } from '../background/work-queue.js';
import { ApiError } from '../http/api-status.js';
import type { Loopback } from '../kcp/shards/loopback.js';
import type { ResourceCatalog } from '../machinery/resources/resource-catalog.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { BucketEvent, ShardStore } from '../storage/shard-store.js';
import type { StoredObject } from '../storage/stored-object.js';
import { decideCollection, disowned, FOREGROUND, ORPHAN, withoutFinalizer, type OwnerState } from './decide-collection.js';
import { locationKey, OwnershipIndex, type Located } from './ownership-index.js';

/** The parts that the collector needs. */
export interface GarbageCollectorOptions {
  readonly store: ShardStore;
  readonly catalog: ResourceCatalog;
  readonly loopback: Loopback;
  readonly background: Background;
}

/** The garbage collector of one shard. */
export class GarbageCollector {
  readonly #options: GarbageCollectorOptions;
  readonly #index = new OwnershipIndex();
  readonly #queue: WorkQueue;

  constructor(options: GarbageCollectorOptions) {
    this.#options = options;
    const { background } = options;
    this.#queue = new WorkQueue({
      name: 'garbage collection',
      background,
      firstRetryMs: background.pause('retryFirst'),
      longestRetryMs: background.pause('retryLongest'),
      run: async (key) => {
        await this.#collect(key);
        return undefined;
      },
    });
  }

  /** Follows the store until the returned function is called. */
  start(): () => void {
    return this.#options.store.subscribe((event) => this.#follow(event));
  }

  #follow({ bucket, event: { type, current, previous } }: BucketEvent): void {
    const located = { bucket, stored: current };
    if (type === 'deleted') {
      this.#index.remove({ bucket, stored: previous ?? current });
      for (const dependent of this.#index.dependentsOf(current)) this.#look(dependent);
      for (const owner of this.#ownersOf(current)) this.#look(owner);
      return;
    }
    this.#index.put(located, previous);
    const { ownerReferences, deletionTimestamp, finalizers } = current.object.metadata;
    const holdsDependents = deletionTimestamp !== undefined && finalizers?.some((one) => one === FOREGROUND || one === ORPHAN) === true;
    if (ownerReferences !== undefined || holdsDependents) this.#look(located);
    // An owner may wait for this one, and may no longer have to.
    if (previous?.object.metadata.ownerReferences !== undefined) for (const owner of this.#ownersOf(previous)) this.#look(owner);
  }

  #look(located: Located): void {
    this.#queue.add(locationKey(located), this.#options.background.pause('reaction'));
  }

  async #collect(key: string): Promise<void> {
    const [bucket, cluster, namespace, name] = JSON.parse(key) as [string, LogicalClusterName, string, string];
    const stored = this.#options.store.bucket(bucket).get({ cluster, namespace, name });
    const definition = stored === undefined ? undefined : this.#definitionOf(cluster, bucket);
    if (stored === undefined || definition === undefined) return;
    try {
      await this.#settleAsOwner({ bucket, stored }, definition);
      await this.#settleAsDependent({ bucket, stored }, definition);
    } catch (error) {
      if (error instanceof ApiError) throw new NotYet(error.message, { cause: error });
      throw error;
    }
  }

  async #settleAsOwner(owner: Located, definition: ResourceDefinition): Promise<void> {
    const { metadata } = owner.stored.object;
    if (metadata.deletionTimestamp === undefined) return;
    const dependents = this.#index.dependentsOf(owner.stored);
    if (metadata.finalizers?.includes(ORPHAN) === true) {
      for (const dependent of dependents) await this.#disown(dependent, [owner.stored.uid]);
      await this.#release(owner.stored, definition, ORPHAN);
    } else if (metadata.finalizers?.includes(FOREGROUND) === true) {
      if (dependents.some(({ stored }) => blocks(stored, owner.stored.uid))) for (const dependent of dependents) this.#look(dependent);
      else await this.#release(owner.stored, definition, FOREGROUND);
    }
  }

  async #settleAsDependent(dependent: Located, definition: ResourceDefinition): Promise<void> {
    const { stored } = dependent;
    if (stored.object.metadata.deletionTimestamp !== undefined) return;
    const hasDependents = this.#index.dependentsOf(stored).length > 0;
    const collection = decideCollection(stored.object, (owner) => this.#stateOf(owner, stored), hasDependents);
    if (collection.kind === 'disown') await this.#disown(dependent, collection.owners);
    if (collection.kind !== 'delete') return;
    const preconditions = { uid: stored.uid, resourceVersion: String(stored.revision) };
    const options = { dryRun: false, preconditions, propagationPolicy: collection.policy };
    await this.#options.loopback.delete(definition, stored, stored.name, options);
  }

  async #disown({ bucket, stored }: Located, owners: readonly string[]): Promise<void> {
    const definition = this.#definitionOf(stored.cluster, bucket);
    if (definition !== undefined)
      await this.#options.loopback.change(definition, stored, stored.name, (current) => disowned(current, owners));
  }

  async #release({ cluster, namespace, name }: StoredObject, definition: ResourceDefinition, finalizer: string): Promise<void> {
    await this.#options.loopback.change(definition, { cluster, namespace }, name, (current) => withoutFinalizer(current, finalizer));
  }

  #stateOf(reference: OwnerReference, { cluster, namespace }: StoredObject): OwnerState {
    const definition = this.#ownerDefinition(reference, cluster);
    if (definition === undefined) return 'unknown';
    const owner = this.#ownerIn(definition, reference, cluster, namespace)?.object.metadata;
    if (owner?.uid !== reference.uid) return 'absent';
    return owner.deletionTimestamp !== undefined && owner.finalizers?.includes(FOREGROUND) === true ? 'waiting' : 'solid';
  }

  #ownersOf({ object, cluster, namespace }: StoredObject): readonly Located[] {
    return (object.metadata.ownerReferences ?? []).flatMap((reference) => {
      const definition = this.#ownerDefinition(reference, cluster);
      const stored = definition === undefined ? undefined : this.#ownerIn(definition, reference, cluster, namespace);
      return definition === undefined || stored?.uid !== reference.uid ? [] : [{ bucket: definition.bucket, stored }];
    });
  }

  // A namespaced owner is looked for in the dependent's own namespace; elsewhere it does not count.
  #ownerIn(
    { bucket, namespaced }: ResourceDefinition,
    { name }: OwnerReference,
    cluster: LogicalClusterName,
    namespace: string,
  ): StoredObject | undefined {
    return this.#options.store.bucket(bucket).get({ cluster, namespace: namespaced ? namespace : '', name });
  }

  #ownerDefinition({ apiVersion, kind }: OwnerReference, cluster: LogicalClusterName): ResourceDefinition | undefined {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return this.#options.catalog
      .all(cluster)
      .find((one) => one.group === group && one.kind === kind && one.versions.some(({ name }) => name === version));
  }

  #definitionOf(cluster: LogicalClusterName, bucket: string): ResourceDefinition | undefined {
    return this.#options.catalog.all(cluster).find((one) => one.bucket === bucket);
  }
}

function blocks({ object }: StoredObject, owner: string): boolean {
  return (object.metadata.ownerReferences ?? []).some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true);
}
