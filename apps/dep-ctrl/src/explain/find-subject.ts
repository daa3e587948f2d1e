// What `resource/name` means in a workspace: which bound type, which exporting workspace, which object.
import { isAbsent, isKcpError, listAll, type ClusterClient, type Connection, type KcpError, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  printGroupResource,
  type GroupResource,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
} from '@dep-ctrl/kcp-names';
import { API_BINDINGS, inside, type NamedWorkspace } from '@dep-ctrl/kcp-objects';
import { boundResourcesOf, exporterIn, isNameOf, servedTypes, versionServing } from '@dep-ctrl/exported-types';
import { UsageError } from '@dep-ctrl/command-settings';

/** The name of a workspace that nobody gave. */
export const OF_KUBECONFIG = 'of the kubeconfig';

/** What is asked about. */
export interface SubjectQuery {
  /** A plural, or any other name that kubectl takes for one. */
  readonly resource: string;
  readonly version?: string;
  readonly group?: string;
  readonly name: string;
  readonly namespace: string;
}

/** The object and its type, and the workspace that exports it; a type of kcp itself is exported by none, and no rule can guard it. */
export type FoundObject = Omit<FoundSubject, 'guardedCluster'> & { readonly guardedCluster: LogicalClusterName | undefined };

/** The object, its type, and the workspace whose configuration kcp would ask. */
export interface FoundSubject {
  readonly type: GroupVersionResource;
  readonly guardedCluster: LogicalClusterName;
  readonly object: KubeObject;
}

/** Finds the object: what a binding serves under that plural, else what discovery knows by that name. Throws when there is no such type, or several. */
export async function findSubject(
  connection: Connection,
  named: NamedWorkspace,
  query: SubjectQuery,
  options: Stoppable,
): Promise<FoundObject> {
  const { path: workspace } = named;
  const client = connection.cluster(workspace);
  const { objects } = await inside(connection, named, () => listAll(client, API_BINDINGS, {}, options), options);
  const bound = objects.flatMap(boundTypes);
  const type = await typeOf(connection, named, bound, query, options);
  const exporter = bound.find(({ group, resource }) => group === type.group && resource === type.resource)?.exporter;
  return { type, guardedCluster: exporter, object: await getAnyScope(client, type, query, options) };
}

async function typeOf(
  connection: Connection,
  { path: workspace, by }: NamedWorkspace,
  bound: readonly BoundType[],
  query: SubjectQuery,
  options: Stoppable,
): Promise<GroupVersionResource> {
  const exact = chooseType(bound, query, (type) => type.resource === query.resource);
  if (exact !== undefined) {
    const { group, resource } = exact;
    const version = query.version ?? (await versionServing(connection, workspace, exact, options));
    if (version === undefined) throw new Error(`workspace "${workspace}" serves ${printGroupResource(exact)} in no version`);
    return { group, version, resource };
  }
  const served = await servedTypes(connection, workspace, options);
  const { version } = query;
  const chosen = chooseType(
    served.filter((type) => version === undefined || type.version === version),
    query,
    (type) => isNameOf(query.resource, type),
  );
  if (chosen !== undefined) return { group: chosen.group, version: chosen.version, resource: chosen.resource };
  const asked = [query.resource, version, query.group].filter((part) => part !== undefined).join('.');
  const elsewhere = by === OF_KUBECONFIG ? '; if the object is in another workspace, give --workspace PATH' : '';
  throw new Error(
    `workspace "${workspace}" serves no type ${JSON.stringify(asked)}: kubectl api-resources lists those that it serves${elsewhere}`,
  );
}

/** A type that a binding serves, and the workspace that exports it. */
export interface BoundType {
  readonly group: string;
  readonly resource: string;
  readonly exporter: LogicalClusterName;
}

/** The one type that the query names; undefined when there is none. Throws when several groups have one. Pure. */
export function chooseType<T extends GroupResource>(
  types: readonly T[],
  { group }: SubjectQuery,
  isNamed: (type: T) => boolean,
): T | undefined {
  const named = types.filter((type) => isNamed(type) && (group === undefined || type.group === group));
  const groups = [...new Set(named.map((type) => printGroupResource(type)))].sort();
  if (groups.length > 1) throw new UsageError(`RESOURCE must say which group it means: ${groups.join(' or ')}`);
  return named[0];
}

/** The types that a binding serves; none while it is not bound. */
export function boundTypes(binding: KubeObject): readonly BoundType[] {
  const exporter = exporterIn(binding);
  if (exporter === undefined) return [];
  return boundResourcesOf(binding).map(({ group, resource }) => ({ group, resource, exporter }));
}

// Only discovery would tell the scope; asking in the namespace first costs one request for what is cluster-scoped.
async function getAnyScope(
  client: ClusterClient,
  type: GroupVersionResource,
  query: SubjectQuery,
  options: Stoppable,
): Promise<KubeObject> {
  const { name, namespace } = query;
  try {
    return await client.get(type, { name, namespace }, options);
  } catch (error) {
    if (!isKcpError(error, 'not-found', 'not-served')) throw error;
    return getWithoutNamespace(client, type, query, { ...options, inNamespace: error });
  }
}

/** kcp has no such path for a type of the other scope, and says so in other words than of an object that is not there. */
async function getWithoutNamespace(
  client: ClusterClient,
  type: GroupVersionResource,
  { name, namespace }: SubjectQuery,
  { inNamespace, signal }: Stoppable & { readonly inNamespace: KcpError },
): Promise<KubeObject> {
  try {
    return await client.get(type, { name }, { signal });
  } catch (error) {
    if (!isKcpError(error, 'not-found', 'not-served')) throw isAbsent(inNamespace, type, name) ? inNamespace : error;
    const where = isAbsent(error, type, name) ? '' : ` in namespace "${namespace}"`;
    if (where !== '' && !isAbsent(inNamespace, type, name)) throw inNamespace;
    throw new Error(`there is no ${printGroupResource(type)} "${name}"${where}`);
  }
}
