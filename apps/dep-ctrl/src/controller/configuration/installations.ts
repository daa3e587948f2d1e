import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { isUnbound, type Installation } from './installation.js';

/** The number of guarded workspaces by state. */
export interface InstallationCounts {
  readonly installed: number;
  readonly pending: number;
  readonly failed: number;
  /** Rules name the workspace, and it does not bind dep-ctrl or does not exist. Only its owner or the rule's author can fix that. */
  readonly unbound: number;
}

/** No guarded workspace at all. */
export const NONE: InstallationCounts = { installed: 0, pending: 0, failed: 0, unbound: 0 };

/** The state of each guarded workspace after its last reconciliation. */
export class Installations {
  readonly #byCluster = new Map<LogicalClusterName, Installation>();

  of(cluster: LogicalClusterName): Installation | undefined {
    return this.#byCluster.get(cluster);
  }

  /** Notes the state of a workspace; undefined: no configuration is wanted there. */
  set(cluster: LogicalClusterName, installation: Installation | undefined): void {
    if (installation === undefined) this.#byCluster.delete(cluster);
    else this.#byCluster.set(cluster, installation);
  }

  counts(): InstallationCounts {
    const counts = { ...NONE };
    for (const installation of this.#byCluster.values()) counts[countedAs(installation)] += 1;
    return counts;
  }
}

function countedAs(installation: Installation): keyof InstallationCounts {
  if (isUnbound(installation)) return 'unbound';
  return installation.state === 'waiting' ? 'pending' : installation.state;
}
