// The path of a logical cluster, for people: the path in its annotation, if kcp answers with this cluster for that path. The annotation alone proves nothing:
// its owner may write any path.
import { isKcpError, type Clock, type Connection } from '@dep-ctrl/kcp-client';
import { hintedPath, parseLogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';

/** What {@link WorkspacePaths} needs. */
export interface WorkspacePathsDependencies {
  readonly connection: Connection;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly clock: Clock;
}

interface Options {
  readonly signal: AbortSignal;
}

// Two requests each, while a person waits for the page.
const MOST_AT_ONCE = 20;
const MOST_KEPT = 1_000;
const KEPT_MS = 60_000;

/** Finds paths. What was found is kept for a minute: a page that is read every 2 s would ask as often about each of them. */
export class WorkspacePaths {
  readonly #dependencies: WorkspacePathsDependencies;
  #kept = new Map<string, WorkspacePath | undefined>();
  #keptSinceMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: WorkspacePathsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The paths that are known of these clusters; of many, some are known later. */
  async find(clusters: Iterable<string>, options: Options): Promise<ReadonlyMap<string, WorkspacePath | undefined>> {
    const nowMs = this.#dependencies.clock.monotonic();
    if (nowMs - this.#keptSinceMs > KEPT_MS || this.#kept.size > MOST_KEPT) {
      this.#kept = new Map();
      this.#keptSinceMs = nowMs;
    }
    const kept = this.#kept;
    const wanted = [...new Set(clusters)].filter((cluster) => !kept.has(cluster)).slice(0, MOST_AT_ONCE);
    await Promise.all(wanted.map(async (cluster) => kept.set(cluster, await this.#pathOf(cluster, options))));
    return kept;
  }

  async #pathOf(name: string, options: Options): Promise<WorkspacePath | undefined> {
    const cluster = parseLogicalClusterName(name);
    if (!cluster.ok) return undefined;
    const { connection, resolver } = this.#dependencies;
    try {
      const object = await connection.cluster(cluster.value).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options);
      const path = hintedPath(object);
      if (path === undefined) return undefined;
      const resolution = await resolver.resolve(path, options);
      return resolution.state === 'found' && resolution.cluster === cluster.value ? path : undefined;
    } catch (error) {
      options.signal.throwIfAborted();
      if (isKcpError(error)) return undefined;
      throw error;
    }
  }
}
