// One index of a store. It knows the slots of objects: most versions have the values that the one before had, and nothing is to be done.
import { IndexBucket } from './index-bucket.js';
import type { Slot } from './endpoint-shelves.js';
import { isStored, type Stored } from './stored.js';

/** The values under which an object is found. A pure function: it is asked again when the object goes. */
export type IndexValues<T> = (stored: Stored<T>) => readonly string[];

/** What is found where nothing is. */
export const NOTHING: readonly never[] = [];

/** Objects by the values that a function finds in them. */
export class StoreIndex<T> {
  readonly #values: IndexValues<T>;
  readonly #buckets = new Map<string, IndexBucket<Slot<T>>>();
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

  add(slot: Slot<T>, stored: Stored<T>): void {
    this.#addAll(this.#valuesOf(stored), slot);
  }

  remove(slot: Slot<T>, stored: Stored<T>): void {
    this.#removeAll(this.#valuesOf(stored), slot);
  }

  renew(slot: Slot<T>, before: Stored<T>, after: Stored<T>): void {
    const old = this.#valuesOf(before);
    const next = this.#valuesOf(after);
    if (isEqual(old, next)) return;
    this.#removeAll(old, slot);
    this.#addAll(next, slot);
  }

  *by(value: string): Iterable<Stored<T>> {
    for (const { entry } of this.#buckets.get(value)?.items() ?? NOTHING) if (isStored(entry)) yield entry;
  }

  #valuesOf(stored: Stored<T>): readonly string[] {
    return this.#checked === stored ? this.#checkedValues : this.#values(stored);
  }

  #addAll(values: readonly string[], slot: Slot<T>): void {
    for (const value of values) {
      const bucket = this.#buckets.get(value);
      if (bucket === undefined) this.#buckets.set(value, new IndexBucket(slot));
      else bucket.add(slot);
    }
  }

  #removeAll(values: readonly string[], slot: Slot<T>): void {
    for (const value of values) {
      const bucket = this.#buckets.get(value);
      bucket?.delete(slot);
      if (bucket?.size === 0) this.#buckets.delete(value);
    }
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
