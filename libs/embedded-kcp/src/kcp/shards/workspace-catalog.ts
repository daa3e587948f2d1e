// The resources that a workspace serves: built-ins, kcp's own types, bound types, its own CRDs; in this order if names clash.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { arrayAt, stringAt } from '../../json/json.js';
import { CORE_RESOURCES } from '../../machinery/builtin/core-resources.js';
import { GROUP_RESOURCES, REVIEW_RESOURCES } from '../../machinery/builtin/group-resources.js';
import type { ResourceCatalog } from '../../machinery/resources/resource-catalog.js';
import type { ResourceDefinition } from '../../machinery/resources/resource-definition.js';
import type { StoreEvent } from '../../storage/bucket.js';
import type { ShardStore } from '../../storage/shard-store.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { definitionFromSchema } from '../kinds/definition-from-schema.js';
import { API_BINDINGS, SYSTEM_RESOURCES } from '../kinds/system-resources.js';

/** The resources that every workspace has without a binding. */
export const UNIVERSAL_RESOURCES: readonly ResourceDefinition[] = [
  ...CORE_RESOURCES,
  ...GROUP_RESOURCES,
  ...REVIEW_RESOURCES,
  ...SYSTEM_RESOURCES,
];

const universal = new Map(UNIVERSAL_RESOURCES.map((definition) => [keyOf(definition.group, definition.resource), definition]));
/** One of them. */
export function universalResource(group: string, resource: string): ResourceDefinition {
  const found = universal.get(keyOf(group, resource));
  if (found === undefined) throw new Error(`no built-in ${resource}.${group}`);
  return found;
}

const CRDS = 'apiextensions.k8s.io/customresourcedefinitions';

/** One entry of an APIBinding's status.boundResources. */
export interface BoundResource {
  readonly group: string;
  readonly resource: string;
  readonly schemaUid: string;
  readonly identityHash: string;
}

/** The entries of status.boundResources. */
export function boundResourcesOf(binding: KubeObject): readonly BoundResource[] {
  return arrayAt(binding, 'status', 'boundResources').map((one) => ({
    group: stringAt(one, 'group') ?? '',
    resource: stringAt(one, 'resource') ?? '',
    schemaUid: stringAt(one, 'schema', 'UID') ?? '',
    identityHash: stringAt(one, 'schema', 'identityHash') ?? '',
  }));
}

/** The bucket of a bound resource: the identity keeps equal names of different exporters apart. */
export function boundBucket(group: string, resource: string, identityHash: string): string {
  return `${group}/${resource}:${identityHash}`;
}

/** The catalog of all workspaces of a shard. It notices a moment late (`follow`) that a binding has moved to another schema. */
export class WorkspaceCatalog implements ResourceCatalog {
  readonly #store: ShardStore;
  readonly #schemas = new Map<string, KubeObject>();
  readonly #definitions = new Map<string, ResourceDefinition>();
  readonly #byCluster = new Map<LogicalClusterName, ReadonlyMap<string, ResourceDefinition>>();

  constructor(store: ShardStore, follow: (work: () => void) => void) {
    this.#store = store;
    store.subscribe(({ bucket, event }) => {
      const forget = (): void => void this.#byCluster.delete(event.current.cluster);
      if (bucket === CRDS) forget();
      if (bucket !== API_BINDINGS.bucket) return;
      const change = changeOf(event);
      if (change === 'moved') follow(forget);
      else if (change === 'other') forget();
    });
  }

  /** Remembers a schema that a binding of this shard uses: it is served even when the object is gone. */
  keepSchema(schema: KubeObject): void {
    this.#schemas.set(schema.metadata.uid ?? '', schema);
  }

