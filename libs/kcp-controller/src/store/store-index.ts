// One index of a store. Most changes leave the values of an object as they were: then its new version takes the place of the old one.
import { IndexBucket } from './index-bucket.js';
import type { Stored } from './stored.js';

/** The values under which an object is found. A pure function: it is asked again when the object goes. */
export type IndexValues<T> = (stored: Stored<T>) => readonly string[];

const NOTHING: readonly never[] = [];

/** Objects by the values that a function finds in them. */
export class StoreIndex<T> {
  readonly #values: IndexValues<T>;
  readonly #buckets = new Map<string, IndexBucket<Stored<T>>>();
  /** The object that was checked last, and its values: nearly always it is added next. */
  #checked: Stored<T> | undefined;
  #checkedValues: readonly string[] = NOTHING;

  constructor(values: IndexValues<T>) {
    this.#values = values;
  }

  /** Asks for the values of an object that may be added. Throws what the function throws. */
  check(stored: Stored<T>): void {
    this.#checkedValues = this.#values(stored);
    this.#checked = stored;
  }

  /** Puts a version in the place of another one; either may be missing. */
  change(before: Stored<T> | undefined, after: Stored<T> | undefined): void {
    const old = before === undefined ? NOTHING : this.#valuesOf(before);
    const next = after === undefined ? NOTHING : this.#valuesOf(after);
    if (before !== undefined && after !== undefined && isEqual(old, next)) {
      // The old strings: they were looked up before, so that they need not be hashed.
      for (const value of old) this.#buckets.get(value)?.swap(before, after);
      return;
    }
    if (before !== undefined) for (const value of old) this.#remove(value, before);
    if (after !== undefined) for (const value of next) this.#add(value, after);
  }

  by(value: string): Iterable<Stored<T>> {
    return this.#buckets.get(value)?.items() ?? NOTHING;
  }

  #valuesOf(stored: Stored<T>): readonly string[] {
    return this.#checked === stored ? this.#checkedValues : this.#values(stored);
  }

  #add(value: string, item: Stored<T>): void {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, new IndexBucket(item));
    else bucket.add(item);
  }

  #remove(value: string, item: Stored<T>): void {
    const bucket = this.#buckets.get(value);
    bucket?.delete(item);
    if (bucket?.size === 0) this.#buckets.delete(value);
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
