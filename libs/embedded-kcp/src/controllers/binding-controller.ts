// An APIBinding finds its export and binds its types; accepted claims label what exists already.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { exportOf, exportReference } from '../admission/claim-labels.js';
import { arrayAt, isRecord, recordAt, stringAt, without, withoutUndefined, type JsonRecord } from '../json.js';
import { withConditions, type Condition } from '../kcp/conditions.js';
import { API_BINDINGS, API_EXPORTS, API_RESOURCE_SCHEMAS } from '../kcp/system-resources.js';
import { readClaims, type PermissionClaim } from '../kcp/permission-claims.js';
import { boundResourcesOf } from '../kcp/workspace-catalog.js';
import { timestamp } from '../machinery/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import { joinKey, splitKey, type ControllerContext, type ShardControl } from './controller-context.js';
import { NotYet, WorkQueue, type WorkOutcome } from './work-queue.js';

/** Watches the bindings of all shards, and the exports and schemas that they name. */
export class BindingController {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #seenSchemas = new Set<string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const { background } = context;
    this.#queue = new WorkQueue({
      name: 'binding controller',
      background,
      run: (key) => this.#reconcile(key),
      firstRetryMs: background.pause('retryFirst'),
      longestRetryMs: background.pause('namespaceRetryLongest'),
    });
  }

  /** Begins to watch. */
  start(): void {
    for (const shard of this.#context.shards) this.#watch(shard);
  }

  #watch(shard: ShardControl): void {
    const pause = this.#context.background.pause('reaction');
    const add = ({ cluster, name }: StoredObject): void => this.#queue.add(joinKey(shard.name, cluster, name), pause);
    const onExport = (changed: StoredObject): void => {
      for (const binding of shard.loopback.list(API_BINDINGS, '*')) {
        if (exportReference(binding.object, binding.cluster).name === changed.name) add(binding);
      }
    };
    shard.view.store.subscribe(({ bucket, event }) => {
      if (bucket === API_BINDINGS.bucket) add(event.current);
      if (bucket === API_EXPORTS.bucket) onExport(event.current);
    });
    shard.view.cache.subscribe(({ bucket, event }) => {
      if (bucket === API_EXPORTS.bucket) onExport(event.current);
    });
  }

  async #reconcile(key: string): Promise<WorkOutcome> {
    const [shardName, cluster = '', name = ''] = splitKey(key);
    const shard = this.#context.shards.find((one) => one.name === shardName);
    const stored = shard?.loopback.get(API_BINDINGS, { cluster: cluster as LogicalClusterName }, name);
    if (shard === undefined || stored === undefined || stored.object.metadata.deletionTimestamp !== undefined) return undefined;
    const exported = exportOf(shard.view, stored.object, stored.cluster);
    if (exported === undefined) return this.#withoutExport(shard, stored);
    return this.#bind(shard, stored, exported);
  }

  async #withoutExport(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    const { path, name } = exportReference(stored.object, stored.cluster);
    const missing: Condition = {
      type: 'APIExportValid',
      status: 'False',
      severity: 'Error',
      reason: 'APIExportNotFound',
      message: `APIExport ${path}|${name} not found`,
    };
    const isBound = stringAt(stored.object, 'status', 'phase') === 'Bound';
    await this.#status(shard, stored, {}, isBound ? 'Bound' : 'Binding', isBound ? [missing] : [missing, ...waiting()]);
    return undefined;
  }

  async #bind(shard: ShardControl, stored: StoredObject, exported: StoredObject): Promise<WorkOutcome> {
    const identityHash = stringAt(exported.object, 'status', 'identityHash');
    if (identityHash === undefined) throw new NotYet(`export ${exported.name} has no identity yet`);
    const found = findSchemas(shard, exported);
    if (found.state === 'missing') {
      const invalid: Condition = {
        type: 'APIExportValid',
        status: 'False',
        severity: 'Error',
        reason: 'InternalError',
        message: `Invalid APIExport: APIResourceSchema ${found.name} not found`,
      };
      await this.#status(shard, stored, { apiExportClusterName: exported.cluster }, 'Binding', [invalid, ...waiting()]);
      throw new NotYet(`schema ${found.name} is not there`);
    }
    const claims = claimStatus(stored.object, exported.object);
    const base = { apiExportClusterName: exported.cluster, ...claims.fields };
    const clash = this.#clash(shard, stored, found.schemas);
    if (clash !== undefined) {
      const conflict: Condition = {
        type: 'BindingUpToDate',
        status: 'False',
        severity: 'Error',
        reason: 'NamingConflicts',
        message: clash,
      };
      await this.#status(shard, stored, base, 'Binding', [VALID, conflict, ...waiting(), ...claims.conditions]);
      throw new NotYet(clash);
    }
    const again = await this.#establish(shard, stored, found.schemas, base);
    if (again !== undefined) return again;
    const boundResources = found.schemas.map((schema) => boundEntry(schema, identityHash));
    const done: readonly Condition[] = [
      VALID,
      { type: 'InitialBindingCompleted', status: 'True' },
      { type: 'BindingUpToDate', status: 'True' },
    ];
    await this.#status(shard, stored, { ...base, boundResources: mergeBound(stored.object, boundResources) }, 'Bound', [
      ...done,
      ...claims.conditions,
    ]);
    await this.#labelExisting(shard, stored);
    return undefined;
  }

  /** A schema that this shard has not served before takes a while; until then the binding is there, its types are not. */
  async #establish(shard: ShardControl, stored: StoredObject, schemas: readonly StoredObject[], base: JsonRecord): Promise<WorkOutcome> {
    for (const { object } of schemas) shard.catalog.keepSchema(object);
    const fresh = schemas.filter(({ uid }) => !this.#seenSchemas.has(joinKey(shard.name, uid)));
    for (const { uid } of fresh) this.#seenSchemas.add(joinKey(shard.name, uid));
    const isRoots = schemas.every(({ cluster }) => cluster === 'root');
    if (fresh.length === 0 || isRoots) return undefined;
    await this.#status(shard, stored, base, 'Binding', [VALID, ...waiting()]);
    return { againMs: this.#context.background.pause('bindingEstablished') };
  }

  #clash(shard: ShardControl, stored: StoredObject, schemas: readonly StoredObject[]): string | undefined {
    const others = shard.loopback.list(API_BINDINGS, stored.cluster).filter((one) => one.name !== stored.name);
    for (const { object } of schemas) {
      const [group, plural] = [stringAt(object, 'spec', 'group') ?? '', stringAt(object, 'spec', 'names', 'plural') ?? ''];
      const other = others.find((one) => boundResourcesOf(one.object).some((bound) => bound.group === group && bound.resource === plural));
      if (other !== undefined) {
        return `naming conflict with a bound API ${other.name}, spec.names.plural=${plural} is forbidden`;
      }
    }
    return undefined;
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

const VALID: Condition = { type: 'APIExportValid', status: 'True' };

function waiting(): readonly Condition[] {
  return [
    {
      type: 'InitialBindingCompleted',
      status: 'False',
      severity: 'Info',
      reason: 'WaitingForEstablished',
      message: 'Waiting for API(s) to be established',
    },
  ];
}

type FoundSchemas =
  { readonly state: 'found'; readonly schemas: readonly StoredObject[] } | { readonly state: 'missing'; readonly name: string };

function findSchemas(shard: ShardControl, exported: StoredObject): FoundSchemas {
  const schemas: StoredObject[] = [];
  for (const resource of arrayAt(exported.object, 'spec', 'resources')) {
    const name = stringAt(resource, 'schema') ?? '';
    const found = shard.view.find(API_RESOURCE_SCHEMAS.bucket, exported.cluster, name);
    if (found === undefined) return { state: 'missing', name };
    schemas.push(found);
  }
  return { state: 'found', schemas };
}

function boundEntry({ object, name, uid }: StoredObject, identityHash: string): JsonRecord {
  const versions = arrayAt(object, 'spec', 'versions').filter(isRecord);
  const storage = versions.find((version) => version['storage'] === true);
  return {
    group: stringAt(object, 'spec', 'group') ?? '',
    resource: stringAt(object, 'spec', 'names', 'plural') ?? '',
    schema: { name, UID: uid, identityHash },
    storageVersions: [stringAt(storage, 'name') ?? ''],
  };
}

// Versions in which objects were ever stored stay listed; what an export no longer names stays bound.
function mergeBound(binding: KubeObject, entries: readonly JsonRecord[]): readonly JsonRecord[] {
  const before = arrayAt(binding, 'status', 'boundResources').filter(isRecord);
  const isSame = (a: JsonRecord, b: JsonRecord): boolean => a['group'] === b['group'] && a['resource'] === b['resource'];
  const kept = before.filter((one) => !entries.some((entry) => isSame(one, entry)));
  const merged = entries.map((entry) => {
    const old = before.find((one) => isSame(one, entry));
    const versions = [...new Set([...arrayAt(old, 'storageVersions'), ...arrayAt(entry, 'storageVersions')])];
    return { ...entry, storageVersions: versions };
  });
  return [...kept, ...merged];
}

interface ClaimStatus {
  readonly fields: JsonRecord;
  readonly conditions: readonly Condition[];
}

function claimStatus(binding: KubeObject, exported: KubeObject): ClaimStatus {
  const offered = readClaims(exported);
  const isOffered = (claim: PermissionClaim): boolean =>
    offered.some((one) => one.group === claim.group && one.resource === claim.resource && one.identityHash === claim.identityHash);
  const invalid = readClaims(binding).filter((claim) => !isOffered(claim));
  const applied = arrayAt(binding, 'spec', 'permissionClaims')
    .filter(isRecord)
    .filter((claim) => claim['state'] === 'Accepted')
    .map((claim) => without(claim, 'state'));
  const exportClaims = arrayAt(exported, 'spec', 'permissionClaims');
  return {
    fields: {
      appliedPermissionClaims: applied.length === 0 ? undefined : applied,
      exportPermissionClaims: exportClaims.length === 0 ? undefined : exportClaims,
    },
    conditions: [
      invalid.length === 0 ? { type: 'PermissionClaimsValid', status: 'True' } : invalidClaims(invalid),
      { type: 'PermissionClaimsApplied', status: 'True' },
    ],
  };
}

function invalidClaims(claims: readonly PermissionClaim[]): Condition {
  const names = claims.map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`)).join(', ');
  return {
    type: 'PermissionClaimsValid',
    status: 'False',
    severity: 'Error',
    reason: 'InvalidPermissionClaims',
    message: `unexpected/invalid claim for ${names}`,
  };
}
