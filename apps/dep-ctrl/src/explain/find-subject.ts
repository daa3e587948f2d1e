// What `resource/name` means in a workspace: which bound type, which exporting workspace, which object.
import { isKcpError, listAll, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import {
  parseLogicalClusterName,
  printGroupResource,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { UsageError } from '../cli/command.js';
import { API_BINDINGS } from '../kcp-objects/types.js';

/** What is asked about. */
export interface SubjectQuery {
  readonly resource: string;
  readonly group?: string;
  readonly name: string;
  readonly namespace: string;
}

/** The object, its type, and the workspace whose configuration kcp would ask. */
export interface FoundSubject {
  readonly type: GroupVersionResource;
  readonly guardedCluster: LogicalClusterName;
  readonly object: KubeObject;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Finds the object through the bindings of its workspace. Throws with what to write instead when there is no such type, or several. */
export async function findSubject(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  query: SubjectQuery,
  options: Options,
): Promise<FoundSubject> {
  const client = connection.cluster(workspace);
  const { objects } = await listAll(client, API_BINDINGS, {}, options);
  const bound = chooseBound(objects.flatMap(boundTypes), query);
  const version = await preferredVersion(connection, workspace, bound.group, options);
  const type = { group: bound.group, version, resource: bound.resource };
  return { type, guardedCluster: bound.exporter, object: await getAnyScope(client, type, query, options) };
}

/** A type that a binding serves, and the workspace that exports it. */
export interface BoundType {
  readonly group: string;
  readonly resource: string;
  readonly exporter: LogicalClusterName;
}

/** The one bound type that the query names. Pure. */
export function chooseBound(types: readonly BoundType[], { resource, group }: SubjectQuery): BoundType {
  const named = types.filter((type) => type.resource === resource && (group === undefined || type.group === group));
  const [only, ...others] = named;
  if (only === undefined) {
    throw new Error(
      `no export that this workspace binds serves ${printGroupResource({ resource, group: group ?? '' })}, so no rule can guard it`,
    );
  }
  if (others.length === 0) return only;
  throw new UsageError(
    `RESOURCE must say which group it means: ${named
      .map((type) => printGroupResource(type))
      .sort()
      .join(' or ')}`,
  );
}

/** The types that a binding serves; none while it is not bound. */
export function boundTypes(binding: KubeObject): readonly BoundType[] {
  const { apiExportClusterName = '', boundResources = [] } = (binding['status'] ?? {}) as {
    readonly apiExportClusterName?: string;
    readonly boundResources?: readonly { readonly group?: string; readonly resource?: string }[];
  };
  const exporter = parseLogicalClusterName(apiExportClusterName);
  if (!exporter.ok) return [];
  return boundResources.map(({ group = '', resource = '' }) => ({ group, resource, exporter: exporter.value }));
}

/** The version of a group that the workspace's discovery prefers. */
export async function preferredVersion(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  group: string,
  options: Options,
): Promise<string> {
  const url = `${connection.baseUrl}/clusters/${workspace}/apis/${group}`;
  const { body } = await connection.request({ method: 'GET', url, asked: `discover ${group} in "${workspace}"` }, options);
  const { preferredVersion: preferred } = JSON.parse(body.toString('utf8')) as {
    readonly preferredVersion?: { readonly version?: string };
  };
  if (preferred?.version === undefined) throw new Error(`workspace "${workspace}" serves no version of ${group}`);
  return preferred.version;
}

// Only discovery would tell the scope; asking in the namespace first costs one request for what is cluster-scoped.
async function getAnyScope(client: ClusterClient, type: GroupVersionResource, query: SubjectQuery, options: Options): Promise<KubeObject> {
  const { name, namespace } = query;
  try {
    return await client.get(type, { name, namespace }, options);
  } catch (error) {
    if (!isKcpError(error, 'not-found', 'not-served')) throw error;
    return client.get(type, { name }, options).catch(() => {
      throw error;
    });
  }
}
