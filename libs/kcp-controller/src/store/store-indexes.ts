import { NOTHING, StoreIndex, type IndexValues } from './store-index.js';
import type { Slot } from './endpoint-shelves.js';
import type { Stored } from './stored.js';

/** The indexes of one store, by name. */
export class StoreIndexes<T, I extends string> {
  readonly #byName: ReadonlyMap<string, StoreIndex<T>>;
  /** The same: this is gone through with each event. */
  readonly #all: readonly StoreIndex<T>[];

  constructor(functions: Readonly<Record<I, IndexValues<T>>>) {
    this.#byName = new Map(Object.entries<IndexValues<T>>(functions).map(([name, values]) => [name, new StoreIndex(values)]));
    this.#all = [...this.#byName.values()];
  }

  /** What is wrong with the index functions for this object, if any throws. */
  problem(stored: Stored<T>): string | undefined {
    for (const [name, index] of this.#byName) {
      try {
        index.check(stored);
      } catch (error) {
        return `index ${name}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    return undefined;
  }

  /** `stored` is what the slot has now. */
  add(slot: Slot<T>, stored: Stored<T>): void {
    for (const index of this.#all) index.add(slot, stored);
  }

  /** `stored` is what the slot has still. */
  remove(slot: Slot<T>, stored: Stored<T>): void {
    for (const index of this.#all) index.remove(slot, stored);
  }

  /** The slot has another version now. */
  renew(slot: Slot<T>, before: Stored<T>, after: Stored<T>): void {
    for (const index of this.#all) index.renew(slot, before, after);
  }

  by(index: I, value: string): Iterable<Stored<T>> {
    return this.#byName.get(index)?.by(value) ?? NOTHING;
  }
}
