// The bound resources of a binding: the schemas that its export names, and the entries in its status.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, stringAt, type JsonRecord } from '../json/json.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import { API_RESOURCE_SCHEMAS } from '../kcp/kinds/system-resources.js';
import { boundResourcesOf } from '../kcp/shards/workspace-catalog.js';
import type { StoredObject } from '../storage/stored-object.js';

/** The schemas of an export, or the name of one that is not there. */
export type FoundSchemas =
  { readonly state: 'found'; readonly schemas: readonly StoredObject[] } | { readonly state: 'missing'; readonly name: string };

/** Looks up the schemas that an export names. */
export function findSchemas(view: ShardView, exported: StoredObject): FoundSchemas {
  const schemas: StoredObject[] = [];
  for (const resource of arrayAt(exported.object, 'spec', 'resources')) {
    const name = stringAt(resource, 'schema') ?? '';
    const found = view.find(API_RESOURCE_SCHEMAS.bucket, exported.cluster, name);
    if (found === undefined) return { state: 'missing', name };
    schemas.push(found);
  }
  return { state: 'found', schemas };
}

/** The message about a type that another binding of the workspace has bound already; undefined: there is no such type. */
export function findClash(schemas: readonly StoredObject[], others: readonly StoredObject[]): string | undefined {
  for (const { object } of schemas) {
    const { group, resource } = typeOf(object);
    const other = others.find((one) => boundResourcesOf(one.object).some((bound) => bound.group === group && bound.resource === resource));
    if (other !== undefined) return `naming conflict with a bound API ${other.name}, spec.names.plural=${resource} is forbidden`;
  }
  return undefined;
}

/** The new status.boundResources. Versions in which objects were ever stored stay listed, and types that the export no longer names stay bound. */
export function boundResources(binding: KubeObject, schemas: readonly StoredObject[], identityHash: string): readonly JsonRecord[] {
  const before = arrayAt(binding, 'status', 'boundResources').filter(isRecord);
  const entries = schemas.map((schema) => boundEntry(schema, identityHash));
  const isSame = (a: JsonRecord, b: JsonRecord): boolean => a['group'] === b['group'] && a['resource'] === b['resource'];
  const kept = before.filter((one) => !entries.some((entry) => isSame(one, entry)));
  const merged = entries.map((entry) => {
    const old = before.find((one) => isSame(one, entry));
    const versions = [...new Set([...arrayAt(old, 'storageVersions'), ...arrayAt(entry, 'storageVersions')])];
    return { ...entry, storageVersions: versions };
  });
  return [...kept, ...merged];
}

function boundEntry({ object, name, uid }: StoredObject, identityHash: string): JsonRecord {
  const storage = arrayAt(object, 'spec', 'versions')
    .filter(isRecord)
    .find((version) => version['storage'] === true);
  return { ...typeOf(object), schema: { name, UID: uid, identityHash }, storageVersions: [stringAt(storage, 'name') ?? ''] };
}

function typeOf(schema: KubeObject): { readonly group: string; readonly resource: string } {
  return { group: stringAt(schema, 'spec', 'group') ?? '', resource: stringAt(schema, 'spec', 'names', 'plural') ?? '' };
}
