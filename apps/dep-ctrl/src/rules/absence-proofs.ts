/*
 * Proves what absence alone does not: that objects which a withdrawn endpoint once showed are gone, and that a rule which a guard names is gone although
 * no endpoint serves its workspace. A proof is an answer of kcp, and never a refusal or an object that a tenant wrote:
 * - a withdrawn endpoint that lists APIBindings and not the one of the workspace;
 * - every endpoint has listed, and for a whole minute none shows a binding of the workspace, while the workspace itself lists none;
 * - the same where kcp knows no such workspace, if the endpoint slice is older than the guard that names the rule: then the slice holds the
 *   endpoint of every shard where the workspace may have been bound since. A slice that was made again lacks those of shards that are away.
 * While an endpoint has not listed, nothing is proven.
 */
import { clusterOf, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import {
  every,
  isKcpError,
  listAll,
  type Clock,
  type ClusterClient,
  type Connection,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { ruleKeyOf, type EndpointKnowledge, type RegistryReader, type RegistryWriter, type Touched } from '@dep-ctrl/rule-registry';
import { isBindingOf, readSlices } from '@dep-ctrl/exported-types';
import type { SeenObjects } from './seen-objects.js';

/** What `AbsenceProofs` needs. */
export interface AbsenceProofsDependencies {
  readonly connection: Pick<Connection, 'virtualWorkspace' | 'cluster'>;
  /** The export, and the workspace of it and of its endpoint slice. */
  readonly home: { readonly exportName: string; readonly workspace: Pick<ClusterClient, 'list'> };
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  readonly seen: SeenObjects;
  readonly clock: Clock;
  /** Told what a proof may have changed. */
  readonly onChange: (touched: Touched) => void;
}

/** How often unproven absences are looked at. */
const LOOK_MS = 10_000;
/** For how long no endpoint may show a workspace until that is a proof. */
const NOWHERE_MS = 60_000;
/** Authors at a time of one guard. Its status may name very many workspaces, and its owner may have written it. */
const MOST_AT_A_GUARD = 16;
const TURN_MS = NOWHERE_MS + LOOK_MS;
const TIMEOUT_MS = 5_000;

/** The author of rules that the guard of a workspace names, and that have not been read. */
interface NamedAuthor {
  readonly guarded: LogicalClusterName;
  readonly author: LogicalClusterName;
  /** When the guard was made, on kcp's clock. */
  readonly guardMadeMs: number;
}

/** What a workspace says of itself, asked by its name. */
type OwnWord = 'no-binding' | 'refused' | 'something-else';

/** The proofs of one process. */
export class AbsenceProofs {
  readonly #dependencies: AbsenceProofsDependencies;
  readonly #nowhereSince = new Map<string, number>();

  constructor(dependencies: AbsenceProofsDependencies) {
    this.#dependencies = dependencies;
  }

  run(signal: AbortSignal): Promise<void> {
    return every(LOOK_MS, () => this.look(signal), { clock: this.#dependencies.clock, signal });
  }

  /** Looks once for proofs. */
  async look(signal: AbortSignal): Promise<void> {
    for (const endpoint of this.#withdrawn()) this.#leaveToOthers(endpoint);
    for (const endpoint of this.#withdrawn()) await this.#proveWithdrawn(endpoint, signal);
    const unknown = this.#unknownAuthors();
    const keys = new Set(unknown.map(keyOf));
    for (const key of this.#nowhereSince.keys()) if (!keys.has(key)) this.#nowhereSince.delete(key);
    if (unknown.length > 0) await this.#proveNowhere(unknown, signal);
  }

  /** Endpoints that still count here although the export has them no more; one that the registry has let go of is such a one too. */
  #withdrawn(): readonly VirtualWorkspaceUrl[] {
    return this.#dependencies.seen.endpoints().filter((endpoint) => !this.#knows(endpoint, 'syncing', 'listed'));
  }

  #knows(endpoint: VirtualWorkspaceUrl, ...states: readonly EndpointKnowledge['state'][]): boolean {
    const endpoints = this.#dependencies.reader.endpoints();
    if (endpoints === 'unread') return true;
    const known = endpoints.get(endpoint);
    return known !== undefined && states.includes(known.state);
  }

  /**
   * What a withdrawn endpoint showed of workspaces that another one has listed since is old, and nothing is gone: a shard has a new URL.
   * The registry lets go of that by itself, and of the endpoint once nothing of it counts.
   */
  #leaveToOthers(endpoint: VirtualWorkspaceUrl): void {
    const { seen, onChange } = this.#dependencies;
    for (const cluster of seen.clustersAt(endpoint)) {
      if (this.#knows(endpoint, 'withdrawn') && !this.#isShownBy(cluster, 'listed')) continue;
      const rules = seen.inCluster('rules', cluster).map(({ object }) => ruleKeyOf(cluster, object.metadata.name ?? ''));
      seen.forgetWithdrawn(cluster, [endpoint]);
      onChange({ guarded: new Set([cluster]), rules: new Set(rules) });
    }
  }

  /** Whether an endpoint in one of these states shows the binding of a workspace. */
  #isShownBy(cluster: LogicalClusterName, ...states: readonly EndpointKnowledge['state'][]): boolean {
    const { seen } = this.#dependencies;
    return seen.inCluster('bindings', cluster).some(({ endpoint }) => this.#knows(endpoint, ...states));
  }

  async #proveWithdrawn(endpoint: VirtualWorkspaceUrl, signal: AbortSignal): Promise<void> {
    const bound = await this.#boundAt(endpoint, signal);
    // While it answered the endpoint may have come back, and have shown since what it did not hold then.
    if (bound === undefined || !this.#withdrawn().includes(endpoint)) return;
    for (const cluster of this.#dependencies.seen.clustersAt(endpoint)) {
      if (!bound.has(cluster)) this.#gone(cluster);
    }
  }

  /** The clusters whose bindings an endpoint lists now; undefined where it cannot tell. */
  async #boundAt(endpoint: VirtualWorkspaceUrl, signal: AbortSignal): Promise<ReadonlySet<LogicalClusterName> | undefined> {
    try {
      const { objects } = await listAll(this.#dependencies.connection.virtualWorkspace(endpoint).wildcard(), API_BINDINGS, {}, { signal });
      const own = objects.filter((binding) => isBindingOf(binding, this.#dependencies.home.exportName));
      return new Set(own.flatMap((binding) => clusterIn(binding)));
    } catch (error) {
      if (isKcpError(error)) return undefined;
      throw error;
    }
  }

  #unknownAuthors(): readonly NamedAuthor[] {
    const { reader, seen } = this.#dependencies;
    return [...seen.all('guards')].flatMap(({ cluster: guarded, object }) => {
      const missing = reader.missing(guarded).flatMap((what) => (what.kind === 'rule' ? [what.rule.cluster] : []));
      const guardMadeMs = Date.parse(object.metadata.creationTimestamp ?? '');
      return this.#nextOf([...new Set(missing)]).map((author) => ({ guarded, author, guardMadeMs }));
    });
  }

  /** Some authors at a time, for as long as a proof takes, then the next ones: an author that cannot be proven gone does not hold up the others. */
  #nextOf(authors: readonly LogicalClusterName[]): readonly LogicalClusterName[] {
    if (authors.length <= MOST_AT_A_GUARD) return authors;
    const turn = Math.floor(this.#dependencies.clock.monotonic() / TURN_MS) % Math.ceil(authors.length / MOST_AT_A_GUARD);
    return authors.toSorted().slice(turn * MOST_AT_A_GUARD, (turn + 1) * MOST_AT_A_GUARD);
  }

  async #proveNowhere(unknown: readonly NamedAuthor[], signal: AbortSignal): Promise<void> {
    const { writer, onChange } = this.#dependencies;
    const sliceMadeMs = await this.#sliceMadeMs(signal);
    const words = new Map<LogicalClusterName, OwnWord>();
    for (const named of unknown) {
      const word = words.get(named.author) ?? (await this.#ownWord(named.author, signal));
      words.set(named.author, word);
      const isProof = word === 'no-binding' || (word === 'refused' && sliceMadeMs <= named.guardMadeMs);
      if (!this.#isForLong(named, isProof && this.#isUnseen(named.author))) continue;
      this.#nowhereSince.delete(keyOf(named));
      onChange(writer.authorGone(named.guarded, named.author));
    }
  }

  /** When the slice was made, on kcp's clock; never, where it cannot be read. */
  async #sliceMadeMs(signal: AbortSignal): Promise<number> {
    try {
      return (await readSlices(this.#dependencies.home, { signal, timeoutMs: TIMEOUT_MS })).madeMs;
    } catch {
      signal.throwIfAborted();
      return Infinity;
    }
  }

  #isForLong(named: NamedAuthor, isNowhere: boolean): boolean {
    const { clock } = this.#dependencies;
    if (!isNowhere) {
      this.#nowhereSince.delete(keyOf(named));
      return false;
    }
    const since = this.#nowhereSince.get(keyOf(named)) ?? clock.monotonic();
    this.#nowhereSince.set(keyOf(named), since);
    return clock.monotonic() - since >= NOWHERE_MS;
  }

  #isUnseen(cluster: LogicalClusterName): boolean {
    const { reader } = this.#dependencies;
    return reader.completeness().state === 'known' && !reader.isBound(cluster);
  }

  async #ownWord(cluster: LogicalClusterName, signal: AbortSignal): Promise<OwnWord> {
    const { connection, home } = this.#dependencies;
    try {
      const { objects } = await listAll(connection.cluster(cluster), API_BINDINGS, {}, { signal });
      return objects.some((binding) => isBindingOf(binding, home.exportName)) ? 'something-else' : 'no-binding';
    } catch (error) {
      if (isKcpError(error)) return isKcpError(error, 'forbidden') ? 'refused' : 'something-else';
      throw error;
    }
  }

  #gone(cluster: LogicalClusterName): void {
    const { seen, writer, onChange } = this.#dependencies;
    if (this.#isShownBy(cluster, 'syncing', 'listed')) return;
    seen.forgetWithdrawn(cluster, this.#withdrawn());
    onChange(writer.workspaceGone(cluster));
  }
}

function clusterIn(binding: Parameters<typeof clusterOf>[0]): readonly LogicalClusterName[] {
  const cluster = clusterOf(binding);
  return cluster.ok ? [cluster.value] : [];
}

function keyOf({ guarded, author }: NamedAuthor): string {
  return `${guarded} ${author}`;
}
