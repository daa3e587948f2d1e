// The objects that each endpoint shows, by workspace. Usually one endpoint shows a workspace; where a shard has a new address, two do for a moment: then the
// endpoint of the higher rank counts. Pure: time and network are elsewhere.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { Entry } from './stored.js';

/** Where an endpoint shows one object: what refers to the object need not be told of each version that comes here. */
export interface Slot<T> {
  entry: Entry<T>;
}

/** Slots of one endpoint, by workspace and by name within it. */
export type Shelf<T> = Map<LogicalClusterName, Map<string, Slot<T>>>;

/** The slot that counted for one object before a change, and the one that counts now; either may be missing. */
export interface Difference<T> {
  readonly before: Slot<T> | undefined;
  readonly after: Slot<T> | undefined;
}

/** An endpoint that shows something of a workspace, and what: the same map that is in its shelf. */
interface Home<T> {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly slots: Map<string, Slot<T>>;
}

/** Names of objects, by workspace. */
type Names = readonly (readonly [LogicalClusterName, Iterable<string>])[];

const NONE: readonly never[] = [];

/** All shelves. Every change answers with the differences that it made to what counts. */
export class EndpointShelves<T> {
  readonly #shelves = new Map<VirtualWorkspaceUrl, Shelf<T>>();
  readonly #ranks = new Map<VirtualWorkspaceUrl, number>();
  /** The endpoints that show something of a workspace. */
  readonly #homes = new Map<LogicalClusterName, readonly Home<T>[]>();

  endpoints(): Iterable<VirtualWorkspaceUrl> {
    return this.#shelves.keys();
  }

  get(cluster: LogicalClusterName, local: string): Entry<T> | undefined {
    return this.#slot(cluster, local)?.entry;
  }

  /** What one endpoint shows, whether it counts or not. */
  held(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, local: string): Slot<T> | undefined {
    return this.#shelves.get(endpoint)?.get(cluster)?.get(local);
  }

  /** What an endpoint shows of a workspace that no other endpoint shows: what it has there counts, and a version may take the place of another one at once. */
  alone(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): Map<string, Slot<T>> | undefined {
    const homes = this.#homes.get(cluster);
    const [home] = homes ?? NONE;
    return homes?.length === 1 && home?.endpoint === endpoint ? home.slots : undefined;
  }

