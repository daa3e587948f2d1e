// Reads all endpoints live, into a registry of its own. An endpoint that cannot be read adds the rules that its watch has shown, but not its guards: so
// only the workspaces behind it become unknown. Guards behind other endpoints tell whether such a rule is still in the version shown. Rules of a withdrawn
// endpoint count until they are proven gone, as in the watched registry.
import {
  silentLogger,
  type Clock,
  type Connection,
  type ClusterClient,
  type Logger,
  type VirtualWorkspaceUrl,
  type Stoppable,
} from '@dep-ctrl/kcp-client';
import { createRegistry, type RegistryReader, type RegistryWriter } from '@dep-ctrl/rule-registry';
import { PathHints } from '@dep-ctrl/workspace-resolver';
import { readSlices, type SliceContent } from '@dep-ctrl/exported-types';
import { RegistryFeed } from '../../rules/registry-feed.js';
import type { RuleSource } from '../../rules/rule-source.js';
import { SeenObjects } from '../../rules/seen-objects.js';
import { DECIDING_KINDS, readEndpoint, type DecidingKind, type EndpointContent } from './live-endpoint.js';
import { noProofs, type Proofs } from './rule-freshness.js';

/** What {@link LiveRules} needs. */
export interface LiveRulesDependencies {
  readonly connection: Pick<Connection, 'virtualWorkspace'>;
  readonly home: { readonly exportName: string; readonly workspace: Pick<ClusterClient, 'list'> };
  readonly source: Pick<RuleSource, 'seen' | 'state'>;
  /** The registry of the watches; its resolved paths are used. */
  readonly registry: RegistryReader;
  /** For how long a new endpoint slice may lack shards. */
  readonly sliceFillsUpMs?: number;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** The result of a look. */
export interface LiveLook {
  readonly registry: RegistryReader;
  /** The endpoint slice is so new that it may lack shards: a workspace that no endpoint shows may exist. */
  readonly isFillingUp: boolean;
}

// Shards enter themselves into a new slice within seconds.
const SLICE_FILLS_UP_MS = 30_000;
// Endpoints answer within milliseconds; a review has seconds in all.
const TIMEOUT_MS = 2_000;
// The pause after an endpoint failed, as a multiple of the time that this took: one that hangs does not cost every review two seconds, and one
// connection that broke costs nobody more than a moment.
const REST = 4;
const LEAST_REST_MS = 50;
const MOST_REST_MS = 5_000;

/** Reads rules live. */
export class LiveRules {
  readonly #dependencies: LiveRulesDependencies;
  readonly #logger: Logger;
  /** Endpoints that failed, and when they may be asked again. */
  readonly #restsUntilMs = new Map<VirtualWorkspaceUrl, number>();
  #proofs: Proofs = noProofs;

