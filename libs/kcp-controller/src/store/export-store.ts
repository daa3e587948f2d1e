// The readers' side of a store. Its content is fed by ExportStores.
import type { GroupVersionResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type {
  ClusterClient,
  Clock,
  Connection,
  EndpointEvent,
  EndpointsState,
  Logger,
  Requester,
  VirtualWorkspaces,
  VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { endpointListings, missingListings, type EndpointListing } from './endpoint-listings.js';
import type { StoreContent } from './store-content.js';
import { isStored, keyOf, nameOf, type BrokenObject, type ObjectName, type ObjectPlace, type Stored, type StoreChange } from './stored.js';
import { OncePerText } from './once-per-text.js';

/** What a store tells its listeners, after the store was changed. What they throw ends the operator. */
export interface StoreListener<T> {
  changed(changes: readonly StoreChange<T>[]): void;
  /** An endpoint has listed everything, with or without a change. */
  listed?(endpoint: VirtualWorkspaceUrl): void;
}

/** What clients of endpoints are made of: a `Connection`, or one around it. */
export type StoreConnection = Requester & Pick<Connection, 'baseUrl' | 'virtualWorkspace'>;

/** What a store works with. */
export interface StoreEnvironment {
  readonly connection: StoreConnection;
  /** The state of the endpoints. */
  readonly endpoints: () => EndpointsState;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How patient {@link ExportStore.whenSynced} is. */
export interface SyncOptions {
  /** How long to wait for an endpoint that neither lists nor fails, from the moment at which the endpoint slice was read. Default 10 s. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** All objects of one type, on all shards and in all workspaces that bind the export. `ExportStores` makes and feeds it. */
export class ExportStore<T, I extends string = never> {
  readonly type: GroupVersionResource;
  readonly #content: StoreContent<T, I>;
  readonly #environment: StoreEnvironment;
  readonly #listeners = new Set<StoreListener<T>>();
  readonly #undecodable = new OncePerText();
  readonly #broken = new OncePerText();

  constructor(type: GroupVersionResource, content: StoreContent<T, I>, environment: StoreEnvironment) {
    this.type = type;
    this.#content = content;
    this.#environment = environment;
  }

  /** Objects that could be parsed. */
  get size(): number {
    return this.#content.size;
  }

  /** The connection that reads the endpoints. */
  get connection(): StoreConnection {
    return this.#environment.connection;
  }

  /** An object as it was seen last; undefined where there is none, or it cannot be parsed (see `brokenAt`). */
  get(name: ObjectName): Stored<T> | undefined {
    const entry = this.#content.get(name);
    return isStored(entry) ? entry : undefined;
  }

  /** The problem of an object that cannot be parsed. */
  brokenAt(name: ObjectName): BrokenObject | undefined {
    const entry = this.#content.get(name);
    return entry === undefined || isStored(entry) ? undefined : entry;
  }

  /** All objects, one at a time: an array of very many costs. */
  *[Symbol.iterator](): Iterator<Stored<T>> {
    for (const entry of this.#content.entries()) if (isStored(entry)) yield entry;
  }

  /** All objects, or those of one workspace. */
  list(cluster?: LogicalClusterName): readonly Stored<T>[] {
    return [...this.#content.entries(cluster)].filter(isStored);
  }

  /** What one endpoint shows, of all workspaces or of one: also what counts no more, because another endpoint shows it too. */
  at(endpoint: VirtualWorkspaceUrl, cluster?: LogicalClusterName): readonly Stored<T>[] {
    return [...this.#content.at(endpoint, cluster)].filter(isStored);
  }

  /** All objects that cannot be parsed. */
  broken(): readonly BrokenObject[] {
    return [...this.#content.entries()].flatMap((entry) => (isStored(entry) ? [] : [entry]));
  }

  /** The objects that an index has under a value. */
  by(index: I, value: string): readonly Stored<T>[] {
    return [...this.#content.by(index, value)];
  }

  /** A client of the workspace of an object, by the endpoint that shows it. It writes whether this process leads or not; a reconcile has a better one. */
  clientOf({ endpoint, cluster }: ObjectPlace, connection: VirtualWorkspaces = this.connection): ClusterClient {
    return connection.virtualWorkspace(endpoint).cluster(cluster);
  }

  /** What is known of each endpoint for this type. */
  listings(): ReadonlyMap<VirtualWorkspaceUrl, EndpointListing> {
    return endpointListings(this.type, this.#content, this.#environment.endpoints());
  }

  /** Whether the endpoint slice was read and every endpoint that it names has listed this type: nothing is missing but what is on its way. */
  isWhole(): boolean {
    const named = this.#content.named();
    return named !== 'unread' && [...named].every((endpoint) => this.#content.hasListed(endpoint));
  }

  /** Whether this endpoint has listed this type since the slice names it. What a withdrawn one listed counts for as long as something of it is shown. */
  hasListed(endpoint: VirtualWorkspaceUrl): boolean {
    return this.#content.hasListed(endpoint);
  }

  /** Endpoints that the slice no longer names and whose objects are still shown, with the workspaces of these objects. */
  withdrawn(): ReadonlyMap<VirtualWorkspaceUrl, readonly LogicalClusterName[]> {
    return this.#content.clustersWithdrawn();
  }

  /** Forgets what a withdrawn endpoint showed of a workspace: for an owner with proof that it is gone, or is elsewhere. See `keepsWithdrawn`. */
  forget(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): void {
    this.#tell(this.#content.forget(endpoint, cluster));
  }

  /** Whether the slice names this endpoint, and it has not listed this type yet. */
  awaits(endpoint: VirtualWorkspaceUrl): boolean {
    const named = this.#content.named();
    return named !== 'unread' && named.has(endpoint) && !this.#content.hasListed(endpoint);
  }

  /**
   * Waits until the endpoint slice was read and every endpoint that it names has listed this type, has failed, or has had its time. Answers with those that
   * have not listed: their objects are unknown. Rejects with the reason of the signal.
   */
  async whenSynced(signal: AbortSignal, { patienceMs = PATIENCE_MS }: SyncOptions = {}): Promise<readonly VirtualWorkspaceUrl[]> {
    const { clock } = this.#environment;
    let readMs: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      if (this.#content.named() !== 'unread') {
        readMs ??= clock.monotonic();
        const { syncing, away } = missingListings(this.listings());
        if (syncing.length === 0 || clock.monotonic() - readMs >= patienceMs) return [...syncing, ...away];
      }
      await clock.sleep(LOOK_MS, { signal });
    }
  }

  /** Tells of every change from now on, until the returned function is called. */
  subscribe(listener: StoreListener<T>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes in an event; `observed` of this type only. For the one that feeds this store. */
  take(event: EndpointEvent): void {
    const { changes, undecodable } = this.#content.take(event);
    if (undecodable !== undefined) this.#tellUndecodable(undecodable);
    this.#tell(changes);
    if (event.kind !== 'observed' || event.event.kind !== 'replaced') return;
    for (const listener of this.#listeners) listener.listed?.(event.endpoint);
  }

  #tell(changes: readonly StoreChange<T>[]): void {
    for (const change of changes) {
      if (change.kind === 'broken') this.#tellBroken(change.now);
      if (change.kind === 'stored' && !this.#broken.isEmpty) this.#broken.forget(keyOf(nameOf(change.now)));
    }
    if (changes.length > 0) for (const listener of this.#listeners) listener.changed(changes);
  }

  /** Once, until it can be read again: whoever edits it in a loop must not fill the log. */
  #tellBroken(object: BrokenObject): void {
    if (!this.#broken.isNew(keyOf(nameOf(object)))) return;
    const { cluster, metadata, problem } = object;
    const { namespace, name, resourceVersion } = metadata;
    const { resource } = this.type;
    this.#environment.logger.warn('object cannot be read', { resource, cluster, namespace, name, resourceVersion, problem });
  }

  /** A relist shows it again: it is told once. */
  #tellUndecodable(problem: string): void {
    if (this.#undecodable.isNew(problem)) this.#environment.logger.warn('object cannot be read', { resource: this.type.resource, problem });
  }
}
