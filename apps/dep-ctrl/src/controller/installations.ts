import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Installation } from './installation.js';

/** How many guarded workspaces are how far. */
export interface InstallationCounts {
  readonly installed: number;
  readonly pending: number;
  readonly failed: number;
}

/** How far each guarded workspace came, as of the last look at it. */
export class Installations {
  readonly #byCluster = new Map<LogicalClusterName, Installation>();

  of(cluster: LogicalClusterName): Installation | undefined {
    return this.#byCluster.get(cluster);
  }

  /** Notes how far a workspace came; undefined: nothing of ours is wanted there. */
  set(cluster: LogicalClusterName, installation: Installation | undefined): void {
    if (installation === undefined) this.#byCluster.delete(cluster);
    else this.#byCluster.set(cluster, installation);
  }

  counts(): InstallationCounts {
    const counts = { installed: 0, pending: 0, failed: 0 };
    for (const { state } of this.#byCluster.values()) counts[state === 'waiting' ? 'pending' : state] += 1;
    return counts;
  }
}
