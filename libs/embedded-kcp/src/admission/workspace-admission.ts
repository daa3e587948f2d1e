// Admission of workspaces and logical clusters: the type of a workspace, the right to use that type, and fields that only kcp may write.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import { isMasters } from '../authentication/user.js';
import { recordAt, sameJson, stringAt, stringsAt, valueAt, withAnnotations, withLabels } from '../json/json.js';
import type { AdmissionRequest } from '../machinery/requests/admission.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { pathOf, type ShardView } from '../kcp/shards/shard-view.js';
import { CORE_GROUP, TENANCY_GROUP } from '../kcp/kinds/system-resources.js';
import { limitProblem, type NamedType } from '../kcp/kinds/workspace-type-limits.js';
import {
  additionalLabelsOf,
  BrokenType,
  canonicalPath,
  qualifiedName,
  readTypeReference,
  resolveType,
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
      // kcp keeps nobody as the owner of what system:masters make; they may name one.
      const owned = isMasters(request.user) ? object : withOwner(object, request);
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
  const type = resolveType(reference, parentPath(request, view), find);
  if (type === undefined) {
    const printed = reference.path === '' ? reference.name : `${reference.path}:${reference.name}`;
    throw refuse(request, `Internal error occurred: workspacetypes.tenancy.kcp.io ${JSON.stringify(printed)} not found`);
  }
  const labelled = withLabels(object, { ...additionalLabelsOf(type), ...object.metadata.labels });
  return { ...labelled, spec: { ...recordAt(object, 'spec'), type: { name: type.name, path: canonicalPath(type) } } };
}

function defaultType(request: AdmissionRequest, view: ShardView, find: FindType): TypeReference {
  const parent = parentType(request, view, find);
  const found = valueAt(parent?.object, 'spec', 'defaultChildWorkspaceType');
  if (found !== undefined) return readTypeReference(found);
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

function parentPath({ cluster }: AdmissionRequest, view: ShardView): string {
  const logicalCluster = view.logicalCluster(cluster);
  return logicalCluster === undefined ? cluster : pathOf(logicalCluster.object, cluster);
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
  const child = named(request, type, find);
  for (const one of child.closure) {
    const wanted = { kind: 'resource', verb: 'use', group: TENANCY_GROUP, resource: 'workspacetypes', name: one.name } as const;
    // A user who may use a type need not have access to its workspace.
    if (authorizer.rbacAllows(request.user, one.cluster, wanted)) continue;
    throw refuse(request, `unable to use workspace type ${qualifiedName(one)}: missing verb='use' permission on workspacetype`);
  }
  const parent = parentType(request, view, find);
  const problem = parent === undefined ? undefined : limitProblem(named(request, parent, find), child);
  if (problem !== undefined) throw refuse(request, problem);
}

function named(request: AdmissionRequest, type: StoredObject, find: FindType): NamedType {
  try {
    return { name: qualifiedName(type), closure: typeClosure(type, find) };
  } catch (error) {
    if (error instanceof BrokenType) throw refuse(request, error.message);
    throw error;
  }
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
