// The workspaces that wait for the entry now, each with the virtual workspace that shows it. One that goes, or waits no more, aborts its signal.
import type { Observed, ReflectorEvent, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { waitsFor, type HeldFor } from './held-entry.js';

/** One workspace that waits. */
export interface Held {
  readonly cluster: LogicalClusterName;
  readonly url: VirtualWorkspaceUrl;
  /** Its LogicalCluster as it was seen last. */
  readonly object: KubeObject;
  /** Aborts when the workspace waits no more. */
  readonly signal: AbortSignal;
}

interface Entry extends Held {
  readonly gone: AbortController;
  readonly isReleased: boolean;
}

/** What waits, as the watches tell it. */
export class HeldWorkspaces {
  readonly #entries = new Map<LogicalClusterName, Entry>();

  /** How many wait. */
  get size(): number {
    return [...this.#entries.values()].filter(({ isReleased }) => !isReleased).length;
  }

  /** One that waits; undefined when it does not, or no more. */
  get(cluster: LogicalClusterName): Held | undefined {
    const entry = this.#entries.get(cluster);
    return entry?.isReleased === true ? undefined : entry;
  }

  /** Takes in what a virtual workspace tells; answers with those that wait since then. */
  take(url: VirtualWorkspaceUrl, event: ReflectorEvent, heldFor: HeldFor): readonly LogicalClusterName[] {
    switch (event.kind) {
      case 'replaced':
        return this.#replace(url, event.objects, heldFor);
      case 'applied':
        return this.#apply(url, event.object, heldFor) ? [event.object.cluster] : [];
      case 'deleted':
        this.#leave(url, event.object.cluster);
        return [];
      case 'undecodable':
        return [];
      default:
        return event satisfies never;
    }
  }

  /** The entry was removed. It is remembered until the watch says so too: what the watch tells before is older, and must not begin the work anew. */
  release({ cluster, signal }: Held): void {
    const entry = this.#entries.get(cluster);
    if (entry?.signal === signal) this.#entries.set(cluster, { ...entry, isReleased: true });
  }

  /** Nothing of this virtual workspace is known any more. */
  withdraw(url: VirtualWorkspaceUrl): void {
    for (const { cluster } of [...this.#entries.values()]) this.#leave(url, cluster);
  }

  #replace(url: VirtualWorkspaceUrl, objects: readonly Observed[], heldFor: HeldFor): readonly LogicalClusterName[] {
    const listed = new Set(objects.map(({ cluster }) => cluster));
    for (const { cluster } of [...this.#entries.values()]) if (!listed.has(cluster)) this.#leave(url, cluster);
    return objects.filter((observed) => this.#apply(url, observed, heldFor)).map(({ cluster }) => cluster);
  }

  /** Whether it waits since now. */
  #apply(url: VirtualWorkspaceUrl, { cluster, object }: Observed, heldFor: HeldFor): boolean {
    if (!waitsFor(object, heldFor)) {
      this.#leave(url, cluster);
      return false;
    }
    const known = this.#entries.get(cluster);
    if (known?.url === url && known.object.metadata.uid === object.metadata.uid) {
      this.#entries.set(cluster, { ...known, object });
      return false;
    }
    known?.gone.abort(new Error('another workspace took its place'));
    const gone = new AbortController();
    this.#entries.set(cluster, { cluster, url, object, gone, signal: gone.signal, isReleased: false });
    return true;
  }

  #leave(url: VirtualWorkspaceUrl, cluster: LogicalClusterName): void {
    const known = this.#entries.get(cluster);
    if (known?.url !== url) return;
    this.#entries.delete(cluster);
    known.gone.abort(new Error('the workspace waits no more'));
  }
}
