// Admission of workspaces and logical clusters: the type of a workspace, the right to use that type, and fields that only kcp may write.
import { PATH_ANNOTATION, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import { isMasters } from '../authentication/user.js';
import { recordAt, sameJson, stringAt, stringsAt, valueAt, withAnnotations } from '../json/json.js';
import type { AdmissionRequest } from '../machinery/requests/admission.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { pathOf, type ShardView } from '../kcp/shards/shard-view.js';
import { CORE_GROUP, TENANCY_GROUP } from '../kcp/kinds/system-resources.js';
import {
  initializerOf,
  limitAdmits,
  readTypeReference,
  typeClosure,
  type FindType,
  type TypeReference,
} from '../kcp/kinds/workspace-types.js';
import type { StoredObject } from '../storage/stored-object.js';
import { refuse, writes, type AdmissionPlugin } from './admission-chain.js';

/** The annotation with the user who made a workspace. */
export const OWNER_ANNOTATION = 'experimental.tenancy.kcp.io/owner';
/** The annotation that names a logical cluster's type. */
export const TYPE_ANNOTATION = 'internal.tenancy.kcp.io/type';

/** The lookup of workspace types on a shard. */
export function typeFinder(view: ShardView, workspaceTypes: ResourceDefinition): FindType {
  return ({ path, name }) => view.findByPath(workspaceTypes.bucket, path, name);
}

/** Admission of workspaces. */
export function workspaceAdmission(view: ShardView, authorizer: Authorizer, find: FindType): AdmissionPlugin {
  const isWorkspace = (request: AdmissionRequest): boolean => writes(request, TENANCY_GROUP, 'workspaces');
  return {
    mutate: (request, object) => {
      if (!isWorkspace(request) || request.operation !== 'CREATE') return object;
      const owned =
        isMasters(request.user) && object.metadata.annotations?.[OWNER_ANNOTATION] !== undefined ? object : withOwner(object, request);
      return { ...withType(owned, request, view, find), status: { phase: 'Scheduling' } };
    },
    validate: (request) => {
      if (!isWorkspace(request) || request.object === undefined) return [];
      if (request.oldObject === undefined) {
        refuseSystemFields(request, request.object);
        refuseType(request, request.object, { view, authorizer, find });
      } else refuseChange(request, request.object, request.oldObject);
      return [];
    },
  };
}

function withOwner(object: KubeObject, { user }: AdmissionRequest): KubeObject {
  const { username, uid, groups } = user;
  return withAnnotations(object, { [OWNER_ANNOTATION]: JSON.stringify({ username, ...(uid === undefined ? {} : { uid }), groups }) });
}

function withType(object: KubeObject, request: AdmissionRequest, view: ShardView, find: FindType): KubeObject {
  const given = valueAt(object, 'spec', 'type');
  const reference = given === undefined ? defaultType(request, view, find) : readTypeReference(given);
  // A type without a path is looked for in the workspaces above, nearest first.
  const type = reference.path === '' ? findUpwards(reference.name, request, view, find) : find(reference);
  if (type === undefined) {
    const printed = reference.path === '' ? reference.name : `${reference.path}:${reference.name}`;
    throw refuse(request, `Internal error occurred: workspacetypes.tenancy.kcp.io ${JSON.stringify(printed)} not found`);
  }
  return { ...object, spec: { ...recordAt(object, 'spec'), type: { name: type.name, path: canonicalPath(type) } } };
}

function defaultType(request: AdmissionRequest, view: ShardView, find: FindType): TypeReference {
  const parent = parentType(request, view, find);
  const found = valueAt(parent?.object, 'spec', 'defaultChildWorkspaceType');
  if (found !== undefined) return readTypeReference(found, parent?.cluster);
  throw refuse(request, 'spec.defaultChildWorkspaceType of workspace type %s:%s must be set');
}

function parentType(request: AdmissionRequest, view: ShardView, find: FindType): StoredObject | undefined {
  const { cluster } = request;
  const type = view.logicalCluster(cluster)?.object.metadata.annotations?.[TYPE_ANNOTATION];
  if (type !== undefined && !type.includes(':'))
    throw refuse(request, `annotation ${TYPE_ANNOTATION} on LogicalCluster must be in the form of cluster:name`);
  const [path = '', name = ''] = splitLast(type ?? '');
  return find({ path, name });
}

function findUpwards(name: string, { cluster }: AdmissionRequest, view: ShardView, find: FindType): StoredObject | undefined {
  const logicalCluster = view.logicalCluster(cluster);
  const path = logicalCluster === undefined ? cluster : pathOf(logicalCluster.object, cluster);
  const segments = path.split(':');
  for (let length = segments.length; length > 0; length -= 1) {
    const found = find({ path: segments.slice(0, length).join(':'), name });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path under which a type is named. */
export function canonicalPath(type: StoredObject): string {
  return type.object.metadata.annotations?.[PATH_ANNOTATION] ?? type.cluster;
}

function splitLast(text: string): readonly string[] {
  const colon = text.lastIndexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function refuseSystemFields(request: AdmissionRequest, object: KubeObject): void {
  if (isMasters(request.user)) return;
  if (stringAt(object, 'spec', 'cluster') !== undefined) throw refuse(request, 'spec.Cluster can only be set by system privileged users');
  if (stringAt(object, 'spec', 'URL') !== undefined) throw refuse(request, 'spec.URL can only be set by system privileged users');
}

function refuseChange(request: AdmissionRequest, object: KubeObject, previous: KubeObject): void {
  if (isMasters(request.user)) return;
  for (const field of ['cluster', 'URL'] as const) {
    if (!sameJson(valueAt(object, 'spec', field), valueAt(previous, 'spec', field))) {
      throw refuse(request, `spec.${field} can only be changed by system privileged users`);
    }
  }
}

function refuseType(
  request: AdmissionRequest,
  object: KubeObject,
  { view, authorizer, find }: { readonly view: ShardView; readonly authorizer: Authorizer; readonly find: FindType },
): void {
  const type = find(readTypeReference(valueAt(object, 'spec', 'type')));
  if (type === undefined) return;
  const closure = typeClosure(type, find);
  for (const one of closure) {
    const wanted = { kind: 'resource', verb: 'use', group: TENANCY_GROUP, resource: 'workspacetypes', name: one.name } as const;
    if (
      isMasters(request.user) ||
      (authorizer.reaches(request.user, one.cluster) && authorizer.rbacAllows(request.user, one.cluster, wanted))
    )
      continue;
    throw refuse(request, `unable to use workspace type ${canonicalPath(one)}:${one.name}: missing verb='use' permission on workspacetype`);
  }
  const parent = parentType(request, view, find);
  if (parent === undefined) return;
  const parentClosure = typeClosure(parent, find);
  refuseLimits(request, { type, closure, parent, parentClosure, find });
}

interface Limits {
  readonly type: StoredObject;
  readonly closure: readonly StoredObject[];
  readonly parent: StoredObject;
  readonly parentClosure: readonly StoredObject[];
  readonly find: FindType;
}

function refuseLimits(request: AdmissionRequest, { type, closure, parent, parentClosure, find }: Limits): void {
  for (const one of closure) {
    const limit = valueAt(one.object, 'spec', 'limitAllowedParents');
    if (limitAdmits(limit, parentClosure, find)) continue;
    if (valueAt(limit, 'none') === true) throw refuse(request, `workspace type ${initializerOf(type)} cannot have any parent`);
    throw refuse(
      request,
      `workspace type ${initializerOf(one)} only allows [${printTypes(limit)}] parent workspaces, but parent type ${initializerOf(parent)} only implements [${parentClosure.map(initializerOf).join(' ')}]`,
    );
  }
  for (const one of parentClosure) {
    const limit = valueAt(one.object, 'spec', 'limitAllowedChildren');
    if (limitAdmits(limit, closure, find)) continue;
    if (valueAt(limit, 'none') === true) throw refuse(request, `workspace type ${initializerOf(parent)} cannot have any child`);
    throw refuse(
      request,
      `workspace type ${initializerOf(one)} only allows [${printTypes(limit)}] child workspaces, but child type ${initializerOf(type)} only implements [${closure.map(initializerOf).join(' ')}]`,
    );
  }
}

function printTypes(limit: unknown): string {
  const types = valueAt(limit, 'types');
  return Array.isArray(types) ? types.map((one) => `${stringAt(one, 'path') ?? ''}:${stringAt(one, 'name') ?? ''}`).join(' ') : '';
}

/** Only kcp makes and removes logical clusters. Clients may only remove initializers and terminators. */
export function logicalClusterAdmission(): AdmissionPlugin {
  return {
    validate: (request) => {
      const { definition, operation, user, object, oldObject } = request;
      if (definition.group !== CORE_GROUP || definition.resource !== 'logicalclusters') return [];
      const isAdmin = isMasters(user) || user.groups.includes('system:kcp:logical-cluster-admin');
      if (isAdmin) return [];
      if (operation === 'CREATE') throw refuse(request, 'LogicalCluster cannot be created');
      if (operation === 'DELETE') {
        if (valueAt(oldObject, 'spec', 'directlyDeletable') === true) return [];
        throw refuse(request, 'LogicalCluster cannot be deleted');
      }
      if (object !== undefined && oldObject !== undefined) refuseLogicalClusterChange(request, object, oldObject);
      return [];
    },
  };
}

function refuseLogicalClusterChange(request: AdmissionRequest, object: KubeObject, previous: KubeObject): void {
  if (!sameJson(stringsAt(object, 'spec', 'initializers'), stringsAt(previous, 'spec', 'initializers'))) {
    throw refuse(request, 'spec.initializers is immutable');
  }
  const before = stringsAt(previous, 'status', 'initializers');
  if (stringsAt(object, 'status', 'initializers').some((one) => !before.includes(one)))
    throw refuse(request, 'status.initializers must not grow');
  const [from, to] = [stringAt(previous, 'status', 'phase') ?? '', stringAt(object, 'status', 'phase') ?? ''];
  if (to === 'Ready' && from !== to && stringsAt(object, 'status', 'initializers').length > 0)
    throw refuse(request, 'status.initializers is not empty');
  if (PHASES.indexOf(to) < PHASES.indexOf(from))
    throw refuse(request, `cannot transition from ${JSON.stringify(from)} to ${JSON.stringify(to)}`);
}

const PHASES = ['Scheduling', 'Initializing', 'Ready'];
