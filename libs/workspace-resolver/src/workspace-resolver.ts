/*
 * Workspace path to logical cluster, in the order of what it costs: a live map that the caller keeps (no request), the Workspace
 * objects of the parent (one list for all its children, handed out for `staleAfterMs`), the LogicalCluster at the path itself.
 * Only where the parent may not be read is the path above it looked at, to say which segment is missing or forbidden.
 * A mapping is never older than `staleAfterMs`: a workspace made again under the same path is noticed.
 */
import {
  clusterOf,
  nameOfPath,
  splitWorkspacePath,
  type GroupVersionResource,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { isKcpError, listAll, type Clock, type Connection } from '@dep-ctrl/kcp-client';
import { seenWorkspace, type ParentReading, type SeenWorkspace } from './parent-reading.js';
import { forbiddenIn, type Resolution } from './resolution.js';
import { SharedReads } from './shared-reads.js';

/** What a `WorkspaceResolver` needs. */
export interface WorkspaceResolverDependencies {
  readonly connection: Connection;
  readonly clock: Clock;
  /** What the caller knows without asking, from APIBindings for example. */
  readonly liveMap?: (path: WorkspacePath) => LogicalClusterName | undefined;
  /** How old an answer may be. */
  readonly staleAfterMs?: number;
}

/** How to ask. */
export interface ResolveOptions {
  readonly signal: AbortSignal;
  /** Not what was read before this question. */
  readonly fresh?: boolean;
}

const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const LOGICAL_CLUSTERS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

/** Resolves workspace paths at any depth. One per process: questions for the same parent share one request. */
export class WorkspaceResolver {
  readonly #connection: Connection;
  readonly #liveMap: (path: WorkspacePath) => LogicalClusterName | undefined;
  readonly #parents: SharedReads<WorkspacePath, ParentReading>;

  constructor({ connection, clock, liveMap = () => undefined, staleAfterMs = 30_000 }: WorkspaceResolverDependencies) {
    this.#connection = connection;
    this.#liveMap = liveMap;
    this.#parents = new SharedReads({
      clock,
      staleAfterMs,
      read: (parent, options) => this.#readParent(parent, options),
      keeps: ({ state }) => state === 'listed',
    });
  }

  /** What the path means now. Throws only the reason of an aborted signal. */
  async resolve(path: WorkspacePath, options: ResolveOptions): Promise<Resolution> {
    const live = nameOfPath(path) === undefined ? this.#liveMap(path) : undefined;
    return live === undefined ? this.inspect(path, options) : { state: 'found', cluster: live, from: 'live-map', terminating: false };
  }

  /** As `resolve`, but asks kcp even where the live map knows: whether a workspace is being deleted stands nowhere else. */
  async inspect(path: WorkspacePath, options: ResolveOptions): Promise<Resolution> {
    const split = splitWorkspacePath(path);
    if (split === undefined) return namedBy(path);
    const reading = await this.#parents.ask(split.parent, options);
    switch (reading.state) {
      case 'listed':
        return fromWorkspace(path, reading.workspaces.get(split.name));
      case 'refused':
        return this.#withoutParent(path, split.parent, options);
      case 'unreachable':
        return { state: 'unreachable', problem: reading.problem, retryable: true };
      default:
        return reading satisfies never;
    }
  }

  /** The parent may not be read: the LogicalCluster itself, else the first segment that says why. */
  async #withoutParent(path: WorkspacePath, parent: WorkspacePath, options: ResolveOptions): Promise<Resolution> {
    const direct = await this.#readLogicalCluster(path, options);
    if (direct !== 'closed' && direct !== 'unknown') return direct;
    const above = await this.resolve(parent, options);
    return above.state === 'found' ? forbiddenIn(parent, { isUnknown: direct === 'unknown' }) : above;
  }

  async #readParent(parent: WorkspacePath, { signal }: { readonly signal: AbortSignal }): Promise<ParentReading> {
    try {
      const { objects } = await listAll(this.#connection.cluster(parent), WORKSPACES, {}, { signal });
      return { state: 'listed', workspaces: new Map(objects.map((object) => [object.metadata.name ?? '', seenWorkspace(object)])) };
    } catch (error) {
      return isRefusal(error) ? { state: 'refused' } : { state: 'unreachable', problem: problemOf(error) };
    }
  }

  async #readLogicalCluster(path: WorkspacePath, { signal }: ResolveOptions): Promise<Resolution | 'closed' | 'unknown'> {
    try {
      const object = await this.#connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, { signal });
      const cluster = clusterOf(object);
      if (!cluster.ok) return { state: 'unreachable', problem: cluster.problem, retryable: true };
      const { uid, deletionTimestamp } = object.metadata;
      const terminating = deletionTimestamp !== undefined;
      return { state: 'found', cluster: cluster.value, from: 'logicalcluster', terminating, ...(uid !== undefined && { uid }) };
    } catch (error) {
      if (!isRefusal(error)) return { state: 'unreachable', problem: problemOf(error), retryable: true };
      return saysUnknown(error) ? 'unknown' : 'closed';
    }
  }
}

function namedBy(path: WorkspacePath): Resolution {
  const cluster = nameOfPath(path);
  return cluster === undefined ? { state: 'missing', path } : { state: 'found', cluster, from: 'name', terminating: false };
}

function fromWorkspace(path: WorkspacePath, workspace: SeenWorkspace | undefined): Resolution {
  if (workspace === undefined) return { state: 'missing', path };
  if (workspace.state === 'no-cluster') return { state: 'unreachable', problem: workspace.problem, retryable: true };
  const { cluster, terminating, uid } = workspace;
  return { state: 'found', cluster, from: 'workspaces', terminating, ...(uid !== undefined && { uid }) };
}

/** kcp says "forbidden" (front-proxy) or "not found" (shard) for a workspace that is unknown or closed to the caller. */
function isRefusal(error: unknown): boolean {
  return isKcpError(error, 'forbidden', 'not-found');
}

/** A shard's answer for a path that is in no index of its own, before it asks who wants to know. */
function saysUnknown(error: unknown): boolean {
  return isKcpError(error, 'not-found') && error.statusBody?.details?.kind === WORKSPACES.resource;
}

function problemOf(error: unknown): string {
  if (isKcpError(error) && error.code !== 'aborted') return error.message;
  throw error;
}
