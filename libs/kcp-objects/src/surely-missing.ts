// Finds out whether a workspace certainly does not exist. kcp answers 403 or 404 in three cases: the workspace does not exist, the credentials may not enter
// it, or it was made a moment ago. Only a parent that answers and has no Workspace of that name is a proof. Otherwise there is a doubt, and the caller should
// wait.
import { isAbsent, isKcpError, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  parseWorkspacePath,
  splitWorkspacePath,
  type GroupResource,
  type GroupVersionResource,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS, WORKSPACES } from './kcp-types.js';

/** What came of asking for one object: `refused` says nothing about the object. */
export type Asking = 'found' | 'absent' | 'refused';

/** What is known of a workspace; `path` is what is missing, the workspace or one above it. */
export type Sighting =
  { readonly state: 'there' } | { readonly state: 'missing'; readonly path: WorkspacePath } | { readonly state: 'in-doubt' };

/** Looks for the Workspace in its parent, and where that is refused for the parent in its own. Throws when kcp does not answer at all. */
export async function lookForWorkspace(
  connection: Connection,
  address: LogicalClusterName | WorkspacePath,
  options: Stoppable,
): Promise<Sighting> {
  const path = parseWorkspacePath(address);
  if (!path.ok) return { state: 'in-doubt' };
  const askings: { readonly path: WorkspacePath; readonly asking: Asking }[] = [];
  for (let at: WorkspacePath | undefined = path.value; at !== undefined; at = splitWorkspacePath(at)?.parent) {
    const asking = await askForWorkspace(connection, at, options);
    askings.push({ path: at, asking });
    if (asking !== 'refused') break;
  }
  return sightingOf(askings);
}

/** Asks for one object by its name. Throws when kcp does not answer at all. */
export async function askFor(client: ClusterClient, type: GroupVersionResource, name: string, options: Stoppable): Promise<Asking> {
  try {
    await client.get(type, { name }, options);
    return 'found';
  } catch (error) {
    return readFailure(error, type, name);
  }
}

/** Whether kcp answered as it does of workspaces that do not exist, and of others. */
export function isRefusal(error: unknown): boolean {
  return isKcpError(error, 'forbidden', 'not-found', 'not-served');
}

/** What a failed get says of the object. Throws what is no answer. */
export function readFailure(error: unknown, type: GroupResource, name: string): Asking {
  if (isAbsent(error, type, name)) return 'absent';
  if (isRefusal(error) || isKcpError(error, 'throttled', 'unavailable', 'server-error')) return 'refused';
  throw error;
}

/** What follows from the answers for the workspace, its parent and so on upwards. Pure. */
export function sightingOf(askings: readonly { readonly path: WorkspacePath; readonly asking: Asking }[]): Sighting {
  if (askings[0]?.asking === 'found') return { state: 'there' };
  const told = askings.find(({ asking }) => asking !== 'refused');
  return told?.asking === 'absent' ? { state: 'missing', path: told.path } : { state: 'in-doubt' };
}

/** A path of one segment has no parent that could tell; it is the name of a logical cluster, and a user who may enter finds this object inside. */
function askForWorkspace(connection: Connection, path: WorkspacePath, options: Stoppable): Promise<Asking> {
  const split = splitWorkspacePath(path);
  return split === undefined
    ? askFor(connection.cluster(path), LOGICAL_CLUSTERS, 'cluster', options)
    : askFor(connection.cluster(split.parent), WORKSPACES, split.name, options);
}
