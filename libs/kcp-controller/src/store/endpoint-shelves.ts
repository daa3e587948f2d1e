// The objects that each endpoint shows, by workspace. Usually one endpoint shows a workspace; where a shard has a new address, two do for a moment: then the
// endpoint of the higher rank counts. Pure: time and network are elsewhere.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { NamedSlots, type LocalName, type Slot } from './named-slots.js';
import type { Entry } from './stored.js';

/** What one endpoint shows, by workspace. */
export type Shelf<T> = Map<LogicalClusterName, NamedSlots<T>>;

/** The slot that counted for one object before a change, and the one that counts now; either may be missing. */
export interface Difference<T> {
  readonly before: Slot<T> | undefined;
  readonly after: Slot<T> | undefined;
}

/** An endpoint that shows something of a workspace, and what: the same that is in its shelf. */
interface Home<T> {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly slots: NamedSlots<T>;
}

/** Names of objects, by workspace. */
type Names = readonly (readonly [LogicalClusterName, readonly LocalName[]])[];

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

  get(cluster: LogicalClusterName, name: LocalName): Entry<T> | undefined {
    return this.#slot(cluster, name)?.entry;
  }

  /** What one endpoint shows, whether it counts or not. */
  held(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, name: LocalName): Slot<T> | undefined {
    return this.#shelves.get(endpoint)?.get(cluster)?.get(name);
  }

  /** What an endpoint shows of a workspace that no other endpoint shows: what it has there counts, and a version may take the place of another one at once. */
  alone(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): NamedSlots<T> | undefined {
    const homes = this.#homes.get(cluster);
    const [home] = homes ?? NONE;
    return homes?.length === 1 && home?.endpoint === endpoint ? home.slots : undefined;
  }

  *inCluster(cluster: LogicalClusterName): Iterable<Entry<T>> {
    const homes = this.#homes.get(cluster) ?? NONE;
    for (const { slots } of homes) {
      for (const slot of slots) if (homes.length === 1 || this.#best(homes, slot.entry.metadata) === slot) yield slot.entry;
    }
  }

  *all(): Iterable<Entry<T>> {
    for (const cluster of this.#homes.keys()) yield* this.inCluster(cluster);
  }

  set(slot: Slot<T>): readonly Difference<T>[] {
    const { endpoint, cluster, metadata: name } = slot.entry;
    const before = this.#slot(cluster, name);
    slotsIn(this.#shelf(endpoint), cluster).set(slot);
    this.#settle(endpoint, cluster);
    return difference(before, this.#slot(cluster, name));
  }

  delete(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, name: LocalName): readonly Difference<T>[] {
    const before = this.#slot(cluster, name);
    this.#shelves.get(endpoint)?.get(cluster)?.delete(name);
    this.#settle(endpoint, cluster);
    return difference(before, this.#slot(cluster, name));
  }

  /** Swaps all that an endpoint shows. */
  replace(endpoint: VirtualWorkspaceUrl, next: Shelf<T>): readonly Difference<T>[] {
    const former = this.#shelf(endpoint);
    const isShared = (cluster: LogicalClusterName): boolean => this.#isShownBesides(endpoint, cluster);
    const own = ownDifferences(former, next, isShared);
    const clusters = [...new Set([...former.keys(), ...next.keys()])];
    const shared: Names = clusters.filter(isShared).map((cluster) => [cluster, namesIn(former.get(cluster), next.get(cluster))]);
    const others = this.#comparing(shared, () => {
      this.#shelves.set(endpoint, next);
      for (const cluster of clusters) this.#settle(endpoint, cluster);
    });
    return [...own, ...others];
  }

  /** Sets which endpoint counts where several show an object: the one of the highest rank. */
  rank(endpoint: VirtualWorkspaceUrl, rank: number): readonly Difference<T>[] {
    const shared = [...this.#shelf(endpoint)].filter(([cluster]) => this.#isShownBesides(endpoint, cluster));
    const names: Names = shared.map(([cluster, slots]) => [cluster, namesIn(slots)]);
    return this.#comparing(names, () => this.#ranks.set(endpoint, rank));
  }

  /** The workspaces that an endpoint shows something of. */
  clustersAt(endpoint: VirtualWorkspaceUrl): readonly LogicalClusterName[] {
    return [...(this.#shelves.get(endpoint)?.keys() ?? NONE)];
  }

  /** What one endpoint shows, or what it shows of one workspace, whether it counts or not. */
  *at(endpoint: VirtualWorkspaceUrl, cluster?: LogicalClusterName): Iterable<Entry<T>> {
    const shelf = this.#shelves.get(endpoint);
    const shown = cluster === undefined ? shelf?.values() : [shelf?.get(cluster) ?? NONE];
    for (const slots of shown ?? NONE) for (const { entry } of slots) yield entry;
  }

  /** Takes away what an endpoint shows of one workspace; with the last one the endpoint itself. */
  dropCluster(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): readonly Difference<T>[] {
    const names = namesIn(this.#shelves.get(endpoint)?.get(cluster));
    const differences = names.flatMap((name) => this.delete(endpoint, cluster, name));
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
    const touched = names.flatMap(([cluster, each]) => each.map((name) => ({ cluster, name, before: this.#slot(cluster, name) })));
    change();
    return touched.flatMap(({ cluster, name, before }) => difference(before, this.#slot(cluster, name)));
  }

  #isShownBesides(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): boolean {
    return (this.#homes.get(cluster) ?? NONE).some((home) => home.endpoint !== endpoint);
  }

  #slot(cluster: LogicalClusterName, name: LocalName): Slot<T> | undefined {
    return this.#best(this.#homes.get(cluster) ?? NONE, name);
  }

  #best(homes: readonly Home<T>[], name: LocalName): Slot<T> | undefined {
    let best: Slot<T> | undefined;
    let highest = -Infinity;
    for (const { endpoint, slots } of homes) {
      const rank = this.#ranks.get(endpoint) ?? 0;
      const slot = slots.get(name);
      if (slot === undefined || rank <= highest) continue;
      best = slot;
      highest = rank;
    }
    return best;
  }

  #shelf(endpoint: VirtualWorkspaceUrl): Shelf<T> {
    const found: Shelf<T> = this.#shelves.get(endpoint) ?? new Map<LogicalClusterName, NamedSlots<T>>();
    this.#shelves.set(endpoint, found);
    return found;
  }

  /** Keeps the homes of a workspace true, and no empty maps. */
  #settle(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): void {
    const shelf = this.#shelves.get(endpoint);
    if (shelf?.get(cluster)?.isEmpty === true) shelf.delete(cluster);
    const slots = shelf?.get(cluster);
    const homes = this.#homes.get(cluster) ?? NONE;
    const at = homes.findIndex((home) => home.endpoint === endpoint);
    if (homes[at]?.slots === slots) return;
    const now = homes.toSpliced(at === -1 ? homes.length : at, 1, ...(slots === undefined ? NONE : [{ endpoint, slots }]));
    if (now.length === 0) this.#homes.delete(cluster);
    else this.#homes.set(cluster, now);
  }
}

/** The slots of a workspace in a shelf, made where there are none. */
export function slotsIn<T>(shelf: Shelf<T>, cluster: LogicalClusterName): NamedSlots<T> {
  const slots = shelf.get(cluster) ?? new NamedSlots<T>();
  shelf.set(cluster, slots);
  return slots;
}

/** The names of all slots, each once. */
function namesIn<T>(slots: NamedSlots<T> | undefined, others?: NamedSlots<T>): readonly LocalName[] {
  const alsoThere = [...(others ?? NONE)].filter(({ entry }) => slots?.get(entry.metadata) === undefined);
  return [...(slots ?? NONE), ...alsoThere].map(({ entry }) => entry.metadata);
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
    for (const after of slots) {
      const before = old?.get(after.entry.metadata);
      if (before !== after) differences.push({ before, after });
    }
  }
  for (const [cluster, slots] of former) {
    if (isShared(cluster)) continue;
    const now = next.get(cluster);
    for (const before of slots) if (now?.get(before.entry.metadata) === undefined) differences.push({ before, after: undefined });
  }
  return differences;
}
