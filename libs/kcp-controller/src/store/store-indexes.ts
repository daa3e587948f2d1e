// Indexes of a store. Most changes leave the values of an object as they were: then its new version takes the place of the old one, and nothing is hashed anew.
import { IndexBucket } from './index-bucket.js';
import type { Stored } from './stored.js';

/** The values under which an object is found. A pure function: it is asked again when the object goes. */
export type IndexValues<T> = (stored: Stored<T>) => readonly string[];

/** The values of one object for each index. */
type AllValues = readonly (readonly string[])[];

const NOTHING: readonly never[] = [];

/** The indexes of one store. */
export class StoreIndexes<T, I extends string> {
  readonly #names: readonly I[];
  readonly #functions: readonly IndexValues<T>[];
  readonly #found: readonly Map<string, IndexBucket<Stored<T>>>[];
  /** The values of the object that was checked last: nearly always it is added next. */
  #checked: { readonly stored: Stored<T>; readonly all: AllValues } | undefined;

  constructor(functions: Readonly<Record<I, IndexValues<T>>>) {
    this.#names = Object.keys(functions) as I[]; // Object.keys forgets which keys there are
    this.#functions = this.#names.map((name) => functions[name]);
    this.#found = this.#names.map(() => new Map<string, IndexBucket<Stored<T>>>());
  }

  /** What is wrong with the index functions for this object, if any throws. */
  problem(stored: Stored<T>): string | undefined {
    if (this.#functions.length === 0) return undefined;
    this.#checked = undefined;
    const all: (readonly string[])[] = [];
    for (const [at, values] of this.#functions.entries()) {
      try {
        all.push(values(stored));
      } catch (error) {
        return `index ${this.#names[at] ?? ''}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    this.#checked = { stored, all };
    return undefined;
  }

  /** Puts a version in the place of another one; either may be missing. */
  change(before: Stored<T> | undefined, after: Stored<T> | undefined): void {
    if (this.#functions.length === 0) return;
    const old = before === undefined ? undefined : this.#valuesOf(before);
    const next = after === undefined ? undefined : this.#valuesOf(after);
    for (const [at, found] of this.#found.entries()) {
      const [oldValues, nextValues] = [old?.[at] ?? NOTHING, next?.[at] ?? NOTHING];
      if (before !== undefined && after !== undefined && isEqual(oldValues, nextValues)) {
        for (const value of nextValues) found.get(value)?.swap(before, after);
        continue;
      }
      if (before !== undefined) for (const value of oldValues) removeFrom(found, value, before);
      if (after !== undefined) for (const value of nextValues) addTo(found, value, after);
    }
  }

  by(index: I, value: string): Iterable<Stored<T>> {
    return this.#found[this.#names.indexOf(index)]?.get(value)?.items() ?? NOTHING;
  }

  #valuesOf(stored: Stored<T>): AllValues {
    return this.#checked?.stored === stored ? this.#checked.all : this.#functions.map((values) => values(stored));
  }
}

function addTo<V>(found: Map<string, IndexBucket<V>>, value: string, item: V): void {
  const bucket = found.get(value);
  if (bucket === undefined) found.set(value, new IndexBucket(item));
  else bucket.add(item);
}

function removeFrom<V>(found: Map<string, IndexBucket<V>>, value: string, item: V): void {
  const bucket = found.get(value);
  bucket?.delete(item);
  if (bucket?.size === 0) found.delete(value);
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
