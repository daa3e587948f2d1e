// The objects that each endpoint shows, by workspace. Usually one endpoint shows a workspace; where a shard has a new address, two do for a moment: then the
// endpoint of the higher rank counts. Pure: time and network are elsewhere.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { Entry } from './stored.js';

/** Entries of one endpoint, by workspace and by name within it. */
export type Shelf<T> = Map<LogicalClusterName, Map<string, Entry<T>>>;

/** What counted for one object before a change, and what counts now; either may be missing. */
export interface Difference<T> {
  readonly before: Entry<T> | undefined;
  readonly after: Entry<T> | undefined;
}

/** Names of objects, by workspace. */
type Names = readonly (readonly [LogicalClusterName, Iterable<string>])[];

const NONE: readonly never[] = [];

/** All shelves. Every change answers with the differences that it made to what counts. */
export class EndpointShelves<T> {
  readonly #shelves = new Map<VirtualWorkspaceUrl, Shelf<T>>();
  readonly #ranks = new Map<VirtualWorkspaceUrl, number>();
  /** The endpoints that show something of a workspace. */
  readonly #homes = new Map<LogicalClusterName, readonly VirtualWorkspaceUrl[]>();

  endpoints(): Iterable<VirtualWorkspaceUrl> {
    return this.#shelves.keys();
  }

  get(cluster: LogicalClusterName, local: string): Entry<T> | undefined {
    return this.#best(this.#homes.get(cluster) ?? NONE, cluster, local);
  }

  /** What one endpoint shows, whether it counts or not. */
  held(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, local: string): Entry<T> | undefined {
    return this.#shelves.get(endpoint)?.get(cluster)?.get(local);
  }

  /** What an endpoint shows of a workspace that no other endpoint shows: what it has there counts, and may be set at once. */
  alone(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): Map<string, Entry<T>> | undefined {
    const homes = this.#homes.get(cluster);
    return homes?.length === 1 && homes[0] === endpoint ? this.#shelves.get(endpoint)?.get(cluster) : undefined;
  }

  *inCluster(cluster: LogicalClusterName): Iterable<Entry<T>> {
    const homes = this.#homes.get(cluster) ?? NONE;
    for (const endpoint of homes) {
      for (const [local, entry] of this.#shelves.get(endpoint)?.get(cluster) ?? NONE) {
        if (homes.length === 1 || this.#best(homes, cluster, local) === entry) yield entry;
      }
    }
  }

  *all(): Iterable<Entry<T>> {
    for (const cluster of this.#homes.keys()) yield* this.inCluster(cluster);
  }

  set(entry: Entry<T>, local: string): readonly Difference<T>[] {
    const { endpoint, cluster } = entry;
    const shelf = this.#shelf(endpoint);
    const entries = shelf.get(cluster);
    const before = this.get(cluster, local);
    if (entries === undefined) shelf.set(cluster, new Map([[local, entry]]));
    else entries.set(local, entry);
    this.#settle(endpoint, cluster);
    return difference(before, this.get(cluster, local));
  }

  delete(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName, local: string): readonly Difference<T>[] {
    const before = this.get(cluster, local);
    this.#shelves.get(endpoint)?.get(cluster)?.delete(local);
    this.#settle(endpoint, cluster);
    return difference(before, this.get(cluster, local));
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
    const names: Names = shared.map(([cluster, entries]) => [cluster, entries.keys()]);
    return this.#comparing(names, () => this.#ranks.set(endpoint, rank));
  }

  /** The workspaces that an endpoint shows something of. */
  clustersAt(endpoint: VirtualWorkspaceUrl): readonly LogicalClusterName[] {
    return [...(this.#shelves.get(endpoint)?.keys() ?? NONE)];
  }

  /** What one endpoint shows, or what it shows of one workspace, whether it counts or not. */
  *at(endpoint: VirtualWorkspaceUrl, cluster?: LogicalClusterName): Iterable<Entry<T>> {
    const shelf = this.#shelves.get(endpoint);
    const shown = cluster === undefined ? shelf?.values() : [shelf?.get(cluster) ?? new Map<string, Entry<T>>()];
    for (const entries of shown ?? NONE) yield* entries.values();
  }

  /** Takes away what an endpoint shows of one workspace; with the last one the endpoint itself. */
  dropCluster(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): readonly Difference<T>[] {
    const entries = this.#shelves.get(endpoint)?.get(cluster);
    const differences = [...(entries?.keys() ?? NONE)].flatMap((local) => this.delete(endpoint, cluster, local));
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
      [...locals].map((local) => ({ cluster, local, before: this.get(cluster, local) })),
    );
    change();
    return touched.flatMap(({ cluster, local, before }) => difference(before, this.get(cluster, local)));
  }

  #isShownBesides(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): boolean {
    return (this.#homes.get(cluster) ?? NONE).some((home) => home !== endpoint);
  }

  #best(homes: readonly VirtualWorkspaceUrl[], cluster: LogicalClusterName, local: string): Entry<T> | undefined {
    let best: Entry<T> | undefined;
    let highest = -Infinity;
    for (const home of homes) {
      const rank = this.#ranks.get(home) ?? 0;
      const entry = this.held(home, cluster, local);
      if (entry === undefined || rank <= highest) continue;
      best = entry;
      highest = rank;
    }
    return best;
  }

  #shelf(endpoint: VirtualWorkspaceUrl): Shelf<T> {
    const found: Shelf<T> = this.#shelves.get(endpoint) ?? new Map<LogicalClusterName, Map<string, Entry<T>>>();
    this.#shelves.set(endpoint, found);
    return found;
  }

  /** Keeps the homes of a workspace true, and no empty maps. */
  #settle(endpoint: VirtualWorkspaceUrl, cluster: LogicalClusterName): void {
    const shelf = this.#shelves.get(endpoint);
    if (shelf?.get(cluster)?.size === 0) shelf.delete(cluster);
    const homes = this.#homes.get(cluster) ?? NONE;
    const isHome = shelf?.has(cluster) === true;
    if (isHome === homes.includes(endpoint)) return;
    const now = isHome ? [...homes, endpoint] : homes.toSpliced(homes.indexOf(endpoint), 1);
    if (now.length === 0) this.#homes.delete(cluster);
    else this.#homes.set(cluster, now);
  }
}

function difference<T>(before: Entry<T> | undefined, after: Entry<T> | undefined): readonly Difference<T>[] {
  return before === after ? [] : [{ before, after }];
}

/** What the swap of a shelf changes in workspaces that no other endpoint shows: there is nothing to look up. */
function ownDifferences<T>(former: Shelf<T>, next: Shelf<T>, isShared: (cluster: LogicalClusterName) => boolean): readonly Difference<T>[] {
  const differences: Difference<T>[] = [];
  for (const [cluster, entries] of next) {
    if (isShared(cluster)) continue;
    const old = former.get(cluster);
    for (const [local, after] of entries) {
      const before = old?.get(local);
      if (before !== after) differences.push({ before, after });
    }
  }
  for (const [cluster, entries] of former) {
    if (isShared(cluster)) continue;
    const now = next.get(cluster);
    for (const [local, before] of entries) if (now?.has(local) !== true) differences.push({ before, after: undefined });
  }
  return differences;
}
