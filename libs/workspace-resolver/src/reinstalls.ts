/*
 * A configuration of ours that vanished was deleted by hand, or by kcp because its workspace is being deleted. In the second case a new configuration only
 * keeps the workspace from going. The Workspace object says whether the workspace is going (by deletionTimestamp, never by phase). Where that object may
 * not be read, a brake slows down the configurations that are made again.
 */
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { Brake, type BrakeSettings, type Clock, type Stoppable } from '@dep-ctrl/kcp-client';
import type { WorkspaceResolver } from './workspace-resolver.js';

/** What `Reinstalls` needs. */
export interface ReinstallsDependencies {
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly pathOf: (cluster: LogicalClusterName) => WorkspacePath | undefined;
  readonly clock: Clock;
}

const SLOWLY: BrakeSettings = { atOnce: 0, backoff: { firstMs: 2_000, factor: 2, capMs: 5 * 60_000 }, forgetMs: 15 * 60_000 };

// No number that counts down in it: this text goes into a status, and a status that changes is an event.
const DELETED_OFTEN = 'the configuration was deleted several times: it is made again with growing pauses';

/** Decides when a configuration that vanished may be made again. */
export class Reinstalls {
  readonly #dependencies: ReinstallsDependencies;
  readonly #brake: Brake<LogicalClusterName>;
  readonly #missing = new Set<LogicalClusterName>();

  constructor(dependencies: ReinstallsDependencies) {
    this.#dependencies = dependencies;
    this.#brake = new Brake(dependencies.clock, SLOWLY);
  }

  /** Whether a configuration vanished here and has not been seen since. */
  isMissing(cluster: LogicalClusterName): boolean {
    return this.#missing.has(cluster);
  }

  /** The configuration is there. */
  seen(cluster: LogicalClusterName): void {
    this.#missing.delete(cluster);
  }

  /** No configuration is wanted. */
  forget(cluster: LogicalClusterName): void {
    this.#missing.delete(cluster);
    this.#brake.forget(cluster);
  }

  /** Why a configuration may not be made again now; undefined: the caller makes it now. */
  async whyNotNow(cluster: LogicalClusterName, { signal }: Stoppable): Promise<string | undefined> {
    this.#missing.add(cluster);
    const path = this.#dependencies.pathOf(cluster);
    const resolution = path === undefined ? undefined : await this.#dependencies.resolver.resolve(path, { signal });
    switch (resolution?.state) {
      case 'found':
        return resolution.cluster === cluster && !resolution.terminating ? undefined : 'the workspace is being deleted';
      case 'missing':
        return 'the workspace is being deleted';
      case 'forbidden':
      case 'unreachable':
      case undefined:
        return this.#brake.tryNow(cluster, undefined) ? undefined : DELETED_OFTEN;
      default:
        return resolution satisfies never;
    }
  }
}