  all(cluster: LogicalClusterName | '*'): readonly ResourceDefinition[] {
    return cluster === '*' ? UNIVERSAL_RESOURCES : [...UNIVERSAL_RESOURCES, ...this.#ofCluster(cluster).values()];
  }

  find(cluster: LogicalClusterName | '*', group: string, resource: string, identity?: string): ResourceDefinition | undefined {
    const key = keyOf(group, resource);
    const known = universal.get(key);
    if (known !== undefined) return identity === undefined || identity === '' ? known : undefined;
    if (cluster !== '*') return this.#ofCluster(cluster).get(key);
    if (identity === undefined) return undefined;
    return [...this.#definitions.values()].findLast(({ bucket }) => bucket === boundBucket(group, resource, identity));
  }

  #ofCluster(cluster: LogicalClusterName): ReadonlyMap<string, ResourceDefinition> {
    const known = this.#byCluster.get(cluster);
    if (known !== undefined) return known;
    const definitions = new Map<string, ResourceDefinition>();
    const add = (definition: ResourceDefinition | undefined): void => {
      if (definition === undefined) return;
      const key = keyOf(definition.group, definition.resource);
      if (!definitions.has(key)) definitions.set(key, definition);
    };
    for (const binding of this.#store.bucket(API_BINDINGS.bucket).list({ cluster })) {
      for (const bound of boundResourcesOf(binding.object)) add(this.#bound(binding, bound));
    }
    for (const crd of this.#store.bucket(CRDS).list({ cluster })) add(this.#ofCrd(crd));
    this.#byCluster.set(cluster, definitions);
    return definitions;
  }

  #bound(binding: StoredObject, { group, resource, schemaUid, identityHash }: BoundResource): ResourceDefinition | undefined {
    const exportCluster = stringAt(binding.object, 'status', 'apiExportClusterName') as LogicalClusterName | undefined;
    const schema = this.#schemas.get(schemaUid);
    if (schema === undefined || exportCluster === undefined) return undefined;
    const exportName = stringAt(binding.object, 'spec', 'reference', 'export', 'name') ?? '';
    const exportPath = stringAt(binding.object, 'spec', 'reference', 'export', 'path') ?? binding.cluster;
    const key = [schemaUid, identityHash, exportCluster, exportPath, exportName].join('/');
    const known = this.#definitions.get(key);
    if (known !== undefined) return known;
    const origin = { kind: 'bound', exportCluster, exportName, exportPath, identityHash } as const;
    const definition = definitionFromSchema(schema, origin, boundBucket(group, resource, identityHash));
    this.#definitions.set(key, definition);
    return definition;
  }

  #ofCrd(crd: StoredObject): ResourceDefinition | undefined {
    const established = arrayAt(crd.object, 'status', 'conditions').some(
      (condition) => stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
    );
    if (!established) return undefined;
    const key = `crd/${crd.uid}/${crd.object.metadata.generation ?? 0}`;
    const known = this.#definitions.get(key);
    if (known !== undefined) return known;
    const [group = '', plural = ''] = [stringAt(crd.object, 'spec', 'group'), stringAt(crd.object, 'spec', 'names', 'plural')];
    const definition = definitionFromSchema(crd.object, { kind: 'crd' }, boundBucket(group, plural, 'crd'));
    this.#definitions.set(key, definition);
    return definition;
  }
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}

// Whether a change of a binding changes what is served, and whether something was served before that is served differently now.
function changeOf({ type, current, previous }: StoreEvent): 'none' | 'moved' | 'other' {
  if (type !== 'modified' || previous === undefined) return 'other';
  const [before, after] = [boundResourcesOf(previous.object), boundResourcesOf(current.object)];
  const isSame = (a: BoundResource, b: BoundResource): boolean => a.group === b.group && a.resource === b.resource;
  if (before.some((one) => after.some((other) => isSame(one, other) && one.schemaUid !== other.schemaUid))) return 'moved';
  if (stringAt(previous.object, 'status', 'apiExportClusterName') !== stringAt(current.object, 'status', 'apiExportClusterName'))
    return 'other';
  return before.length === after.length && before.every((one) => after.some((other) => isSame(one, other))) ? 'none' : 'other';
}
