import {
  CLUSTER_ANNOTATION,
  groupVersionResourceKey,
  parseLogicalClusterName,
  type GroupVersionResource,
  type KubeObject,
} from '@dep-ctrl/kcp-names';
import {
  KcpError,
  parseVirtualWorkspaceUrl,
  silentLogger,
  systemClock,
  VirtualWorkspace,
  type Clock,
  type EndpointEvent,
  type EndpointsState,
  type Freshness,
  type Logger,
  type Observed,
  type RawRequest,
  type TakeEvent,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { ExportStore, type StoreConnection } from '../store/export-store.js';
import type { ExportStoresOptions, StoreOptions } from '../store/export-stores.js';
import { StoreContent } from '../store/store-content.js';
import type { IndexValues } from '../store/store-index.js';

/** How these stores differ from the usual ones; see `ExportStoresOptions`. */
export type FedStoresOptions = Pick<ExportStoresOptions, 'clock' | 'logger' | 'keepsWithdrawn'>;

/** Stores without a kcp, for specs: fed by hand with what an endpoint would show. Requests of their clients are refused, with what was asked. */
export class FedStores {
  readonly #stores = new Map<string, (event: EndpointEvent) => void>();
  readonly #types = new Map<string, GroupVersionResource>();
  readonly #named = new Set<VirtualWorkspaceUrl>();
  readonly #failures = new Map<VirtualWorkspaceUrl, KcpError>();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #keepsWithdrawn: boolean;
  readonly #listeners = new Set<TakeEvent<EndpointEvent>>();
  #versions = 0;

  constructor({ clock = systemClock, logger = silentLogger, keepsWithdrawn = false }: FedStoresOptions = {}) {
    this.#clock = clock;
    this.#logger = logger;
    this.#keepsWithdrawn = keepsWithdrawn;
  }

  /** Makes a store. Call it before anything is told. */
  store<T, I extends string = never>({ type, parse, indexes }: StoreOptions<T, I>): ExportStore<T, I> {
    const noIndexes = {} as Readonly<Record<I, IndexValues<T>>>; // without indexes I is never
    const content = new StoreContent<T, I>({ parse, indexes: indexes ?? noIndexes, keepsWithdrawn: this.#keepsWithdrawn });
    const environment = { connection: refusing, endpoints: () => this.#state(), clock: this.#clock, logger: this.#logger };
    const store = new ExportStore<T, I>(type, content, environment);
    this.#types.set(groupVersionResourceKey(type), type);
    this.#stores.set(groupVersionResourceKey(type), (event) => store.take(event));
    return store;
  }

  /** As `ExportStores.subscribe`. */
  subscribe(listener: TakeEvent<EndpointEvent>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The slice names these endpoints now; new ones have listed nothing yet. */
  name(...endpoints: readonly VirtualWorkspaceUrl[]): void {
    const withdrawn = [...this.#named].filter((endpoint) => !endpoints.includes(endpoint));
    const appeared = endpoints.filter((endpoint) => !this.#named.has(endpoint));
    for (const endpoint of withdrawn) this.#named.delete(endpoint);
    for (const endpoint of appeared) this.#named.add(endpoint);
    for (const endpoint of withdrawn) this.#tellAll({ kind: 'withdrawn', endpoint });
    for (const endpoint of appeared) this.#tellAll({ kind: 'appeared', endpoint });
    this.#tellAll({ kind: 'named', endpoints });
  }

  /** An endpoint has listed a type: exactly these objects. */
  list(type: GroupVersionResource, objects: readonly KubeObject[], endpoint = ENDPOINT): void {
    this.#tell({ kind: 'observed', endpoint, type, event: { kind: 'replaced', objects: objects.map((object) => this.#observed(object)) } });
  }

  /** An object was made or changed. One without a resourceVersion gets a new one. */
  apply(type: GroupVersionResource, object: KubeObject, endpoint = ENDPOINT): void {
    this.#tell({ kind: 'observed', endpoint, type, event: { kind: 'applied', object: this.#observed(object) } });
  }

  /** An object is gone. */
  delete(type: GroupVersionResource, object: KubeObject, endpoint = ENDPOINT): void {
    this.#tell({ kind: 'observed', endpoint, type, event: { kind: 'deleted', object: this.#observed(object) } });
  }

  /** An endpoint refuses to list. */
  fail(endpoint: VirtualWorkspaceUrl, problem = 'it is away'): void {
    this.#failures.set(endpoint, new KcpError({ code: 'unreachable', asked: 'list', at: endpoint, problem }));
  }

  /** One endpoint, and all types listed there with nothing in them. */
  begin(): this {
    this.name(ENDPOINT);
    for (const type of this.#types.values()) this.list(type, []);
    return this;
  }

  #state(): EndpointsState {
    const freshness = (endpoint: VirtualWorkspaceUrl): Freshness => {
      const lastError = this.#failures.get(endpoint);
      return lastError === undefined ? { synced: false } : { synced: false, lastError };
    };
    const each = (endpoint: VirtualWorkspaceUrl) => new Map([...this.#stores.keys()].map((key) => [key, freshness(endpoint)] as const));
    return {
      slice: { kind: 'read' },
      sliceFreshness: { synced: true },
      endpoints: new Map([...this.#named].map((endpoint) => [endpoint, each(endpoint)])),
    };
  }

  #observed(object: KubeObject): Observed {
    const cluster = parseLogicalClusterName(object.metadata.annotations?.[CLUSTER_ANNOTATION] ?? 'cluster-1');
    if (!cluster.ok) throw new Error(cluster.problem);
    this.#versions += 1;
    const resourceVersion = object.metadata.resourceVersion ?? String(this.#versions);
    return { cluster: cluster.value, object: { ...object, metadata: { ...object.metadata, resourceVersion } } };
  }

  #tell(event: EndpointEvent & { readonly kind: 'observed' }): void {
    const take = this.#stores.get(groupVersionResourceKey(event.type));
    if (take === undefined) throw new Error(`there is no store of ${groupVersionResourceKey(event.type)}`);
    take(event);
    for (const listener of this.#listeners) listener(event);
  }

  #tellAll(event: EndpointEvent): void {
    for (const take of this.#stores.values()) take(event);
    for (const listener of this.#listeners) listener(event);
  }
}

const ENDPOINT = urlOf('https://shard.example.com/services/apiexport/root/example');

function urlOf(text: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(text);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

function refuse({ asked, url }: Pick<RawRequest, 'asked' | 'url'>): Promise<never> {
  return Promise.reject(
    new KcpError({ code: 'unreachable', asked, at: new URL(url).origin, problem: 'there is no kcp behind these stores' }),
  );
}

const refusing: StoreConnection = {
  baseUrl: 'https://kcp.example.com',
  virtualWorkspace: (url) => new VirtualWorkspace(refusing, url),
  request: (request) => refuse(request),
  open: (request) => refuse(request),
};
