/*
 * Absence alone proves nothing, so somebody has to prove it: that what a withdrawn endpoint once showed is gone, and that a rule which
 * a guard names is gone although no endpoint serves its workspace. Proofs are
 * - a withdrawn endpoint that lists APIBindings and not the one of the workspace;
 * - a path that names no workspace, or another one, now, while the workspace itself answers: the path stands in a status, and whoever owns
 *   the guard may have written it;
 * - every endpoint listed, and none showed a binding of the workspace for a whole minute in which it answered by itself.
 */
import { clusterOf, parseWorkspacePath, splitWorkspacePath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { isKcpError, listAll, type Clock, type Connection, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import {
  GUARD_NAME,
  ruleKeyOf,
  type EndpointKnowledge,
  type RegistryReader,
  type RegistryWriter,
  type Touched,
} from '@dep-ctrl/rule-registry';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { guardEntries } from './guard-entries.js';
import { isBindingOf } from './own-bindings.js';
import type { SeenObjects } from './seen-objects.js';
import { APIBINDINGS } from './watched-types.js';

/** What `AbsenceProofs` needs. */
export interface AbsenceProofsDependencies {
  readonly connection: Pick<Connection, 'virtualWorkspace' | 'cluster'>;
  readonly exportName: string;
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  readonly seen: SeenObjects;
  readonly resolver: Pick<WorkspaceResolver, 'inspect'>;
  readonly clock: Clock;
  /** Told what a proof may have changed. */
  readonly onChange: (touched: Touched) => void;
}

/** A workspace as the status of a guard names it. */
interface NamedWorkspace {
  readonly cluster: LogicalClusterName;
  readonly path: WorkspacePath | undefined;
}

/** How often unproven absences are looked at. */
const LOOK_MS = 10_000;
/** For how long no endpoint may show a workspace until that is a proof. */
const NOWHERE_MS = 60_000;

/** The proofs of one process. */
export class AbsenceProofs {
  readonly #dependencies: AbsenceProofsDependencies;
  readonly #nowhereSince = new Map<LogicalClusterName, number>();

  constructor(dependencies: AbsenceProofsDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(signal);
      await this.#dependencies.clock.sleep(LOOK_MS, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** Looks once for proofs. */
  async look(signal: AbortSignal): Promise<void> {
    for (const endpoint of this.#withdrawn()) this.#leaveToOthers(endpoint);
    for (const endpoint of this.#withdrawn()) await this.#proveWithdrawn(endpoint, signal);
    const unknown = this.#unknownWorkspaces();
    for (const cluster of this.#nowhereSince.keys()) {
      if (!unknown.some((workspace) => workspace.cluster === cluster)) this.#nowhereSince.delete(cluster);
    }
    const read = new Set<string>();
    for (const workspace of unknown) await this.#proveRules(workspace, read, signal);
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
      const { objects } = await listAll(this.#dependencies.connection.virtualWorkspace(endpoint).wildcard(), APIBINDINGS, {}, { signal });
      const own = objects.filter((binding) => isBindingOf(binding, this.#dependencies.exportName));
      return new Set(own.flatMap((binding) => clusterIn(binding)));
    } catch (error) {
      if (isKcpError(error)) return undefined;
      throw error;
    }
  }

  /** Workspaces of rules that some guard names and that nobody has read, with the path that the guard's status gives them. */
  #unknownWorkspaces(): readonly NamedWorkspace[] {
    const { reader, seen } = this.#dependencies;
    const unknown = new Map<string, NamedWorkspace>();
    for (const { cluster: guarded, object } of seen.all('guards')) {
      const answer = reader.guarded(guarded);
      if (object.metadata.name !== GUARD_NAME || answer.state === 'known') continue;
      const missing = new Set(answer.missing.flatMap((what) => (what.kind === 'rule' ? [what.rule.cluster] : [])));
      const entries = guardEntries(object);
      for (const cluster of missing) {
        const named = entries.find((entry) => entry.cluster === cluster && entry.path !== undefined)?.path;
        const path = parseWorkspacePath(named ?? '');
        unknown.set(`${cluster} ${named ?? ''}`, { cluster, path: path.ok ? path.value : undefined });
      }
    }
    return [...unknown.values()];
  }

  async #proveRules({ cluster, path }: NamedWorkspace, read: Set<string>, signal: AbortSignal): Promise<void> {
    const isElsewhere = path !== undefined && (await this.#isElsewhere(cluster, path, read, signal));
    const isGone = isElsewhere ? await this.#answersUnbound(cluster, signal) : await this.#isNowhere(cluster, signal);
    if (isGone) this.#gone(cluster);
  }

  /**
   * Every endpoint has listed, none has shown the workspace for long enough, and all the while the workspace itself answered: a slice that
   * was made again lacks the endpoints of dead shards, but a shard that lives names its own.
   */
  async #isNowhere(cluster: LogicalClusterName, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#dependencies;
    const isAbsent = this.#isUnseen(cluster) && (await this.#answersUnbound(cluster, signal));
    // While it answered an endpoint may have appeared.
    if (!isAbsent || !this.#isUnseen(cluster)) {
      this.#nowhereSince.delete(cluster);
      return false;
    }
    const since = this.#nowhereSince.get(cluster) ?? clock.monotonic();
    this.#nowhereSince.set(cluster, since);
    return clock.monotonic() - since >= NOWHERE_MS;
  }

  #isUnseen(cluster: LogicalClusterName): boolean {
    const { reader } = this.#dependencies;
    return reader.completeness().state === 'known' && reader.paths.pathOf(cluster) === undefined;
  }

  /** Whether the workspace answers, and shows no binding of ours to those who may look: to be refused is an answer too. */
  async #answersUnbound(cluster: LogicalClusterName, signal: AbortSignal): Promise<boolean> {
    const { connection, exportName } = this.#dependencies;
    try {
      const { objects } = await listAll(connection.cluster(cluster), APIBINDINGS, {}, { signal });
      return !objects.some((binding) => isBindingOf(binding, exportName));
    } catch (error) {
      if (isKcpError(error)) return isKcpError(error, 'forbidden', 'not-found');
      throw error;
    }
  }

  /**
   * Whether the path names no workspace, or another one. Asked of kcp: what bindings showed is old where their endpoint has gone. The
   * workspaces of one parent are read once per look: a dead shard may hold hundreds of them.
   */
  async #isElsewhere(cluster: LogicalClusterName, path: WorkspacePath, read: Set<string>, signal: AbortSignal): Promise<boolean> {
    const parent = splitWorkspacePath(path)?.parent ?? path;
    const fresh = !read.has(parent);
    read.add(parent);
    const resolution = await this.#dependencies.resolver.inspect(path, { signal, fresh });
    return resolution.state === 'missing' || (resolution.state === 'found' && resolution.cluster !== cluster);
  }

  #gone(cluster: LogicalClusterName): void {
    const { seen, writer, onChange } = this.#dependencies;
    this.#nowhereSince.delete(cluster);
    if (this.#isShownBy(cluster, 'syncing', 'listed')) return;
    seen.forgetWithdrawn(cluster, this.#withdrawn());
    onChange(writer.workspaceGone(cluster));
  }
}

function clusterIn(binding: Parameters<typeof clusterOf>[0]): readonly LogicalClusterName[] {
  const cluster = clusterOf(binding);
  return cluster.ok ? [cluster.value] : [];
}