  constructor(dependencies: LiveRulesDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Proofs of earlier looks that the watches are current. */
  get proofs(): Proofs {
    return this.#proofs;
  }

  /** Reads everything. Rejects only if the signal aborts. */
  async look({ signal }: Stoppable): Promise<LiveLook> {
    const { clock, registry, source, sliceFillsUpMs = SLICE_FILLS_UP_MS } = this.#dependencies;
    const { reader, writer } = createRegistry();
    const beganMs = clock.monotonic();
    const slices = await this.#slices(signal);
    const watched = source.state().endpoints.keys();
    // A slice that was made anew names less than the one before it; what the watch has not seen withdrawn counts.
    const endpoints = new Set([...(slices?.endpoints ?? []), ...watched]);
    const contents = await Promise.all(
      [...endpoints].map(async (endpoint) => ({ endpoint, content: await this.#content(endpoint, signal) })),
    );
    signal.throwIfAborted();

    const proven = new Map<VirtualWorkspaceUrl, number>();
    for (const { endpoint, content } of contents) {
      this.#feed(endpoint, content, writer);
      if (content !== undefined && this.#isSeen(endpoint, content)) proven.set(endpoint, beganMs);
    }
    // No endpoint shows them any more, and that alone drops no rule here either.
    for (const endpoint of source.seen.endpoints()) if (!endpoints.has(endpoint)) this.#feedSeen(endpoint, ['rules'], writer);
    if (slices !== undefined) writer.endpointsRead([...endpoints]);
    const isSliceSeen = slices !== undefined && isSameSet(slices.endpoints, new Set(source.state().endpoints.keys()));
    this.#proofs = { sliceMs: isSliceSeen ? beganMs : undefined, endpointsMs: proven };
    for (const path of reader.unresolvedPaths()) writer.pathResolved(path, registry.paths.clusterOf(path));
    for (const cluster of new Set(reader.snapshot().rules.map((rule) => rule.cluster))) {
      const path = registry.paths.pathOf(cluster);
      if (path !== undefined) writer.pathResolved(path, cluster);
    }
    return { registry: reader, isFillingUp: slices !== undefined && clock.now() - slices.madeMs < sliceFillsUpMs };
  }

  async #slices(signal: AbortSignal): Promise<SliceContent | undefined> {
    try {
      return await readSlices(this.#dependencies.home, { signal, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      this.#logger.warn('endpoint slice cannot be read live', { error });
      return undefined;
    }
  }

  async #content(endpoint: VirtualWorkspaceUrl, signal: AbortSignal): Promise<EndpointContent | undefined> {
    const { clock, connection } = this.#dependencies;
    const beganMs = clock.monotonic();
    if (beganMs < (this.#restsUntilMs.get(endpoint) ?? -Infinity)) return undefined;
    try {
      const content = await readEndpoint(connection, endpoint, { signal, timeoutMs: TIMEOUT_MS });
      this.#restsUntilMs.delete(endpoint);
      return content;
    } catch (error) {
      if (!signal.aborted) {
        const endedMs = clock.monotonic();
        this.#restsUntilMs.set(endpoint, endedMs + Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, REST * (endedMs - beganMs))));
        this.#logger.warn('endpoint cannot be read live', { endpoint, error });
      }
      return undefined;
    }
  }

  #feed(endpoint: VirtualWorkspaceUrl, content: EndpointContent | undefined, writer: RegistryWriter): void {
    if (content === undefined) {
      this.#feedSeen(endpoint, ['rules', 'bindings'], writer);
      return;
    }
    const feed = this.#feedTo(writer);
    for (const kind of DECIDING_KINDS) feed.take(endpoint, kind, { kind: 'replaced', objects: content[kind] });
  }

  /** What the watch of an endpoint has shown. */
  #feedSeen(endpoint: VirtualWorkspaceUrl, kinds: readonly DecidingKind[], writer: RegistryWriter): void {
    const feed = this.#feedTo(writer);
    for (const kind of kinds) {
      const seen = [...this.#dependencies.source.seen.all(kind)].filter((each) => each.endpoint === endpoint);
      for (const { cluster, object } of seen) feed.take(endpoint, kind, { kind: 'applied', object: { cluster, object } });
    }
  }

  #feedTo(registry: RegistryWriter): RegistryFeed {
    const { exportName } = this.#dependencies.home;
    return new RegistryFeed({ exportName, registry, seen: new SeenObjects(), hints: new PathHints() });
  }

  /** Whether the watches of an endpoint show exactly what was just read. */
  #isSeen(endpoint: VirtualWorkspaceUrl, content: EndpointContent): boolean {
    const { seen } = this.#dependencies.source;
    return DECIDING_KINDS.every((kind) => {
      const watched = [...seen.all(kind)].filter((each) => each.endpoint === endpoint);
      const versionOf = new Map(
        watched.map(({ cluster, object: { metadata } }) => [`${cluster}/${metadata.name ?? ''}`, metadata.resourceVersion]),
      );
      const isSame = content[kind].every(
        ({ cluster, object: { metadata } }) => versionOf.get(`${cluster}/${metadata.name ?? ''}`) === metadata.resourceVersion,
      );
      return isSame && watched.length === content[kind].length && seen.hasListed(endpoint, kind);
    });
  }
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
