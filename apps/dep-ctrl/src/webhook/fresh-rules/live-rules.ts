// Reads all endpoints live, into a registry of its own. An endpoint that cannot be read adds the rules that its watch has shown, but not its guards: so
// only the workspaces behind it become unknown. Guards behind other endpoints tell whether such a rule is still in the version shown. Rules of a withdrawn
// endpoint count until they are proven gone, as in the watched registry.
import {
  silentLogger,
  type Clock,
  type Connection,
  type ClusterClient,
  type Logger,
  type Observed,
  type VirtualWorkspaceUrl,
  type Stoppable,
} from '@dep-ctrl/kcp-client';
import { createRegistry, type RegistryReader } from '@dep-ctrl/rule-registry';
import { readSlices, type SliceContent } from '@dep-ctrl/exported-types';
import { feedOfLists, type RegistryFeed } from '../../rules/registry-feed.js';
import type { RuleSource } from '../../rules/rule-source.js';
import type { SeenObjects } from '../../rules/watched-objects.js';
import { readEndpoint, type EndpointContent } from './live-endpoint.js';
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
    const { clock, home, registry, source, sliceFillsUpMs = SLICE_FILLS_UP_MS } = this.#dependencies;
    const { reader, writer } = createRegistry();
    const feed = feedOfLists({ exportName: home.exportName, reader, writer });
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
      this.#feed(endpoint, content, feed);
      if (content !== undefined && this.#isSeen(endpoint, content)) proven.set(endpoint, beganMs);
    }
    // No endpoint shows them any more, and that alone drops no rule here either.
    for (const endpoint of source.seen.rules.withdrawn().keys()) {
      if (!endpoints.has(endpoint)) this.#feedSeen(endpoint, [source.seen.rules], feed);
    }
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

  #feed(endpoint: VirtualWorkspaceUrl, content: EndpointContent | undefined, feed: RegistryFeed): void {
    const { rules, bindings } = this.#dependencies.source.seen;
    if (content === undefined) {
      this.#feedSeen(endpoint, [rules, bindings], feed);
      return;
    }
    for (const [type, objects] of content) feed.take({ kind: 'observed', endpoint, type, event: { kind: 'replaced', objects } });
  }

  /** What the watch of an endpoint has shown. */
  #feedSeen(endpoint: VirtualWorkspaceUrl, stores: readonly SeenObjects[], feed: RegistryFeed): void {
    for (const store of stores) {
      for (const { cluster, value: object } of store.at(endpoint)) {
        feed.take({ kind: 'observed', endpoint, type: store.type, event: { kind: 'applied', object: { cluster, object } } });
      }
    }
  }

  /** Whether the watches of an endpoint show exactly what was just read. */
  #isSeen(endpoint: VirtualWorkspaceUrl, content: EndpointContent): boolean {
    const { rules, guards, bindings } = this.#dependencies.source.seen;
    return [rules, guards, bindings].every((store) => {
      const watched = store.at(endpoint).map(({ cluster, value }) => versionOf({ cluster, object: value }));
      const read = (content.get(store.type) ?? []).map(versionOf);
      return store.hasListed(endpoint) && isSameSet(new Set(watched), new Set(read));
    });
  }
}

function versionOf({ cluster, object: { metadata } }: Observed): string {
  return `${cluster}/${metadata.name ?? ''} ${metadata.resourceVersion ?? ''}`;
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
