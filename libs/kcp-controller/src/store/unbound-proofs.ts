/*
 * Proves what absence alone does not: that a workspace binds the export no longer, although no endpoint says so. A proof is an answer of kcp, and never a
 * refusal or an object that a tenant wrote:
 * - a withdrawn endpoint that lists APIBindings and not the one of the workspace;
 * - every endpoint has listed, and for a whole minute none shows a binding of the workspace, while the workspace itself lists none;
 * - the same where kcp refuses to list there, if the endpoint slice is older than the last time at which the workspace may have been unbound: then the slice
 *   holds the endpoint of every shard where it may have been bound since. A slice that was made again lacks those of shards that are away.
 * While an endpoint has not listed, nothing is proven. For stores that keep what withdrawn endpoints showed (`keepsWithdrawn`).
 */
import { CLUSTER_ANNOTATION, recordAt, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import {
  collect,
  every,
  isKcpError,
  type Clock,
  type ClusterClient,
  type Collecting,
  type Connection,
  type KcpError,
  type ParsePage,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { ExportStore } from './export-store.js';

/** A workspace that no endpoint shows, and that is missed. */
export interface MissedWorkspace {
  /** One proof is not another one's: what is proven for this key. */
  readonly key: string;
  readonly cluster: LogicalClusterName;
  /** When it was still bound, on kcp's clock. */
  readonly boundMs: number;
}

/** What an {@link UnboundProofs} is made of. */
export interface UnboundProofsOptions<M extends MissedWorkspace> {
  readonly connection: Pick<Connection, 'virtualWorkspace' | 'cluster'>;
  readonly exportName: string;
  /** All stores of the export. */
  readonly stores: readonly Pick<ExportStore<unknown>, 'withdrawn' | 'forget'>[];
  /** Those that an endpoint has to have listed before what it does not show counts. */
  readonly judgedBy: readonly Pick<ExportStore<unknown>, 'hasListed' | 'isWhole' | 'withdrawn'>[];
  /** The APIBindings of the export: its virtual workspace serves them. */
  readonly bindings: Pick<ExportStore<KubeObject>, 'list' | 'type' | 'withdrawn'>;
  /** When the oldest slice of the export was made, on kcp's clock, asked now. */
  readonly sliceMadeMs: (signal: AbortSignal) => Promise<number>;
  /** The workspaces to prove unbound beside those that withdrawn endpoints showed. */
  readonly missed: () => readonly M[];
  /** Told of a workspace that a withdrawn endpoint showed, and that is proven unbound; its objects are forgotten. */
  readonly onUnbound: (cluster: LogicalClusterName) => void;
  /** Told of a missed workspace that is proven to be bound nowhere. */
  readonly onNowhere: (missed: M) => void;
  readonly clock: Clock;
  /** Parses large pages of bindings: see `collect`. */
  readonly parseLarge?: ParsePage;
}

/** How often unproven absences are looked at. */
const LOOK_MS = 10_000;
/** For how long no endpoint may show a workspace until that is a proof. */
const NOWHERE_MS = 60_000;
/** So much of bindings is looked through in a workspace; of one that has more, nothing is proven. */
const MOST_BINDING_BYTES = 8 * 1024 * 1024;

/** What a workspace says of itself, asked by its name. */
type OwnWord = 'no-binding' | 'refused' | 'something-else';

/** Looks for proofs, and has forgotten what is proven gone. */
export class UnboundProofs<M extends MissedWorkspace> implements Runnable {
  readonly #options: UnboundProofsOptions<M>;
  readonly #nowhereSince = new Map<string, number>();

  constructor(options: UnboundProofsOptions<M>) {
    this.#options = options;
  }

  run(signal: AbortSignal): Promise<void> {
    return every(LOOK_MS, () => this.look(signal), { clock: this.#options.clock, signal });
  }

  /** Looks once for proofs. */
  async look(signal: AbortSignal): Promise<void> {
    for (const [endpoint, clusters] of this.#withdrawn()) this.#leaveToOthers(endpoint, clusters);
    for (const endpoint of this.#withdrawn().keys()) await this.#proveWithdrawn(endpoint, signal);
    const missed = this.#options.missed();
    const keys = new Set(missed.map(({ key }) => key));
    for (const key of this.#nowhereSince.keys()) if (!keys.has(key)) this.#nowhereSince.delete(key);
    if (missed.length > 0) await this.#proveNowhere(missed, signal);
  }

  /** Endpoints that the slice names no more, and the workspaces that they showed. */
  #withdrawn(): ReadonlyMap<VirtualWorkspaceUrl, ReadonlySet<LogicalClusterName>> {
    const found = new Map<VirtualWorkspaceUrl, Set<LogicalClusterName>>();
    for (const store of this.#options.stores) {
      for (const [endpoint, clusters] of store.withdrawn()) found.set(endpoint, new Set([...(found.get(endpoint) ?? []), ...clusters]));
    }
    return found;
  }

  /**
   * What a withdrawn endpoint showed of workspaces that another one has listed since is old, and nothing is gone: a shard has a new URL. The same where nothing
   * is left there by which a workspace is judged.
   */
  #leaveToOthers(endpoint: VirtualWorkspaceUrl, clusters: ReadonlySet<LogicalClusterName>): void {
    const { judgedBy } = this.#options;
    const isEmpty = judgedBy.every((store) => !store.withdrawn().has(endpoint));
    for (const cluster of clusters) {
      const isListed = this.#serving(cluster).some((other) => judgedBy.every((store) => store.hasListed(other)));
      if (isEmpty || isListed) this.#forget(cluster, [endpoint]);
    }
  }

  /** The endpoints that the slice names and that show bindings of a workspace. */
  #serving(cluster: LogicalClusterName): readonly VirtualWorkspaceUrl[] {
    const { bindings } = this.#options;
    const withdrawn = bindings.withdrawn();
    return bindings.list(cluster).flatMap(({ endpoint }) => (withdrawn.has(endpoint) ? [] : [endpoint]));
  }

  async #proveWithdrawn(endpoint: VirtualWorkspaceUrl, signal: AbortSignal): Promise<void> {
    const listed = await this.#boundAt(this.#options.connection.virtualWorkspace(endpoint).wildcard(), { signal });
    if (isKcpError(listed)) return;
    const bound = new Set(listed);
    // While it answered the endpoint may have come back, and have shown since what it did not hold then.
    for (const cluster of this.#withdrawn().get(endpoint) ?? []) {
      if (bound.has(cluster) || this.#serving(cluster).length > 0) continue;
      this.#forget(cluster, this.#withdrawn().keys());
      this.#options.onUnbound(cluster);
    }
  }

  async #proveNowhere(missed: readonly M[], signal: AbortSignal): Promise<void> {
    const { sliceMadeMs, onNowhere } = this.#options;
    const madeMs = await sliceMadeMs(signal).catch(() => Infinity);
    signal.throwIfAborted();
    const words = new Map<LogicalClusterName, OwnWord>();
    for (const each of missed) {
      // What the endpoints show is known already.
      const word = this.#isUnseen(each.cluster)
        ? (words.get(each.cluster) ?? (await this.#ownWord(each.cluster, signal)))
        : 'something-else';
      words.set(each.cluster, word);
      const isProof = word === 'no-binding' || (word === 'refused' && madeMs <= each.boundMs);
      if (!this.#isForLong(each.key, isProof && this.#isUnseen(each.cluster))) continue;
      this.#nowhereSince.delete(each.key);
      onNowhere(each);
    }
  }

  #isForLong(key: string, isNowhere: boolean): boolean {
    const { clock } = this.#options;
    if (!isNowhere) {
      this.#nowhereSince.delete(key);
      return false;
    }
    const since = this.#nowhereSince.get(key) ?? clock.monotonic();
    this.#nowhereSince.set(key, since);
    return clock.monotonic() - since >= NOWHERE_MS;
  }

  #isUnseen(cluster: LogicalClusterName): boolean {
    const { judgedBy, bindings } = this.#options;
    return judgedBy.every((store) => store.isWhole()) && !bindings.list(cluster).some(({ value }) => this.#isOwn(value));
  }

  async #ownWord(cluster: LogicalClusterName, signal: AbortSignal): Promise<OwnWord> {
    const listed = await this.#boundAt(this.#options.connection.cluster(cluster), { maxBytes: MOST_BINDING_BYTES, signal });
    if (isKcpError(listed)) return isKcpError(listed, 'forbidden') ? 'refused' : 'something-else';
    return listed.length === 0 ? 'no-binding' : 'something-else';
  }

  /** The workspaces of the bindings of the export that are listed now, or why they are not. */
  async #boundAt(
    client: Pick<ClusterClient, 'list'>,
    bounds: Pick<Collecting<string>, 'maxBytes' | 'signal'>,
  ): Promise<readonly string[] | KcpError> {
    const take = (binding: KubeObject) => (this.#isOwn(binding) ? (binding.metadata.annotations?.[CLUSTER_ANNOTATION] ?? '') : undefined);
    try {
      const { bindings, parseLarge } = this.#options;
      return await collect(client, bindings.type, { ...bounds, take, parseLarge });
    } catch (error) {
      if (isKcpError(error)) return error;
      throw error;
    }
  }

  #isOwn(binding: KubeObject): boolean {
    const reference = recordAt(recordAt(binding, 'spec'), 'reference');
    return recordAt(reference, 'export')['name'] === this.#options.exportName;
  }

  #forget(cluster: LogicalClusterName, endpoints: Iterable<VirtualWorkspaceUrl>): void {
    for (const endpoint of endpoints) for (const store of this.#options.stores) store.forget(endpoint, cluster);
  }
}
