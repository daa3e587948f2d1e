import { compareText, entryOf, nameOfPath, pruneEntry, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** The meaning of a path: a cluster; `missing`: no such workspace exists, which is proven; `unknown`: not resolved yet. */
export type PathResolution = LogicalClusterName | 'missing' | 'unknown';

/** Whether a path names a workspace, as far as is known. */
export function isCluster(resolution: PathResolution): resolution is LogicalClusterName {
  return resolution !== 'missing' && resolution !== 'unknown';
}

/**
 * Which workspace a path names, as kcp answered when it was asked for that path. Nothing else counts: the path that an object carries is
 * written by the admin of its workspace.
 */
export interface PathAnswers {
  /** What the path names. */
  clusterOf(path: WorkspacePath): PathResolution;
  /** A path that names the cluster, where one was asked for. */
  pathOf(cluster: LogicalClusterName): WorkspacePath | undefined;
}

/** The answers of kcp about paths, and the workspaces that bind the export. */
export class WorkspaceMap implements PathAnswers {
  readonly #bound = new Map<string, Set<LogicalClusterName>>();
  readonly #clusterOf = new Map<WorkspacePath, LogicalClusterName | 'missing'>();
  readonly #pathsOf = new Map<PathResolution, Set<WorkspacePath>>();
  #version = 0;

  /** Differs after every change of an answer about a path. */
  get version(): number {
    return this.#version;
  }

  clusterOf(path: WorkspacePath): PathResolution {
    return nameOfPath(path) ?? this.#clusterOf.get(path) ?? 'unknown';
  }

  pathOf(cluster: LogicalClusterName): WorkspacePath | undefined {
    return [...(this.#pathsOf.get(cluster) ?? [])].toSorted(fromRootFirst)[0];
  }

  /** Every path that names the cluster, its own name included. */
  pathsOf(cluster: LogicalClusterName): readonly WorkspacePath[] {
    // A name without a colon is a path of one segment.
    const itself = cluster.includes(':') ? [] : [cluster as string as WorkspacePath];
    return [...itself, ...(this.#pathsOf.get(cluster) ?? [])];
  }

  /**
   * Whether paths that are not resolved may turn out to name the cluster. A workspace has one path that begins at the root, and keeps it: where that one is
   * known, no other of the kind names it.
   */
  mayBeNamed(cluster: LogicalClusterName): (path: WorkspacePath) => boolean {
    const isPathKnown = this.pathsOf(cluster).some(isFromRoot);
    return (path) => !isPathKnown || !isFromRoot(path);
  }

  /** The answers as they are now, unchanged by later writes. */
  copy(): PathAnswers {
    const copy = new WorkspaceMap();
    for (const [path, resolution] of this.#clusterOf) copy.setResolved(path, resolution);
    return copy;
  }

  /** The workspaces that an endpoint shows. */
  boundAt(endpoint: string): ReadonlySet<LogicalClusterName> {
    return this.#bound.get(endpoint) ?? NOBODY;
  }

  /** Whether any endpoint shows the workspace. */
  isBound(cluster: LogicalClusterName): boolean {
    return [...this.#bound.values()].some((clusters) => clusters.has(cluster));
  }

  /** Sets whether an endpoint shows a workspace. Answers whether that changed. */
  setBound(endpoint: string, cluster: LogicalClusterName, isBound: boolean): boolean {
    const clusters = this.#bound.get(endpoint) ?? new Set<LogicalClusterName>();
    this.#bound.set(endpoint, clusters);
    if (clusters.has(cluster) === isBound) return false;
    if (isBound) clusters.add(cluster);
    else clusters.delete(cluster);
    return true;
  }

  /** Sets what kcp answered for a path. Answers whether that changed. A path of one segment is a name and needs no answer. */
  setResolved(path: WorkspacePath, resolution: PathResolution): boolean {
    const before = this.#clusterOf.get(path) ?? 'unknown';
    if (before === resolution || nameOfPath(path) !== undefined) return false;
    this.#version++;
    pruneEntry(this.#pathsOf, before, (paths) => paths.delete(path));
    if (resolution === 'unknown') this.#clusterOf.delete(path);
    else this.#clusterOf.set(path, resolution);
    if (isCluster(resolution)) entryOf(this.#pathsOf, resolution, () => new Set<WorkspacePath>()).add(path);
    return true;
  }
}

const NOBODY: ReadonlySet<LogicalClusterName> = new Set();

/** A workspace has one path from the root, and may be reached by others, such as one that begins with the name of a cluster. */
function fromRootFirst(a: WorkspacePath, b: WorkspacePath): number {
  return Number(isFromRoot(b)) - Number(isFromRoot(a)) || compareText(a, b);
}

function isFromRoot(path: WorkspacePath): boolean {
  return path === 'root' || path.startsWith('root:');
}
