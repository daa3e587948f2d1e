import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';

interface Shown {
  readonly cluster: LogicalClusterName;
  readonly path: WorkspacePath;
}

/**
 * Workspace paths as APIBindings show them: kcp writes cluster and path of the workspace on each of ours. Current as long as the
 * watch is, costs no request, and knows every workspace that could be guarded. Where two clusters show one path (a workspace was made
 * again and the old one is still going) it does not know: who asks has to ask kcp.
 */
export class LivePaths {
  readonly #shown = new Map<string, Shown>();
  readonly #byPath = new Map<WorkspacePath, Map<string, LogicalClusterName>>();
  readonly #byCluster = new Map<LogicalClusterName, Map<string, WorkspacePath>>();

  /** The logical cluster at a path, if exactly one is seen there. */
  clusterOf(path: WorkspacePath): LogicalClusterName | undefined {
    const [cluster, ...others] = new Set(this.#byPath.get(path)?.values());
    return others.length === 0 ? cluster : undefined;
  }

  /** The path of a logical cluster. */
  pathOf(cluster: LogicalClusterName): WorkspacePath | undefined {
    return this.#byCluster.get(cluster)?.values().next().value;
  }

  /** Takes in what one binding shows. Returns the paths whose answer may have changed. */
  see(binding: string, cluster: LogicalClusterName, path: WorkspacePath): readonly WorkspacePath[] {
    const before = this.#shown.get(binding);
    if (before?.cluster === cluster && before.path === path) return [];
    const left = this.forget(binding);
    this.#shown.set(binding, { cluster, path });
    entryOf(this.#byPath, path).set(binding, cluster);
    entryOf(this.#byCluster, cluster).set(binding, path);
    return [...new Set([...left, path])];
  }

  /** Forgets a binding. Returns the paths whose answer may have changed. */
  forget(binding: string): readonly WorkspacePath[] {
    const before = this.#shown.get(binding);
    if (before === undefined) return [];
    this.#shown.delete(binding);
    removeFrom(this.#byPath, before.path, binding);
    removeFrom(this.#byCluster, before.cluster, binding);
    return [before.path];
  }

  /** Forgets every binding whose key fits. */
  forgetAll(fits: (binding: string) => boolean): void {
    for (const binding of [...this.#shown.keys()]) if (fits(binding)) this.forget(binding);
  }
}

function entryOf<K, V>(map: Map<K, Map<string, V>>, key: K): Map<string, V> {
  const found = map.get(key) ?? new Map<string, V>();
  map.set(key, found);
  return found;
}

function removeFrom<K, V>(map: Map<K, Map<string, V>>, key: K, binding: string): void {
  const found = map.get(key);
  found?.delete(binding);
  if (found?.size === 0) map.delete(key);
}
