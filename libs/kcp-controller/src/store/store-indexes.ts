import { NOTHING, StoreIndex, type IndexValues } from './store-index.js';
import type { Stored } from './stored.js';

/** The indexes of one store, by name. */
export class StoreIndexes<T, I extends string> {
  readonly #byName: ReadonlyMap<string, StoreIndex<T>>;

  constructor(functions: Readonly<Record<I, IndexValues<T>>>) {
    this.#byName = new Map(Object.entries<IndexValues<T>>(functions).map(([name, values]) => [name, new StoreIndex(values)]));
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

  /** Puts a version in the place of another one; either may be missing. */
  change(before: Stored<T> | undefined, after: Stored<T> | undefined): void {
    for (const index of this.#byName.values()) index.change(before, after);
  }

  by(index: I, value: string): Iterable<Stored<T>> {
    return this.#byName.get(index)?.by(value) ?? NOTHING;
  }
}
