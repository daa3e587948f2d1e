/** Keys with the time at which they are due, the earliest first. */
export class DueHeap<K> {
  readonly #entries: { readonly key: K; readonly dueMs: number }[] = [];

  push(key: K, dueMs: number): void {
    const entries = this.#entries;
    const entry = { key, dueMs };
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = entries[parent];
      if (above === undefined || above.dueMs <= dueMs) break;
      entries[index] = above;
      index = parent;
    }
    entries[index] = entry;
  }

  /** The earliest entry, without taking it. */
  peek(): { readonly key: K; readonly dueMs: number } | undefined {
    return this.#entries[0];
  }

  /** Takes the earliest entry. */
  pop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [a, b] = [entries[left], entries[left + 1]];
      if (a === undefined) break;
      const [child, below] = b !== undefined && b.dueMs < a.dueMs ? [left + 1, b] : [left, a];
      if (below.dueMs >= last.dueMs) break;
      entries[index] = below;
      index = child;
    }
    entries[index] = last;
  }
}
