/** Up to here a look through an array is faster than a set, which is made anew after every few changes. */
const MOST_IN_ARRAY = 16;

/** The objects under one value of an index: an array while there are few, then a set. Each is in it once. */
export class IndexBucket<V> {
  #items: V[] | Set<V>;

  constructor(first: V) {
    this.#items = [first];
  }

  get size(): number {
    return Array.isArray(this.#items) ? this.#items.length : this.#items.size;
  }

  items(): Iterable<V> {
    return this.#items;
  }

  add(item: V): void {
    const items = this.#items;
    if (!Array.isArray(items)) items.add(item);
    else if (!items.includes(item)) {
      if (items.length < MOST_IN_ARRAY) items.push(item);
      else this.#items = new Set([...items, item]);
    }
  }

  delete(item: V): void {
    const items = this.#items;
    if (!Array.isArray(items)) items.delete(item);
    else if (items.includes(item)) items.splice(items.indexOf(item), 1);
  }
}
