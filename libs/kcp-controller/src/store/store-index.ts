// One index of a store. Most changes leave the values of an object as they were: then its new version takes the place of the old one.
import { IndexBucket } from './index-bucket.js';
import type { Stored } from './stored.js';

/** The values under which an object is found. A pure function: it is asked again when the object goes. */
export type IndexValues<T> = (stored: Stored<T>) => readonly string[];

/** What is found where nothing is. */
export const NOTHING: readonly never[] = [];

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
    if (before !== undefined && after !== undefined) this.#replace(before, after);
    else if (after !== undefined) this.#addAll(this.#valuesOf(after), after);
    else if (before !== undefined) this.#removeAll(this.#valuesOf(before), before);
  }

  by(value: string): Iterable<Stored<T>> {
    return this.#buckets.get(value)?.items() ?? NOTHING;
  }

  #valuesOf(stored: Stored<T>): readonly string[] {
    return this.#checked === stored ? this.#checkedValues : this.#values(stored);
  }

  #replace(before: Stored<T>, after: Stored<T>): void {
    const old = this.#valuesOf(before);
    const next = this.#valuesOf(after);
    // The old strings: they were looked up before, so that they need not be hashed.
    if (isEqual(old, next)) for (const value of old) this.#buckets.get(value)?.swap(before, after);
    else {
      this.#removeAll(old, before);
      this.#addAll(next, after);
    }
  }

  #addAll(values: readonly string[], item: Stored<T>): void {
    for (const value of values) {
      const bucket = this.#buckets.get(value);
      if (bucket === undefined) this.#buckets.set(value, new IndexBucket(item));
      else bucket.add(item);
    }
  }

  #removeAll(values: readonly string[], item: Stored<T>): void {
    for (const value of values) {
      const bucket = this.#buckets.get(value);
      bucket?.delete(item);
      if (bucket?.size === 0) this.#buckets.delete(value);
    }
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
