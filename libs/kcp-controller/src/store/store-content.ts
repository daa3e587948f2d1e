/*
 * What a store holds, from the events of the endpoints. Pure but for what it holds. After any mix of events the objects and the indexes are those that the
 * endpoints showed last. Objects of a withdrawn endpoint stay until every endpoint that the slice names has listed: a shard with a new address shows the
 * same objects under another endpoint, and they are not gone. With `keepsWithdrawn` they stay until somebody who knows better has them forgotten.
 */
import type { KubeObject, LogicalClusterName, ObjectMeta, Parsed } from '@dep-ctrl/kcp-names';
import type { EndpointEvent, Observed, ReflectorEvent, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { EndpointShelves, type Difference, type Shelf, type Slot } from './endpoint-shelves.js';
import type { IndexValues } from './store-index.js';
import { StoreIndexes } from './store-indexes.js';
import {
  isSameObject,
  isStored,
  localKey,
  type BrokenObject,
  type Entry,
  type GoneBecause,
  type ObjectName,
  type ObjectPlace,
  type Stored,
  type StoreChange,
} from './stored.js';

/** Makes a value of an object, or says what is wrong with it. What it throws counts as a problem too. */
export type ParseObject<T> = (object: KubeObject) => Parsed<T>;

/** What the content of a store is made of. */
export interface StoreContentOptions<T, I extends string> {
  readonly parse: ParseObject<T>;
  readonly indexes: Readonly<Record<I, IndexValues<T>>>;
  readonly keepsWithdrawn?: boolean;
}

/** What an event was to the content. */
export interface ContentStep<T> {
  readonly changes: readonly StoreChange<T>[];
  /** What came and is no object of a workspace. */
  readonly undecodable?: string;
}

const NOTHING_CHANGED: ContentStep<never> = { changes: [] };

/** Far more than there will be turns: a withdrawn endpoint counts less than any that is named, and less than one that was withdrawn later. */
const WITHDRAWN = 2 ** 50;

/**
 * An object that could be parsed. A class, not a literal: of literals that stay, as those of a large list do, V8 makes all later ones old from the beginning,
 * and with each comes what it refers to, so that events would cost twice as much (measured with 100 000 objects).
 */
class Kept<T> implements Stored<T> {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly cluster: LogicalClusterName;
  readonly metadata: ObjectMeta;
  readonly value: T;

  constructor({ endpoint, cluster }: ObjectPlace, metadata: ObjectMeta, value: T) {
    this.endpoint = endpoint;
    this.cluster = cluster;
    this.metadata = metadata;
    this.value = value;
  }
}

/** The content of one store. */
export class StoreContent<T, I extends string> {
  readonly #parse: ParseObject<T>;
  readonly #indexes: StoreIndexes<T, I>;
  readonly #keepsWithdrawn: boolean;
  readonly #shelves = new EndpointShelves<T>();
  /** The endpoints that the slice names, once it was read. */
  #named: ReadonlySet<VirtualWorkspaceUrl> | undefined;
  readonly #listed = new Set<VirtualWorkspaceUrl>();
  /** Of broken objects: the last version that could be parsed. */
  readonly #lasts = new WeakMap<BrokenObject, Stored<T>>();
  /** How often an endpoint appeared or was withdrawn. */
  #turns = 0;
  #size = 0;

  constructor({ parse, indexes, keepsWithdrawn = false }: StoreContentOptions<T, I>) {
    this.#parse = parse;
    this.#keepsWithdrawn = keepsWithdrawn;
    this.#indexes = new StoreIndexes(indexes);
  }

  /** Objects that could be parsed. */
  get size(): number {
    return this.#size;
  }

  get(name: ObjectName): Entry<T> | undefined {
    return this.#shelves.get(name.cluster, localKey(name));
  }

  entries(cluster?: LogicalClusterName): Iterable<Entry<T>> {
    return cluster === undefined ? this.#shelves.all() : this.#shelves.inCluster(cluster);
  }

  at(endpoint: VirtualWorkspaceUrl, cluster?: LogicalClusterName): Iterable<Entry<T>> {
    return this.#shelves.at(endpoint, cluster);
  }

  by(index: I, value: string): Iterable<Stored<T>> {
    return this.#indexes.by(index, value);
  }

  /** The endpoints that the slice names. */
  named(): ReadonlySet<VirtualWorkspaceUrl> | 'unread' {
    return this.#named ?? 'unread';
  }

  hasListed(endpoint: VirtualWorkspaceUrl): boolean {
    return this.#listed.has(endpoint);
  }

  /** Endpoints that the slice no longer names, and whose objects are not proven gone. */
  withdrawn(): readonly VirtualWorkspaceUrl[] {
    const named = this.#named;
    return named === undefined ? [] : [...this.#shelves.endpoints()].filter((endpoint) => !named.has(endpoint));
  }

  /** What endpoints show that the slice no longer names: their workspaces. */
  clustersWithdrawn(): ReadonlyMap<VirtualWorkspaceUrl, readonly LogicalClusterName[]> {
    const shown = this.withdrawn().map((endpoint) => [endpoint, this.#shelves.clustersAt(endpoint)] as const);
    return new Map(shown.filter(([, clusters]) => clusters.length > 0));
  }

  /** Drops what a withdrawn endpoint shows of a workspace. */
  forget(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): readonly StoreChange<T>[] {
    if (!this.withdrawn().includes(endpoint)) return [];
    const { changes } = this.#changes(this.#shelves.dropCluster(endpoint, cluster), 'withdrawn');
    if (!this.withdrawn().includes(endpoint)) this.#listed.delete(endpoint);
    return changes;
  }

  /** Takes in an event of the endpoints; `observed` of this store's type only. */
  take(event: EndpointEvent): ContentStep<T> {
    switch (event.kind) {
      case 'appeared': {
        this.#listed.delete(event.endpoint);
        this.#turns += 1;
        return this.#changes(this.#shelves.rank(event.endpoint, this.#turns));
      }
      case 'withdrawn': {
        this.#turns += 1;
        return this.#changes(this.#shelves.rank(event.endpoint, this.#turns - WITHDRAWN));
      }
      case 'named': {
        this.#named = new Set(event.endpoints);
        return { changes: this.#dropWithdrawn() };
      }
      case 'observed':
        return this.#observe(event.endpoint, event.event);
      default:
        return event satisfies never;
    }
  }

  #observe(endpoint: VirtualWorkspaceUrl, event: ReflectorEvent): ContentStep<T> {
    switch (event.kind) {
      case 'replaced': {
        const { changes } = this.#changes(this.#shelves.replace(endpoint, this.#shelfOf(endpoint, event.objects)));
        this.#listed.add(endpoint);
        return { changes: [...changes, ...this.#dropWithdrawn()] };
      }
      case 'applied': {
        const { cluster, object } = event.object;
        const local = localKey(object.metadata);
        const alone = this.#shelves.alone(endpoint, cluster);
        const held = alone === undefined ? this.#shelves.held(endpoint, cluster, local) : alone.get(local);
        if (held !== undefined && isVersion(held.entry, object.metadata)) return NOTHING_CHANGED;
        const entry = this.#entryOf(endpoint, event.object);
        // Nearly every event comes here: there is nothing to compare with other endpoints.
        if (alone !== undefined && held !== undefined) return { changes: this.#renew(held, entry) };
        return this.#changes(this.#shelves.set({ entry }, local));
      }
      case 'deleted': {
        const { cluster, object } = event.object;
        return this.#changes(this.#shelves.delete(endpoint, cluster, localKey(object.metadata)));
      }
      case 'undecodable':
        return { changes: [], undecodable: event.problem };
      default:
        return event satisfies never;
    }
  }

  #dropWithdrawn(): readonly StoreChange<T>[] {
    const named = this.#named;
    if (named === undefined || ![...named].every((endpoint) => this.#listed.has(endpoint))) return [];
    return this.withdrawn().flatMap((endpoint) => {
      if (this.#keepsWithdrawn && this.#shelves.clustersAt(endpoint).length > 0) return [];
      this.#listed.delete(endpoint);
      return this.#changes(this.#shelves.drop(endpoint), 'withdrawn').changes;
    });
  }

  #shelfOf(endpoint: VirtualWorkspaceUrl, objects: readonly Observed[]): Shelf<T> {
    const shelf: Shelf<T> = new Map();
    for (const observed of objects) {
      const { cluster, object } = observed;
      const local = localKey(object.metadata);
      const slots = shelf.get(cluster) ?? new Map<string, Slot<T>>();
      const held = this.#shelves.held(endpoint, cluster, local);
      const isHeld = held !== undefined && isVersion(held.entry, object.metadata);
      shelf.set(cluster, slots.set(local, isHeld ? held : { entry: this.#entryOf(endpoint, observed) }));
    }
    return shelf;
  }

  #entryOf(endpoint: VirtualWorkspaceUrl, { cluster, object }: Observed): Entry<T> {
    const { metadata } = object;
    const parsed = this.#parsed(object);
    if (!parsed.ok) return { endpoint, cluster, metadata, problem: parsed.problem };
    const stored = new Kept({ endpoint, cluster }, metadata, parsed.value);
    const problem = this.#indexes.problem(stored);
    return problem === undefined ? stored : { endpoint, cluster, metadata, problem };
  }

  #parsed(object: KubeObject): Parsed<T> {
    try {
      return this.#parse(object);
    } catch (error) {
      return { ok: false, problem: `the parser threw: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #changes(differences: readonly Difference<T>[], because: GoneBecause = 'deleted'): ContentStep<T> {
    const changes: StoreChange<T>[] = [];
    for (const { before, after } of differences) {
      const last = this.#lastGood(before?.entry, after?.entry);
      if (before !== undefined) this.#uncount(before);
      if (after !== undefined) this.#count(after);
      for (const change of changesOf(last, after?.entry, because)) changes.push(change);
    }
    return { changes };
  }

  /** Puts a version in the place of another one, in a slot that counts. */
  #renew(slot: Slot<T>, after: Entry<T>): readonly StoreChange<T>[] {
    const before = slot.entry;
    const last = this.#lastGood(before, after);
    if (isStored(before) && isStored(after)) {
      slot.entry = after;
      this.#indexes.renew(slot, before, after);
    } else {
      this.#uncount(slot);
      slot.entry = after;
      this.#count(slot);
    }
    return changesOf(last, after, 'deleted');
  }

  /** The last version that could be parsed. Of an object that is broken now it is remembered. */
  #lastGood(before: Entry<T> | undefined, after: Entry<T> | undefined): Stored<T> | undefined {
    const last = isStored(before) ? before : before && this.#lasts.get(before);
    if (after === undefined || isStored(after)) return last;
    if (last !== undefined && isSameObject(last, after)) this.#lasts.set(after, last);
    else this.#lasts.delete(after);
    return last;
  }

  #count(slot: Slot<T>): void {
    if (!isStored(slot.entry)) return;
    this.#indexes.add(slot, slot.entry);
    this.#size += 1;
  }

  #uncount(slot: Slot<T>): void {
    if (!isStored(slot.entry)) return;
    this.#indexes.remove(slot, slot.entry);
    this.#size -= 1;
  }
}

/**
 * What the entry that takes the place of a version means to readers, who know the last version that could be parsed. An object that was made anew under the
 * same name is another one. Pure.
 */
export function changesOf<T>(last: Stored<T> | undefined, after: Entry<T> | undefined, because: GoneBecause): readonly StoreChange<T>[] {
  if (after === undefined) return last === undefined ? [] : [{ kind: 'gone', before: last, because }];
  if (last === undefined) return [isStored(after) ? { kind: 'stored', now: after } : { kind: 'broken', now: after }];
  if (!isSameObject(last, after)) return [{ kind: 'gone', before: last, because: 'deleted' }, ...changesOf(undefined, after, because)];
  return [isStored(after) ? { kind: 'stored', now: after, before: last } : { kind: 'broken', now: after, before: last }];
}

function isVersion({ metadata: held }: Entry<unknown>, { uid, resourceVersion }: KubeObject['metadata']): boolean {
  return resourceVersion !== undefined && held.resourceVersion === resourceVersion && held.uid === uid;
}
