/** The size of the first page of a list. */
export interface FirstPage {
  readonly byteLength: number;
  /** Whether nothing follows. */
  readonly last: boolean;
}

// Below that a kcp takes no longer to write objects than to make a Table of them (0.32), and a Table needs one more read for what it shows.
const SMALL_BYTES = 64 * 1024;

// A row is some fifty bytes, so these are at most a hundred objects.
const SMALL_TABLE_BYTES = 8 * 1024;

/** Of so many lists; 0.2 MB. */
const MOST = 1_000;

/** Which lists were small when they were last read: where whole objects cost no more than a Table. That is where to look first, and never an answer. */
export class SmallLists {
  /** False: few objects, and large ones. The list that was read longest ago comes first. */
  readonly #known = new Map<string, boolean>();

  isSmall(list: string): boolean {
    return this.#known.get(list) ?? false;
  }

  sawTable(list: string, { byteLength, last }: FirstPage): void {
    const areFew = last && byteLength <= SMALL_TABLE_BYTES;
    if (areFew) this.#note(list, this.#known.get(list) ?? true);
    else this.#known.delete(list);
  }

  sawObjects(list: string, { byteLength, last }: FirstPage): void {
    this.#note(list, last && byteLength <= SMALL_BYTES);
  }

  #note(list: string, isSmall: boolean): void {
    this.#known.delete(list);
    this.#known.set(list, isSmall);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
  }
}
