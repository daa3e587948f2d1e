// Objects of one kind as several endpoints deliver them, merged into one view. Every endpoint keeps its own; where two deliver the same
// key (a workspace that moves between shards), one wins by its version and never by when it came.
import { compareText, entryOf } from '@dep-ctrl/kcp-names';

/** What tells two states of one object apart. */
export interface Versioned {
  readonly uid: string;
  readonly generation: number;
}

/** What a write did to the view of one key. */
export interface ViewChange<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** The merged view. Endpoints are named by their URL. */
export class MergedObjects<K extends string, T extends Versioned> {
  readonly #byEndpoint = new Map<string, Map<K, T>>();
  readonly #view = new Map<K, T>();
  readonly #isSame: (before: T, after: T) => boolean;

  /** `isSame`: whether two states of one object are the same to readers, so that the view need not change. */
  constructor(isSame: (before: T, after: T) => boolean) {
    this.#isSame = isSame;
  }

  /** The merged view. Read only; changes with every write. */
  get view(): ReadonlyMap<K, T> {
    return this.#view;
  }

  /** What one endpoint delivers at the moment. */
  of(endpoint: string): ReadonlyMap<K, T> {
    return this.#byEndpoint.get(endpoint) ?? new Map<K, T>();
  }

  /** Takes a complete list of one endpoint: what it does not hold is gone there. `isSame`: what is the same in a list, if that is stricter. */
  replace(endpoint: string, objects: ReadonlyMap<K, T>, isSame = this.#isSame): readonly ViewChange<T>[] {
    const before = this.of(endpoint);
    this.#byEndpoint.set(endpoint, new Map(objects));
    return [...new Set([...before.keys(), ...objects.keys()])].flatMap((key) => this.#merge(key, isSame));
  }

  /** Takes one object of one endpoint. */
  set(endpoint: string, key: K, object: T): readonly ViewChange<T>[] {
    entryOf(this.#byEndpoint, endpoint, () => new Map<K, T>()).set(key, object);
    return this.#merge(key);
  }

  /** Forgets one object of one endpoint. */
  delete(endpoint: string, key: K): readonly ViewChange<T>[] {
    this.#byEndpoint.get(endpoint)?.delete(key);
    return this.#merge(key);
  }

  #merge(key: K, isSame = this.#isSame): readonly ViewChange<T>[] {
    const before = this.#view.get(key);
    const after = this.#winner(key);
    if (after === before) return [];
    if (before !== undefined && after !== undefined && isSame(before, after)) return [];
    if (after === undefined) this.#view.delete(key);
    else this.#view.set(key, after);
    return [{ before, after }];
  }

  #winner(key: K): T | undefined {
    let winner: { readonly endpoint: string; readonly object: T } | undefined;
    for (const [endpoint, objects] of this.#byEndpoint) {
      const object = objects.get(key);
      if (object === undefined) continue;
      if (winner === undefined || precedes({ endpoint, object }, winner)) winner = { endpoint, object };
    }
    return winner?.object;
  }
}

interface Delivered {
  readonly endpoint: string;
  readonly object: Versioned;
}

function precedes(a: Delivered, b: Delivered): boolean {
  const order = a.object.generation - b.object.generation || compareText(a.object.uid, b.object.uid) || compareText(a.endpoint, b.endpoint);
  return order > 0;
}
