import { nameOfPath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { Relation } from './relation.js';

/** A workspace that binds the export, as an endpoint shows it: kcp puts its cluster and its path on the binding. */
export interface BoundWorkspace {
  readonly cluster: LogicalClusterName;
  readonly path: WorkspacePath;
}

/** What looking a path up said: its cluster; `missing` there is proof that no such workspace exists; `unknown` nobody could tell. */
export type PathResolution = LogicalClusterName | 'missing' | 'unknown';

/** Which workspace a path names. */
export interface PathAnswers {
  /**
   * The clusters that a path may name: none when it is proven missing, several while a workspace is being replaced.
   * Undefined: nobody could tell yet.
   */
  clustersOf(path: WorkspacePath): readonly LogicalClusterName[] | undefined;
  /** The path that kcp gives a cluster, as far as its binding was seen. */
  pathOf(cluster: LogicalClusterName): WorkspacePath | undefined;
}

/** Path to cluster and back, from what endpoints show and what was looked up. What either says counts. */
export class WorkspaceMap implements PathAnswers {
  readonly #bound = new Map<string, Map<LogicalClusterName, WorkspacePath>>();
  readonly #resolved = new Map<WorkspacePath, LogicalClusterName | 'missing'>();
  readonly #names = new Relation<WorkspacePath, LogicalClusterName>();

  clustersOf(path: WorkspacePath): readonly LogicalClusterName[] | undefined {
    const name = nameOfPath(path);
    if (name !== undefined) return [name];
    const clusters = this.#names.rightsOf(path).toSorted();
    return clusters.length > 0 || this.#resolved.has(path) ? clusters : undefined;
  }

  pathOf(cluster: LogicalClusterName): WorkspacePath | undefined {
    const paths = [...this.#bound.values()].flatMap((workspaces) => workspaces.get(cluster) ?? []);
    return paths.toSorted()[0];
  }

  /** The answers as they are now, unchanged by later writes. */
  copy(): PathAnswers {
    const copy = new WorkspaceMap();
    for (const [endpoint, workspaces] of this.#bound) for (const [cluster, path] of workspaces) copy.setBound(endpoint, cluster, path);
    for (const [path, resolution] of this.#resolved) copy.setResolved(path, resolution);
    return copy;
  }

  /** Every path that may name the cluster, its own name included. */
  pathsOf(cluster: LogicalClusterName): readonly WorkspacePath[] {
    // A name without a colon is a path of one segment.
    const itself = cluster.includes(':') ? [] : [cluster as string as WorkspacePath];
    return [...itself, ...this.#names.leftsOf(cluster)];
  }

  /** The workspaces that an endpoint shows. */
  boundAt(endpoint: string): ReadonlyMap<LogicalClusterName, WorkspacePath> {
    return this.#bound.get(endpoint) ?? new Map<LogicalClusterName, WorkspacePath>();
  }

  /** Sets what an endpoint says of one cluster; undefined: it shows no binding there. Answers whether anything changed. */
  setBound(endpoint: string, cluster: LogicalClusterName, path: WorkspacePath | undefined): boolean {
    const workspaces = this.#bound.get(endpoint) ?? new Map<LogicalClusterName, WorkspacePath>();
    const before = workspaces.get(cluster);
    if (before === path) return false;
    if (before !== undefined) this.#names.unlink(before, cluster);
    if (path === undefined) workspaces.delete(cluster);
    else {
      workspaces.set(cluster, path);
      this.#link(path, cluster);
    }
    this.#bound.set(endpoint, workspaces);
    return true;
  }

  /** Sets what looking a path up said. Answers whether anything changed. */
  setResolved(path: WorkspacePath, resolution: PathResolution): boolean {
    const before = this.#resolved.get(path) ?? 'unknown';
    if (before === resolution) return false;
    for (const cluster of namedBy(before)) this.#names.unlink(path, cluster);
    for (const cluster of namedBy(resolution)) this.#link(path, cluster);
    if (resolution === 'unknown') this.#resolved.delete(path);
    else this.#resolved.set(path, resolution);
    return true;
  }

  // A path of one segment is a cluster's name and names nothing else, whatever is said of it.
  #link(path: WorkspacePath, cluster: LogicalClusterName): void {
    if (nameOfPath(path) === undefined) this.#names.link(path, cluster);
  }
}

function namedBy(resolution: PathResolution): readonly LogicalClusterName[] {
  return resolution === 'unknown' || resolution === 'missing' ? [] : [resolution];
}
