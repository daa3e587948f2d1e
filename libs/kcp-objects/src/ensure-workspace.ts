// Workspaces from the top down. A fresh workspace is answered with 403 by the front-proxy until its index knows it, so "Ready" alone is not
// enough to go on: the LogicalCluster inside must answer too.
import { isKcpError, type Clock, type Connection, type KcpError, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  clusterOf,
  parseLogicalClusterName,
  splitWorkspacePath,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { deleteIfExists, ensureObject, getIfExists } from './ensure-object.js';
import { judgeRefusals, type IsLasting } from './lasting-refusal.js';
import { LOGICAL_CLUSTERS, WORKSPACES } from './kcp-types.js';
import { until } from './until.js';
import { hasMaker, readProgress, WITHOUT_OWNER } from './workspace-progress.js';

/** kcp makes a workspace in 1 to 3 s; a busy one takes several times that. */
export const READY_WITHIN_MS = 60_000;

/** A workspace that exists. */
export interface EnsuredWorkspace {
  readonly cluster: LogicalClusterName;
  readonly created: boolean;
}

interface Options {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The shard to put a new workspace on; an existing one stays where it is. */
  readonly shard?: string;
  /** Told as soon as the workspace was made, before it is ready: it is there to be removed from now on. */
  readonly onCreated?: (path: WorkspacePath) => void;
}

/** Makes sure that the workspace exists and answers. Its parent must exist. */
export async function ensureWorkspace(connection: Connection, path: WorkspacePath, options: Options): Promise<EnsuredWorkspace> {
  const split = splitWorkspacePath(path);
  if (split === undefined) return { cluster: rootCluster(path), created: false };
  const parent = connection.cluster(split.parent);
  const found = await getIfExists(parent, WORKSPACES, { name: split.name }, options);
  if (found?.metadata.deletionTimestamp !== undefined) throw new Error(`workspace "${path}" is being deleted: wait until it is gone`);
  if (found === undefined) {
    await refuseWithoutOwner(connection, path, options);
    const ensured = await ensureObject(parent, WORKSPACES, newWorkspace(split.name, options.shard), options);
    if (ensured === 'created') options.onCreated?.(path);
  }
  const isLasting = judgeRefusals(connection.cluster(path), options);
  const probe = (each: Pick<Options, 'signal'>) =>
    probeWorkspace(connection, path, { ...each, isLasting: (error) => isLasting(error, found) });
  const patience = { ...options, timeoutMs: READY_WITHIN_MS };
  const cluster = await until(`workspace "${path}" getting ready`, probe, patience);
  return { cluster, created: found === undefined };
}

/** Deletes a workspace and waits until kcp has torn it down; whether there was one. */
export async function removeWorkspace(connection: Connection, path: WorkspacePath, options: Options): Promise<boolean> {
  const split = splitWorkspacePath(path);
  if (split === undefined) throw new Error(`workspace "${path}" cannot be deleted`);
  const parent = connection.cluster(split.parent);
  if (!(await deleteIfExists(parent, WORKSPACES, { name: split.name }, options))) return false;
  await until(
    `the end of workspace "${path}"`,
    async (each) =>
      (await getIfExists(parent, WORKSPACES, { name: split.name }, each)) ? { waitingFor: 'it still exists' } : { done: true },
    { ...options, timeoutMs: READY_WITHIN_MS },
  );
  return true;
}

/** A workspace without an owner never gets ready, and stays in the way of others. kcp says in advance whether it would keep one of these credentials. */
export async function refuseWithoutOwner(connection: Connection, path: WorkspacePath, { signal }: Stoppable): Promise<void> {
  const split = splitWorkspacePath(path);
  if (split === undefined) return;
  try {
    const tried = await connection.cluster(split.parent).create(WORKSPACES, newWorkspace(split.name, undefined), { signal, dryRun: true });
    if (!hasMaker(tried)) throw new Error(`workspace "${path}" cannot be made: ${WITHOUT_OWNER}`);
  } catch (error) {
    if (!isKcpError(error, 'already-exists')) throw error;
  }
}

async function probeWorkspace(
  connection: Connection,
  path: WorkspacePath,
  { isLasting, ...options }: Stoppable & { readonly isLasting: IsLasting },
) {
  try {
    const inside: KubeObject = await connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options);
    const cluster = clusterOf(inside);
    if (!cluster.ok) throw new Error(cluster.problem);
    const progress = readProgress(path, inside);
    if (progress.state === 'stuck') throw new Error(progress.problem);
    return progress.state === 'ready' ? { done: cluster.value } : { waitingFor: progress.saying };
  } catch (error) {
    if (isNotThereYet(error) && !(await isLasting(error))) return { waitingFor: error.message };
    throw error;
  }
}

/** Whether an answer about something made a moment ago may only mean that not every part of kcp knows it yet. */
export function isNotThereYet(error: unknown): error is KcpError {
  return isKcpError(error) && (error.retryable || ['forbidden', 'not-found'].includes(error.code));
}

function newWorkspace(name: string, shard: string | undefined): KubeObject {
  return {
    apiVersion: 'tenancy.kcp.io/v1alpha1',
    kind: 'Workspace',
    metadata: { name },
    spec: {
      type: { name: 'universal', path: 'root' },
      ...(shard === undefined ? {} : { location: { selector: { matchLabels: { name: shard } } } }),
    },
  };
}

function rootCluster(path: WorkspacePath): LogicalClusterName {
  const name = parseLogicalClusterName(path);
  if (!name.ok) throw new Error(name.problem);
  return name.value;
}
