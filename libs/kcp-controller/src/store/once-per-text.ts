const MOST_TEXTS = 1_000;

/** Remembers texts that were told. Beyond a thousand it begins anew. */
export class OncePerText {
  readonly #told = new Set<string>();

  get isEmpty(): boolean {
    return this.#told.size === 0;
  }

  isNew(text: string): boolean {
    if (this.#told.has(text)) return false;
    if (this.#told.size >= MOST_TEXTS) this.#told.clear();
    this.#told.add(text);
    return true;
  }

  /** It is news again. */
  forget(text: string): void {
    this.#told.delete(text);
  }
}
