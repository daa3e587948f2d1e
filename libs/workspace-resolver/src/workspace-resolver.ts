/*
 * Workspace path to logical cluster, by asking kcp for that path: the LogicalCluster behind it, and where that is refused the Workspace objects
 * from the first segment on, which say which one is missing or closed. Nothing is remembered: a workspace made again under its path is
 * noticed by the next question.
 */
import {
  clusterOf,
  isRecord,
  nameOfPath,
  parseLogicalClusterName,
  splitWorkspacePath,
  type GroupVersionResource,
  type KubeObject,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { isAbsent, isKcpError, type Connection } from '@dep-ctrl/kcp-client';
import { forbiddenIn, type Resolution } from './resolution.js';

/** What a `WorkspaceResolver` needs. */
export interface WorkspaceResolverDependencies {
  readonly connection: Pick<Connection, 'cluster'>;
}

/** How to ask. */
export interface ResolveOptions {
  readonly signal: AbortSignal;
}

const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const LOGICAL_CLUSTERS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

/** Resolves workspace paths at any depth. */
export class WorkspaceResolver {
  readonly #connection: Pick<Connection, 'cluster'>;

  constructor({ connection }: WorkspaceResolverDependencies) {
    this.#connection = connection;
  }

  /** What the path means now. Throws only the reason of an aborted signal. */
  async resolve(path: WorkspacePath, options: ResolveOptions): Promise<Resolution> {
    const name = nameOfPath(path);
    if (name !== undefined) return { state: 'found', cluster: name, from: 'name', terminating: false };
    const direct = await this.#readLogicalCluster(path, options);
    return direct === 'closed' || direct === 'unknown' ? this.#walk(path, direct, options) : direct;
  }

  async #readLogicalCluster(path: WorkspacePath, options: ResolveOptions): Promise<Resolution | 'closed' | 'unknown'> {
    try {
      const object = await this.#connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options);
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

  /** From the first segment on: the first one that is missing, or that may not be read, is the answer. */
  async #walk(path: WorkspacePath, direct: 'closed' | 'unknown', options: ResolveOptions): Promise<Resolution> {
    let last: Resolution = { state: 'missing', path };
    for (const step of stepsTo(path)) {
      last = await this.#readWorkspace(step, direct, options);
      if (last.state !== 'found') return last;
    }
    return last;
  }

  async #readWorkspace(path: WorkspacePath, direct: 'closed' | 'unknown', { signal }: ResolveOptions): Promise<Resolution> {
    const split = splitWorkspacePath(path);
    if (split === undefined) return { state: 'missing', path };
    try {
      return fromWorkspace(await this.#connection.cluster(split.parent).get(WORKSPACES, { name: split.name }, { signal }));
    } catch (error) {
      if (isAbsent(error, WORKSPACES, split.name)) return { state: 'missing', path };
      if (isRefusal(error)) return forbiddenIn(split.parent, { isUnknown: direct === 'unknown' });
      return { state: 'unreachable', problem: problemOf(error), retryable: true };
    }
  }
}

/** `root:a`, `root:a:b` and so on, to the path itself. */
function stepsTo(path: WorkspacePath): readonly WorkspacePath[] {
  const steps: WorkspacePath[] = [];
  for (let step: WorkspacePath | undefined = path; step !== undefined && nameOfPath(step) === undefined;) {
    steps.unshift(step);
    step = splitWorkspacePath(step)?.parent;
  }
  return steps;
}

/** Reads the parts of a Workspace that matter here. Unknown shapes have no cluster. */
function fromWorkspace(workspace: KubeObject): Resolution {
  const spec = isRecord(workspace['spec']) ? workspace['spec'] : {};
  const notThere = (problem: string): Resolution => ({ state: 'unreachable', problem, retryable: true });
  if (isRecord(spec['mount'])) return notThere('it is a mount: its content lives elsewhere');
  const cluster = parseLogicalClusterName(typeof spec['cluster'] === 'string' ? spec['cluster'] : '');
  if (!cluster.ok) return notThere('kcp has not scheduled it yet');
  const { uid, deletionTimestamp } = workspace.metadata;
  const terminating = deletionTimestamp !== undefined;
  return { state: 'found', cluster: cluster.value, from: 'workspaces', terminating, ...(uid !== undefined && { uid }) };
}

/** kcp says "forbidden" (front-proxy) or "not found" (shard) for a workspace that is unknown or closed to the caller. */
function isRefusal(error: unknown): boolean {
  return isKcpError(error, 'forbidden', 'not-found', 'not-served');
}

/** A shard's answer for a path that is not in its index, as none is while it starts; it comes before the shard checks the rights of the caller. */
function saysUnknown(error: unknown): boolean {
  return isKcpError(error, 'not-served') && error.statusBody?.details?.kind === WORKSPACES.resource;
}

function problemOf(error: unknown): string {
  if (isKcpError(error) && error.code !== 'aborted') return error.message;
  throw error;
}
