// Whether the webhook may read workspaces at all. Its rights are in system:admin of each shard, where uninstall takes them away and a new shard has none
// yet; without them everything starts, and every guarded delete is refused. So one workspace behind each endpoint of the export (one endpoint is one
// shard) is asked what any review asks first, and a refusal is told once. Asked until it is granted, no longer: afterwards reviews tell. It makes nothing
// unready: a shard may have providers and no consumers.
import {
  isKcpError,
  listAll,
  type Clock,
  type Connection,
  type Logger,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { READS_DEPENDENTS } from '../bootstrap/manifests.js';
import { exportClusterOf } from '../controller/export-cluster.js';
import { API_BINDINGS } from '../kcp-objects/types.js';
import type { RuleSource } from '../rules/rule-source.js';
import type { Seen } from '../rules/seen-objects.js';

/** One workspace behind each endpoint that is asked. Not that of the export itself, where a ServiceAccount is another one, and none that goes. */
export function workspacesToAsk(
  bindings: Iterable<Seen>,
  isAsked: (endpoint: VirtualWorkspaceUrl) => boolean,
): ReadonlyMap<VirtualWorkspaceUrl, LogicalClusterName> {
  const workspaces = new Map<VirtualWorkspaceUrl, LogicalClusterName>();
  for (const { endpoint, cluster, object } of bindings) {
    const isOther = cluster !== exportClusterOf(endpoint) && object.metadata.deletionTimestamp === undefined;
    if (isOther && isAsked(endpoint) && !workspaces.has(endpoint)) workspaces.set(endpoint, cluster);
  }
  return workspaces;
}

/** What {@link WebhookRights} needs. */
export interface WebhookRightsDependencies {
  readonly connection: Connection;
  readonly source: Pick<RuleSource, 'seen' | 'state'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

// Providers bind at any time. A look costs one small list per shard, and none once every shard has granted.
const LOOK_EVERY_MS = 5_000;
// kcp refuses what it made a moment ago until every part of it knows.
const REFUSALS = 2;

/** Tells when the rights of the webhook are missing on a shard, and when they are there. */
export class WebhookRights implements Runnable {
  readonly #dependencies: WebhookRightsDependencies;
  readonly #granted = new Set<VirtualWorkspaceUrl>();
  readonly #refusals = new Map<VirtualWorkspaceUrl, number>();

  constructor(dependencies: WebhookRightsDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#dependencies;
    while (!signal.aborted) {
      const { endpoints } = source.state();
      const isAsked = (endpoint: VirtualWorkspaceUrl): boolean => endpoints.has(endpoint) && !this.#granted.has(endpoint);
      for (const [endpoint, cluster] of workspacesToAsk(source.seen.all('bindings'), isAsked)) await this.#ask(endpoint, cluster, signal);
      await clock.sleep(LOOK_EVERY_MS, { signal }).catch(() => undefined); // told to stop
    }
  }

  async #ask(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, signal: AbortSignal): Promise<void> {
    try {
      await listAll(this.#dependencies.connection.cluster(cluster), API_BINDINGS, {}, { signal });
    } catch (error) {
      // Anything else passes, or is told by others who need kcp.
      if (isKcpError(error, 'forbidden')) this.#refused(endpoint, cluster, error);
      else if (!isKcpError(error) && !signal.aborted) throw error;
      return;
    }
    this.#granted.add(endpoint);
    if ((this.#refusals.get(endpoint) ?? 0) >= REFUSALS) {
      this.#dependencies.logger.info('the webhook may read workspaces of this shard now', { endpoint });
    }
  }

  #refused(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, error: unknown): void {
    const refusals = (this.#refusals.get(endpoint) ?? 0) + 1;
    this.#refusals.set(endpoint, refusals);
    if (refusals !== REFUSALS) return;
    this.#dependencies.logger.warn('the webhook may not read workspaces of this shard: every guarded delete there is refused', {
      endpoint,
      cluster,
      error,
      mend: `run dep-ctrl bootstrap again, with --shard-kubeconfig once per shard: it grants ClusterRole ${READS_DEPENDENTS}, which uninstall takes away`,
    });
  }
}
