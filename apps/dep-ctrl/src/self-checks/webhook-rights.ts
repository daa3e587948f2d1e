// Checks whether the webhook may read workspaces. Its rights are in system:admin of each shard: uninstall removes them, and a new shard has none. Without
// them the process starts, and every guarded delete is refused. So the check lists the bindings of one workspace behind each endpoint (one endpoint is one
// shard), within a second and then every half minute. A refusal that stays is logged once and shown by readyz?verbose. It does not make the process unready,
// because another replica would do no better.
import {
  type Clock,
  type Connection,
  every,
  isKcpError,
  type KcpError,
  type Logger,
  type ReadinessCheck,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, exportClusterOf } from '@dep-ctrl/kcp-objects';
import { tryList } from '../own-objects/tenant-lists.js';
import { READS_DEPENDENTS } from '../read-access/reader-role.js';
import type { RuleSource } from '../rules/rule-source.js';
import type { Seen } from '../rules/watched-objects.js';

/**
 * One workspace behind each of these endpoints. Not the workspace of the export, where a ServiceAccount has another name, and none that is being deleted.
 * There may be very many bindings: the search stops when each endpoint has a workspace.
 */
export function workspacesToAsk(
  bindings: Iterable<Seen>,
  wanted: ReadonlySet<VirtualWorkspaceUrl>,
): ReadonlyMap<VirtualWorkspaceUrl, LogicalClusterName> {
  const workspaces = new Map<VirtualWorkspaceUrl, LogicalClusterName>();
  if (wanted.size === 0) return workspaces;
  for (const { endpoint, cluster, metadata } of bindings) {
    const isOther = cluster !== exportClusterOf(endpoint) && metadata.deletionTimestamp === undefined;
    if (isOther && wanted.has(endpoint) && !workspaces.has(endpoint)) workspaces.set(endpoint, cluster);
    if (workspaces.size === wanted.size) break;
  }
  return workspaces;
}

/** What {@link WebhookRights} needs. */
export interface WebhookRightsDependencies {
  readonly connection: Connection;
  readonly source: Pick<RuleSource, 'state'> & { readonly seen: { readonly bindings: Iterable<Seen> } };
  readonly clock: Clock;
  readonly logger: Logger;
}

// Providers bind at any time, and people delete as soon as the rule is ready. A look costs nothing while there is no endpoint to ask.
const LOOK_EVERY_MS = 500;
// kcp refuses what it made a moment ago until every part of it knows: the second refusal is told, the later ones are asked for in peace.
const TOLD_AT = 2;
const ASK_AGAIN_SOON_MS = 2_000;
const ASK_AGAIN_MS = 5_000;
// Rights that were there may be taken away.
const ASK_GRANTED_MS = 30_000;

interface Asked {
  readonly refusals: number;
  /** What to do about the last one. */
  readonly fix: string;
  readonly askAgainAt: number;
}

const NEVER: Asked = { refusals: 0, fix: '', askAgainAt: 0 };

/** Logs when the webhook's rights are missing on a shard, and when they are there again. */
export class WebhookRights implements Runnable {
  readonly #dependencies: WebhookRightsDependencies;
  readonly #asked = new Map<VirtualWorkspaceUrl, Asked>();

  constructor(dependencies: WebhookRightsDependencies) {
    this.#dependencies = dependencies;
  }

  /** For `readyz?verbose`. */
  readonly readiness: ReadinessCheck = {
    name: 'rights',
    check: () => {
      const { endpoints } = this.#dependencies.source.state();
      const refusing = [...this.#asked].filter(([endpoint, { refusals }]) => refusals >= TOLD_AT && endpoints.has(endpoint));
      if (refusing.length === 0) return { ready: true };
      const fixes = new Set(refusing.map(([, { fix }]) => fix));
      const where = refusing.map(([endpoint]) => endpoint).join(', ');
      return { ready: true, note: `every guarded delete is refused on ${where}: ${[...fixes].join('; ')}` };
    },
  };

  run(signal: AbortSignal): Promise<void> {
    return every(LOOK_EVERY_MS, () => this.#look(signal), { clock: this.#dependencies.clock, signal });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const workspaces = workspacesToAsk(this.#dependencies.source.seen.bindings, this.#toAsk());
    for (const [endpoint, cluster] of workspaces) await this.#ask(endpoint, cluster, signal);
  }

  #toAsk(): ReadonlySet<VirtualWorkspaceUrl> {
    const { source, clock } = this.#dependencies;
    const isDue = (endpoint: VirtualWorkspaceUrl): boolean => this.#about(endpoint).askAgainAt <= clock.monotonic();
    return new Set([...source.state().endpoints.keys()].filter(isDue));
  }

  async #ask(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, signal: AbortSignal): Promise<void> {
    try {
      await tryList(this.#dependencies.connection.cluster(cluster), API_BINDINGS, { signal });
    } catch (error) {
      if (!isKcpError(error)) {
        if (signal.aborted) return;
        throw error;
      }
      // Any other failure passes, or is logged by other parts.
      if (isKcpError(error, 'forbidden', 'unauthorized')) this.#refused(endpoint, cluster, error);
      else this.#askAgain(endpoint, this.#about(endpoint), ASK_AGAIN_MS);
      return;
    }
    const wasTold = this.#about(endpoint).refusals >= TOLD_AT;
    this.#askAgain(endpoint, NEVER, ASK_GRANTED_MS);
    if (wasTold) this.#dependencies.logger.info('the webhook may read workspaces of this shard now', { endpoint });
  }

  #refused(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, error: KcpError): void {
    const refusals = this.#about(endpoint).refusals + 1;
    const fix = error.code === 'unauthorized' ? FIX_CREDENTIALS : FIX_RIGHTS;
    this.#askAgain(endpoint, { refusals, fix }, refusals < TOLD_AT ? ASK_AGAIN_SOON_MS : ASK_AGAIN_MS);
    if (refusals !== TOLD_AT) return;
    this.#dependencies.logger.warn('the webhook may not read workspaces of this shard: every guarded delete there is refused', {
      endpoint,
      cluster,
      error,
      fix,
    });
  }

  #askAgain(endpoint: VirtualWorkspaceUrl, { refusals, fix }: Omit<Asked, 'askAgainAt'>, inMs: number): void {
    this.#asked.set(endpoint, { refusals, fix, askAgainAt: this.#dependencies.clock.monotonic() + inMs });
  }

  #about(endpoint: VirtualWorkspaceUrl): Asked {
    return this.#asked.get(endpoint) ?? NEVER;
  }
}

const FIX_CREDENTIALS =
  'kcp does not take the credentials of this role any more: run dep-ctrl bootstrap again, with --kubeconfig-dir, and give this role the kubeconfig that it writes (webhook.kubeconfig, or all.kubeconfig for "all")';
const FIX_RIGHTS = `run dep-ctrl bootstrap again, with --shard-kubeconfig once per shard: it grants ClusterRole ${READS_DEPENDENTS}, which uninstall takes away; or give this role the kubeconfig that bootstrap wrote for it (webhook.kubeconfig, or all.kubeconfig for "all")`;
