import { keyOf, nameOf, type GoneBecause, type Stored } from '../store/stored.js';

/** An object that went, and why. */
export interface GoneObject<T> {
  readonly last: Stored<T>;
  readonly because: GoneBecause;
}

/** Objects that went and whose going was not worked off yet, by key, the first one first. */
export class GoneObjects<T> {
  readonly #gone = new Map<string, GoneObject<T>[]>();

  /** Answers with the key. */
  add(gone: GoneObject<T>): string {
    const key = keyOf(nameOf(gone.last));
    const others = this.#gone.get(key);
    if (others === undefined) this.#gone.set(key, [gone]);
    else others.push(gone);
    return key;
  }

  first(key: string): GoneObject<T> | undefined {
    return this.#gone.get(key)?.[0];
  }

  /** The first one is worked off. */
  done(key: string): void {
    const others = this.#gone.get(key);
    others?.shift();
    if (others?.length === 0) this.#gone.delete(key);
  }
}
