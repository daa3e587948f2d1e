import type { Stored } from './stored.js';

/** The values under which an object is found. A pure function: it is asked again when the object goes. */
export type IndexValues<T> = (stored: Stored<T>) => readonly string[];

const NOTHING: ReadonlySet<never> = new Set();

/** The indexes of one store. */
export class StoreIndexes<T, I extends string> {
  readonly #functions: readonly (readonly [I, IndexValues<T>])[];
  readonly #found = new Map<I, Map<string, Set<Stored<T>>>>();

  /** The values of the object that was checked last: nearly always it is added next. */
  #checked: { readonly stored: Stored<T>; readonly all: readonly (readonly string[])[] } | undefined;

  constructor(functions: Readonly<Record<I, IndexValues<T>>>) {
    this.#functions = Object.entries(functions) as [I, IndexValues<T>][]; // Object.entries forgets which keys there are
    for (const [index] of this.#functions) this.#found.set(index, new Map());
  }

  /** What is wrong with the index functions for this object, if any throws. */
  problem(stored: Stored<T>): string | undefined {
    this.#checked = undefined;
    const all: (readonly string[])[] = [];
    for (const [index, values] of this.#functions) {
      try {
        all.push(values(stored));
      } catch (error) {
        return `index ${index}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    this.#checked = { stored, all };
    return undefined;
  }

  add(stored: Stored<T>): void {
    const { all } = this.#checked?.stored === stored ? this.#checked : { all: this.#valuesOf(stored) };
    for (const [at, [index]] of this.#functions.entries()) {
      const found = this.#found.get(index);
      for (const value of all[at] ?? []) {
        const set = found?.get(value);
        if (set === undefined) found?.set(value, new Set([stored]));
        else set.add(stored);
      }
    }
  }

  remove(stored: Stored<T>): void {
    for (const [index, values] of this.#functions) {
      const found = this.#found.get(index);
      for (const value of values(stored)) {
        const set = found?.get(value);
        set?.delete(stored);
        if (set?.size === 0) found?.delete(value);
      }
    }
  }

  by(index: I, value: string): ReadonlySet<Stored<T>> {
    return this.#found.get(index)?.get(value) ?? NOTHING;
  }

  #valuesOf(stored: Stored<T>): readonly (readonly string[])[] {
    return this.#functions.map(([, values]) => values(stored));
  }
}