  *inCluster(cluster: LogicalClusterName): Iterable<Entry<T>> {
    const homes = this.#homes.get(cluster) ?? NONE;
    for (const { slots } of homes) {
      for (const [local, slot] of slots) if (homes.length === 1 || this.#best(homes, local) === slot) yield slot.entry;
    }
  }

  *all(): Iterable<Entry<T>> {
    for (const cluster of this.#homes.keys()) yield* this.inCluster(cluster);
  }

  set(slot: Slot<T>, local: string): readonly Difference<T>[] {
    const { endpoint, cluster } = slot.entry;
    const shelf = this.#shelf(endpoint);
    const slots = shelf.get(cluster);
    const before = this.#slot(cluster, local);
    if (slots === undefined) shelf.set(cluster, new Map([[local, slot]]));
    else slots.set(local, slot);
    this.#settle(endpoint, cluster);
    return difference(before, this.#slot(cluster, local));
  }

  delete(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, local: string): readonly Difference<T>[] {
    const before = this.#slot(cluster, local);
    this.#shelves.get(endpoint)?.get(cluster)?.delete(local);
    this.#settle(endpoint, cluster);
    return difference(before, this.#slot(cluster, local));
  }

  /** Swaps all that an endpoint shows. */
  replace(endpoint: VirtualWorkspaceUrl, next: Shelf<T>): readonly Difference<T>[] {
    const former = this.#shelf(endpoint);
    const isShared = (cluster: LogicalClusterName): boolean => this.#isShownBesides(endpoint, cluster);
    const own = ownDifferences(former, next, isShared);
    const clusters = [...new Set([...former.keys(), ...next.keys()])];
    const shared: Names = clusters
      .filter(isShared)
      .map((cluster) => [cluster, new Set([former, next].flatMap((shelf) => [...(shelf.get(cluster)?.keys() ?? NONE)]))]);
    const others = this.#comparing(shared, () => {
      this.#shelves.set(endpoint, next);
      for (const cluster of clusters) this.#settle(endpoint, cluster);
    });
    return [...own, ...others];
  }

  /** Sets which endpoint counts where several show an object: the one of the highest rank. */
  rank(endpoint: VirtualWorkspaceUrl, rank: number): readonly Difference<T>[] {
    const shared = [...this.#shelf(endpoint)].filter(([cluster]) => this.#isShownBesides(endpoint, cluster));
    const names: Names = shared.map(([cluster, slots]) => [cluster, slots.keys()]);
    return this.#comparing(names, () => this.#ranks.set(endpoint, rank));
  }

  /** The workspaces that an endpoint shows something of. */
  clustersAt(endpoint: VirtualWorkspaceUrl): readonly LogicalClusterName[] {
    return [...(this.#shelves.get(endpoint)?.keys() ?? NONE)];
  }

  /** What one endpoint shows, or what it shows of one workspace, whether it counts or not. */
  *at(endpoint: VirtualWorkspaceUrl, cluster?: LogicalClusterName): Iterable<Entry<T>> {
    const shelf = this.#shelves.get(endpoint);
    const shown = cluster === undefined ? shelf?.values() : [shelf?.get(cluster) ?? new Map<string, Slot<T>>()];
    for (const slots of shown ?? NONE) for (const { entry } of slots.values()) yield entry;
  }

  /** Takes away what an endpoint shows of one workspace; with the last one the endpoint itself. */
  dropCluster(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): readonly Difference<T>[] {
    const slots = this.#shelves.get(endpoint)?.get(cluster);
    const differences = [...(slots?.keys() ?? NONE)].flatMap((local) => this.delete(endpoint, cluster, local));
    if (this.#shelves.get(endpoint)?.size === 0) this.drop(endpoint);
    return differences;
  }

  /** Takes an endpoint away with all that it shows. */
  drop(endpoint: VirtualWorkspaceUrl): readonly Difference<T>[] {
    const differences = this.replace(endpoint, new Map());
    this.#shelves.delete(endpoint);
    this.#ranks.delete(endpoint);
    return differences;
  }

  /** What a change does to what counts of these objects. */
  #comparing(names: Names, change: () => void): readonly Difference<T>[] {
    const touched = names.flatMap(([cluster, locals]) =>
      [...locals].map((local) => ({ cluster, local, before: this.#slot(cluster, local) })),
    );
    change();
    return touched.flatMap(({ cluster, local, before }) => difference(before, this.#slot(cluster, local)));
  }

  #isShownBesides(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): boolean {
    return (this.#homes.get(cluster) ?? NONE).some((home) => home.endpoint !== endpoint);
  }

  #slot(cluster: LogicalClusterName, local: string): Slot<T> | undefined {
    return this.#best(this.#homes.get(cluster) ?? NONE, local);
  }

  #best(homes: readonly Home<T>[], local: string): Slot<T> | undefined {
    let best: Slot<T> | undefined;
    let highest = -Infinity;
    for (const { endpoint, slots } of homes) {
      const rank = this.#ranks.get(endpoint) ?? 0;
      const slot = slots.get(local);
      if (slot === undefined || rank <= highest) continue;
      best = slot;
      highest = rank;
    }
    return best;
  }

  #shelf(endpoint: VirtualWorkspaceUrl): Shelf<T> {
    const found: Shelf<T> = this.#shelves.get(endpoint) ?? new Map<LogicalClusterName, Map<string, Slot<T>>>();
    this.#shelves.set(endpoint, found);
    return found;
  }

  /** Keeps the homes of a workspace true, and no empty maps. */
  #settle(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): void {
    const shelf = this.#shelves.get(endpoint);
    if (shelf?.get(cluster)?.size === 0) shelf.delete(cluster);
    const slots = shelf?.get(cluster);
    const homes = this.#homes.get(cluster) ?? NONE;
    const at = homes.findIndex((home) => home.endpoint === endpoint);
    if (homes[at]?.slots === slots) return;
    const now = homes.toSpliced(at === -1 ? homes.length : at, 1, ...(slots === undefined ? NONE : [{ endpoint, slots }]));
    if (now.length === 0) this.#homes.delete(cluster);
    else this.#homes.set(cluster, now);
  }
}

function difference<T>(before: Slot<T> | undefined, after: Slot<T> | undefined): readonly Difference<T>[] {
  return before === after ? [] : [{ before, after }];
}

/** What the swap of a shelf changes in workspaces that no other endpoint shows: there is nothing to look up. */
function ownDifferences<T>(former: Shelf<T>, next: Shelf<T>, isShared: (cluster: LogicalClusterName) => boolean): readonly Difference<T>[] {
  const differences: Difference<T>[] = [];
  for (const [cluster, slots] of next) {
    if (isShared(cluster)) continue;
    const old = former.get(cluster);
    for (const [local, after] of slots) {
      const before = old?.get(local);
      if (before !== after) differences.push({ before, after });
    }
  }
  for (const [cluster, slots] of former) {
    if (isShared(cluster)) continue;
    const now = next.get(cluster);
    for (const [local, before] of slots) if (now?.has(local) !== true) differences.push({ before, after: undefined });
  }
  return differences;
}
