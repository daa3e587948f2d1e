// The types that the virtual workspace of an APIExport serves: the export's own types, the claimed types, and always the bindings to it.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { arrayAt, stringAt } from '../json/json.js';
import {
  claimHash,
  claimLabelKey,
  EXPORT_LABEL,
  exportHash,
  readClaims,
  reflexiveHash,
  type PermissionClaim,
} from '../kcp/kinds/permission-claims.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import { API_BINDINGS, API_RESOURCE_SCHEMAS, APIS_GROUP } from '../kcp/kinds/system-resources.js';
import { boundBucket, boundResourcesOf, type WorkspaceCatalog } from '../kcp/shards/workspace-catalog.js';
import { definitionFromSchema } from '../kcp/kinds/definition-from-schema.js';
import type { LabelSelector } from '../machinery/resources/label-selector.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { StoredObject } from '../storage/stored-object.js';

/** One type of an export's virtual workspace. */
export interface ExportedType {
  readonly definition: ResourceDefinition;
  readonly from: 'own' | 'claim' | 'bindings';
  /** Labels without which an object is not shown. */
  readonly visible: LabelSelector;
  readonly claim?: PermissionClaim;
}

/** An APIExport as its virtual workspace sees it. */
export interface ServedExport {
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly stored: StoredObject;
  readonly types: readonly ExportedType[];
}

/** Reads the types that an export serves on this shard. */
export function readServedExport(view: ShardView, catalog: WorkspaceCatalog, stored: StoredObject): ServedExport {
  const own = ownTypes(view, stored);
  const isOwn = (claim: PermissionClaim): boolean =>
    own.some(({ definition }) => definition.group === claim.group && definition.resource === claim.resource);
  const claims = readClaims(stored.object).filter((claim) => !isOwn(claim));
  const claimed = claims
    .filter((claim) => !isBindings(claim))
    .flatMap((claim) => {
      const definition = catalog.find('*', claim.group, claim.resource, claim.identityHash === '' ? undefined : claim.identityHash);
      const visible = [{ key: claimLabelKey(stored.cluster, stored.name), operator: 'in', values: [claimHash(claim)] } as const];
      return definition === undefined ? [] : [{ definition: shown(definition), from: 'claim', visible, claim } as const];
    });
  return { cluster: stored.cluster, name: stored.name, stored, types: [...own, ...claimed, bindingsType(stored, claims.find(isBindings))] };
}

/** Whether a type is bound anywhere on this shard: before that its lists are not there. */
export function isBoundHere(view: ShardView, { definition }: ExportedType): boolean {
  return view.store
    .bucket(API_BINDINGS.bucket)
    .list({ cluster: '*' })
    .some(({ object }) =>
      boundResourcesOf(object).some(
        ({ group, resource, identityHash }) => boundBucket(group, resource, identityHash) === definition.bucket,
      ),
    );
}

function ownTypes(view: ShardView, { object, cluster, name }: StoredObject): readonly ExportedType[] {
  const identityHash = stringAt(object, 'status', 'identityHash');
  if (identityHash === undefined) return [];
  return arrayAt(object, 'spec', 'resources').flatMap((resource) => {
    const schema = view.find(API_RESOURCE_SCHEMAS.bucket, cluster, stringAt(resource, 'schema') ?? '');
    if (schema === undefined) return [];
    const [group, plural] = [stringAt(resource, 'group') ?? '', stringAt(resource, 'name') ?? ''];
    const origin = { kind: 'bound', exportCluster: cluster, exportName: name, exportPath: cluster, identityHash } as const;
    const definition = definitionFromSchema(schema.object, origin, boundBucket(group, plural, identityHash));
    return [{ definition, from: 'own', visible: [] } as const];
  });
}

// A binding to the export is always shown, other bindings only under a claim. kcp goes by another label where there is none.
function bindingsType({ cluster, name }: StoredObject, claim: PermissionClaim | undefined): ExportedType {
  const type = { definition: API_BINDINGS, from: 'bindings' } as const;
  if (claim === undefined) return { ...type, visible: [{ key: EXPORT_LABEL, operator: 'in', values: [exportHash(cluster, name)] }] };
  const values = [reflexiveHash(), claimHash(claim)];
  return { ...type, visible: [{ key: claimLabelKey(cluster, name), operator: 'in', values }], claim };
}

function isBindings({ group, resource }: PermissionClaim): boolean {
  return group === APIS_GROUP && resource === 'apibindings';
}

// Here even built-ins are shown as custom resources: with apiVersion and kind on every item of a list.
function shown(definition: ResourceDefinition): ResourceDefinition {
  return definition.origin.kind === 'builtin' ? { ...definition, origin: { kind: 'system' }, ...SHOWN } : definition;
}

const SHOWN = { verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] } as const;
