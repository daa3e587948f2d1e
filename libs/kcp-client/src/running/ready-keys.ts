// Keys that are ready to run, by group: groups take turns, and the keys of one keep their order. Pure data, no clock.

/** The keys that are ready. */
export class ReadyKeys<K extends string> {
  readonly #groupOf: (key: K) => string;
  // The group whose turn is next comes first. No group is empty.
  readonly #groups = new Map<string, Set<K>>();
  #size = 0;

  constructor(groupOf: (key: K) => string) {
    this.#groupOf = groupOf;
  }

  get size(): number {
    return this.#size;
  }

  has(key: K): boolean {
    return this.#groups.get(this.#groupOf(key))?.has(key) === true;
  }

  add(key: K): void {
    const group = this.#groupOf(key);
    const keys = this.#groups.get(group);
    if (keys?.has(key) === true) return;
    this.#size += 1;
    if (keys === undefined) this.#groups.set(group, new Set([key]));
    else keys.add(key);
  }

  /** Takes the first key that may run now, of the group whose turn is next. */
  take(mayRun: (key: K) => boolean, isOpen: (group: string) => boolean): K | undefined {
    for (const [group, keys] of this.#groups) {
      if (!isOpen(group)) continue;
      for (const key of keys) {
        if (!mayRun(key)) continue;
        keys.delete(key);
        this.#size -= 1;
        this.#groups.delete(group);
        if (keys.size > 0) this.#groups.set(group, keys);
        return key;
      }
    }
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<K> {
    for (const keys of this.#groups.values()) yield* keys;
  }
}
