// Binds APIBindings: finds the export, binds its types, and labels existing objects for accepted claims.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { exportOf, exportReference } from '../admission/claim-labels.js';
import { arrayAt, recordAt, stringAt, withoutUndefined, type JsonRecord } from '../json/json.js';
import { withConditions, type Condition } from '../kcp/kinds/conditions.js';
import { API_BINDINGS, API_EXPORTS } from '../kcp/kinds/system-resources.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { boundResources, findClash, findSchemas } from './bound-resources.js';
import { claimStatus } from './claim-status.js';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';
import { EstablishingSchemas } from './establishing-schemas.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, type WorkOutcome } from '../background/work-queue.js';

/** Watches the bindings of all shards, and the exports and schemas that they name. */
export class BindingController {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;
  readonly #schemas: ReadonlyMap<string, EstablishingSchemas>;

  constructor(context: ControllerContext) {
    this.#context = context;
    const takesMs = context.background.pause('bindingEstablished');
    this.#schemas = new Map(context.shards.map(({ name }) => [name, new EstablishingSchemas(context.now, takesMs)]));
    this.#queue = new ObjectQueue(context, {
      name: 'binding controller',
      definition: API_BINDINGS,
      run: (shard, stored) => this.#reconcile(shard, stored),
      longestRetry: 'namespaceRetryLongest',
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('reaction');
    const onExport = (shard: ShardControl, changed: StoredObject): void => {
      for (const binding of shard.loopback.list(API_BINDINGS, '*')) {
        if (exportReference(binding.object, binding.cluster).name === changed.name) this.#queue.add(shard, binding, pause);
      }
    };
    watchShards(this.#context, (shard, { bucket, event }) => {
      if (bucket === API_BINDINGS.bucket) this.#queue.add(shard, event.current, pause);
      if (bucket === API_EXPORTS.bucket) onExport(shard, event.current);
    });
    for (const shard of this.#context.shards) {
      shard.view.cache.subscribe(({ bucket, event }) => {
        if (bucket === API_EXPORTS.bucket) onExport(shard, event.current);
      });
    }
  }

  async #reconcile(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (stored.object.metadata.deletionTimestamp !== undefined) return undefined;
    const exported = exportOf(shard.view, stored.object, stored.cluster);
    if (exported !== undefined) return this.#bind(shard, stored, exported);
    const { path, name } = exportReference(stored.object, stored.cluster);
    if (shard.view.isAmbiguous(API_EXPORTS.bucket, path, name)) return this.#withTooManyExports(shard, stored);
    return this.#withoutExport(shard, stored);
  }

  async #withoutExport(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const { path, name } = exportReference(stored.object, stored.cluster);
    const missing = failed('APIExportValid', 'APIExportNotFound', `APIExport ${path}|${name} not found`);
    await this.#status(shard, stored, {}, phaseOf(stored), isBound(stored) ? [missing] : [missing, waiting('InitialBindingCompleted')]);
    return undefined;
  }

  // Nothing else of the binding changes: it stays bound to the export that it had.
  async #withTooManyExports(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const { path, name } = exportReference(stored.object, stored.cluster);
    const why = `multiple apiexports.apis.kcp.io found for ${path}:${name}`;
    await this.#status(shard, stored, {}, phaseOf(stored), [
      failed('APIExportValid', 'InternalError', `Error getting APIExport ${path}|${name}: ${why}`),
    ]);
    return undefined;
  }

  async #bind(shard: ShardControl, stored: StoredObject, exported: StoredObject): Promise<WorkOutcome> {
    const identityHash = stringAt(exported.object, 'status', 'identityHash');
    if (identityHash === undefined) throw new NotYet(`export ${exported.name} has no identity yet`);
    const found = findSchemas(shard.view, exported);
    const initial = isBound(stored) ? [] : [waiting('InitialBindingCompleted')];
    if (found.state === 'missing') {
      const invalid = failed(
        'APIExportValid',
        'InternalError',
        `Invalid APIExport. Please contact the APIExport owner to resolve: APIResourceSchema ${JSON.stringify(found.name)} not found`,
      );
      await this.#status(shard, stored, { apiExportClusterName: exported.cluster }, phaseOf(stored), [invalid, ...initial]);
      throw new NotYet(`schema ${found.name} is not there`);
    }
    const claims = claimStatus(stored.object, exported.object);
    const base = { apiExportClusterName: exported.cluster, ...claims.fields };
    const others = shard.loopback.list(API_BINDINGS, stored.cluster).filter((one) => one.name !== stored.name);
    const clash = findClash(found.schemas, others);
    if (clash !== undefined) {
      const conflict = failed('BindingUpToDate', 'NamingConflicts', clash);
      await this.#status(shard, stored, base, phaseOf(stored), [VALID, conflict, ...initial, ...claims.conditions]);
      throw new NotYet(clash);
    }
    const again = await this.#establish(shard, stored, found.schemas, base);
    if (again !== undefined) return again;
    const bound = { ...base, boundResources: boundResources(stored.object, found.schemas, identityHash) };
    const done: readonly Condition[] = [
      VALID,
      { type: 'InitialBindingCompleted', status: 'True' },
      { type: 'BindingUpToDate', status: 'True' },
    ];
    await this.#status(shard, stored, bound, 'Bound', [...done, ...claims.conditions]);
    if (areOtherClaims(stored.object, claims.fields)) await this.#labelExisting(shard, stored);
    return undefined;
  }

  // Until new schemas are established a binding stays what it was: without types, or with those that it had. What root itself exports
  // is there from the start.
  async #establish(shard: ShardControl, stored: StoredObject, schemas: readonly StoredObject[], base: JsonRecord): Promise<WorkOutcome> {
    for (const { object } of schemas) shard.catalog.keepSchema(object);
    const wait = this.#schemas.get(shard.name)?.waitingFor(schemas.filter(({ cluster }) => cluster !== 'root'));
    if (wait === undefined) return undefined;
    const names = `: ${wait.names.join(', ')}`;
    const conditions = [VALID, waiting('BindingUpToDate', names), ...(isBound(stored) ? [] : [waiting('InitialBindingCompleted', names)])];
    await this.#status(shard, stored, base, phaseOf(stored), conditions);
    return { againMs: wait.ms };
  }

  async #status(
    shard: ShardControl,
    { cluster, name }: StoredObject,
    fields: JsonRecord,
    phase: string,
    conditions: readonly Condition[],
  ): Promise<void> {
    const now = timestamp(this.#context.now());
    const completed = conditions.find(({ type }) => type === 'InitialBindingCompleted');
    // Ready repeats InitialBindingCompleted and nothing else.
    const ready = completed === undefined ? [] : [{ ...completed, type: 'Ready' }];
    await shard.loopback.change(
      API_BINDINGS,
      { cluster },
      name,
      (current) =>
        withConditions(
          { ...current, status: withoutUndefined({ ...recordAt(current, 'status'), phase, ...fields }) },
          [...ready, ...conditions],
          now,
        ),
      'status',
    );
  }

  /** Existing objects get or lose their labels by an update that changes nothing else. */
  async #labelExisting(shard: ShardControl, { cluster }: StoredObject): Promise<void> {
    for (const definition of shard.catalog.all(cluster)) {
      if (!definition.verbs.includes('update') || definition.bucket === API_BINDINGS.bucket) continue;
      for (const stored of shard.loopback.list(definition, cluster)) {
        const labelled = shard.claimLabels.apply(stored.object, cluster, definition.group, definition.resource);
        if (labelled !== stored.object) await shard.loopback.change(definition, stored, stored.name, (current) => current);
      }
    }
  }
}

// As on a real kcp, the owner of the labels is not checked. If an export was made anew, objects keep the former labels until their next write.
function areOtherClaims(binding: KubeObject, { appliedPermissionClaims: now = [] }: JsonRecord): boolean {
  return JSON.stringify(arrayAt(binding, 'status', 'appliedPermissionClaims')) !== JSON.stringify(now);
}

const VALID: Condition = { type: 'APIExportValid', status: 'True' };

function isBound({ object }: StoredObject): boolean {
  return stringAt(object, 'status', 'phase') === 'Bound';
}

// Once bound, always bound: what is wrong later is said in conditions.
function phaseOf(stored: StoredObject): 'Bound' | 'Binding' {
  return isBound(stored) ? 'Bound' : 'Binding';
}

function failed(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', severity: 'Error', reason, message };
}

function waiting(type: string, names = ''): Condition {
  const message = `Waiting for API(s) to be established${names}`;
  return { type, status: 'False', severity: 'Info', reason: 'WaitingForEstablished', message };
}
