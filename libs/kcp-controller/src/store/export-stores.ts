/*
 * Follows an APIExport on all shards and feeds one store per type. All stores of an export share its endpoint slice, so that they agree about which
 * endpoints there are.
 */
import { groupVersionResourceKey, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  ExportEndpoints,
  runAll,
  silentLogger,
  systemClock,
  type EndpointEvent,
  type EndpointsState,
  type ExportEndpointsOptions,
  type KeepObject,
  type Runnable,
  type TakeEvent,
} from '@dep-ctrl/kcp-client';
import { ExportStore, type StoreConnection } from './export-store.js';
import { StoreContent, type ParseObject } from './store-content.js';
import type { IndexValues } from './store-index.js';

/**
 * Stands between the watches and the stores, and may hold changes of objects back. No older state of an object comes after a newer one or after a list of
 * its endpoint, and nothing of an endpoint comes after its `withdrawn`.
 */
export interface EventGate extends Runnable {
  take(event: EndpointEvent): void;
}

/** Which export to follow. */
export interface ExportStoresOptions extends Omit<ExportEndpointsOptions, 'connection' | 'types' | 'keep' | 'onEvent'> {
  readonly connection: StoreConnection;
  /** Makes a gate that events pass before the stores see them: for objects that somebody else may change in a loop. Default: none. */
  readonly gate?: (handOn: TakeEvent<EndpointEvent>) => EventGate;
  /**
   * Objects of an endpoint that the slice no longer names stay until `ExportStore.forget`: for who has better proof of an absence than that every endpoint
   * has listed. Default: they go then.
   */
  readonly keepsWithdrawn?: boolean;
}

/** What one store holds. */
export interface StoreOptions<T, I extends string = never> {
  readonly type: GroupVersionResource;
  /** Makes a value of an object, or says what is wrong. Such an object is told once per version and stops no other. */
  readonly parse: ParseObject<T>;
  /** Ways to find objects beside their names. The functions are pure. */
  readonly indexes?: Readonly<Record<I, IndexValues<T>>>;
  /** What to keep of an object before it is parsed; undefined: it is as if it were not there. Keep name, namespace, uid and resourceVersion. Default: all. */
  readonly keep?: KeepObject;
}

interface Fed {
  readonly type: GroupVersionResource;
  readonly keep: KeepObject | undefined;
  readonly take: (event: EndpointEvent) => void;
}

const NOTHING_READ: EndpointsState = { slice: { kind: 'unknown' }, sliceFreshness: { synced: false }, endpoints: new Map() };

/** The stores of one export. Make them with `store` before it runs. */
export class ExportStores implements Runnable {
  readonly #options: ExportStoresOptions;
  readonly #fed = new Map<string, Fed>();
  readonly #byType = new Map<GroupVersionResource, Fed>();
  readonly #listeners = new Set<TakeEvent<EndpointEvent>>();
  #endpoints: ExportEndpoints | undefined;
  #gate: EventGate | undefined;

  constructor(options: ExportStoresOptions) {
    this.#options = options;
  }

  /** Makes the store of a type. Throws a TypeError once it runs, and for a type that has a store. */
  store<T, I extends string = never>({ type, parse, indexes, keep }: StoreOptions<T, I>): ExportStore<T, I> {
    const key = groupVersionResourceKey(type);
    if (this.#endpoints !== undefined) throw new TypeError(`the store of ${key} has to be made before its export is followed`);
    if (this.#fed.has(key)) throw new TypeError(`there is a store of ${key} already`);
    const { clock = systemClock, logger = silentLogger, keepsWithdrawn = false } = this.#options;
    const content = new StoreContent<T, I>({ parse, indexes: indexes ?? noIndexes<T, I>(), keepsWithdrawn });
    const store = new ExportStore<T, I>(type, content, {
      connection: this.#options.connection,
      endpoints: () => this.state(),
      clock,
      logger,
    });
    const fed: Fed = { type, keep, take: (event) => store.take(event) };
    this.#fed.set(key, fed);
    this.#byType.set(type, fed);
    return store;
  }

  /** The state of the endpoint slice, and how fresh each type is at each endpoint. */
  state(): EndpointsState {
    return this.#endpoints?.state() ?? NOTHING_READ;
  }

  /**
   * Tells of every event after the stores took it, until the returned function is called: for a second view of the same events, of each endpoint by itself.
   * What the listener throws ends the operator.
   */
  subscribe(listener: TakeEvent<EndpointEvent>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Follows the export until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    this.#gate ??= this.#options.gate?.((event) => this.#take(event));
    this.#endpoints ??= this.#follow(this.#gate ?? { take: (event) => this.#take(event) });
    return this.#gate === undefined ? this.#endpoints.run(signal) : runAll([this.#endpoints, this.#gate], signal);
  }

  #follow(first: Pick<EventGate, 'take'>): ExportEndpoints {
    const fed = this.#fed;
    const byType = this.#byType;
    const keep = (type: GroupVersionResource, object: KubeObject): KubeObject | undefined => {
      const kept = byType.get(type)?.keep;
      return kept === undefined ? object : kept(object);
    };
    const isKeeping = [...fed.values()].some((each) => each.keep !== undefined);
    return new ExportEndpoints({
      ...this.#options,
      types: [...fed.values()].map(({ type }) => type),
      ...(isKeeping ? { keep } : {}),
      onEvent: (event) => first.take(event),
    });
  }

  #take(event: EndpointEvent): void {
    // The type is the very object that the endpoints were given: an event is too cheap to make a key for.
    if (event.kind === 'observed') this.#byType.get(event.type)?.take(event);
    else for (const { take } of this.#fed.values()) take(event);
    for (const listener of this.#listeners) listener(event);
  }
}

function noIndexes<T, I extends string>(): Readonly<Record<I, IndexValues<T>>> {
  return {} as Readonly<Record<I, IndexValues<T>>>; // without indexes I is never
}
