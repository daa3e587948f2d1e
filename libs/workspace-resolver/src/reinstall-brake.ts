/*
 * A configuration of ours that vanished was deleted by hand, or by kcp because its workspace is being deleted; in the second case making
 * it again only keeps the workspace from going. Whether a workspace is going stands on its Workspace object (by deletionTimestamp, never
 * by phase); where that may not be read, configurations are made again with growing pauses.
 */
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { WorkspaceResolver } from './workspace-resolver.js';

/** What a `ReinstallBrake` needs. */
export interface ReinstallBrakeDependencies {
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly pathOf: (cluster: LogicalClusterName) => WorkspacePath | undefined;
  readonly clock: Clock;
}

interface Reinstalls {
  readonly count: number;
  readonly lastMs: number;
}

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** A configuration that stayed this long is no longer part of a fight. */
const FORGET_MS = 15 * 60_000;

/** Decides when a configuration that vanished may be made again. */
export class ReinstallBrake {
  readonly #dependencies: ReinstallBrakeDependencies;
  readonly #reinstalls = new Map<LogicalClusterName, Reinstalls>();
  readonly #watched = new Set<LogicalClusterName>();

  constructor(dependencies: ReinstallBrakeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether a configuration vanished here and has not been seen since. */
  isWatching(cluster: LogicalClusterName): boolean {
    return this.#watched.has(cluster);
  }

  /** The configuration is there. */
  settled(cluster: LogicalClusterName): void {
    this.#watched.delete(cluster);
  }

  /** There is to be no configuration. */
  forget(cluster: LogicalClusterName): void {
    this.#watched.delete(cluster);
    this.#reinstalls.delete(cluster);
  }

  /** Why a configuration may not be made again now; undefined: it may, and the caller does so. */
  async holds(cluster: LogicalClusterName, { signal }: { readonly signal: AbortSignal }): Promise<string | undefined> {
    this.#watched.add(cluster);
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
        return this.#pause(cluster);
      default:
        return resolution satisfies never;
    }
  }

  #pause(cluster: LogicalClusterName): string | undefined {
    const now = this.#dependencies.clock.monotonic();
    const { count, lastMs } = this.#reinstalls.get(cluster) ?? { count: 0, lastMs: -Infinity };
    const since = now - lastMs;
    const pauseMs = count === 0 || since >= FORGET_MS ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
    // No number that counts down in it: this text goes into a status, and a status that changes is an event.
    if (since < pauseMs) return 'the configuration was deleted several times: it is made again with growing pauses';
    this.#reinstalls.set(cluster, { count: since >= FORGET_MS ? 1 : count + 1, lastMs: now });
    return undefined;
  }
}
