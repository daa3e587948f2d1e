/** Memory for answers that are read one after the other. */
export interface AnswerMemory {
  /** An answer is asked for: what was added is forgotten, and what {@link bytes} gave before is overwritten from here on. */
  clear(): void;
  /**
   * Adds what came next. Where there is no memory for more, the rest of the answer waits on the network until the promise resolves, if the
   * network lets it. The promise must not reject.
   */
  add(chunk: Uint8Array): Promise<void> | undefined;
  /** All that was added. */
  readonly bytes: Buffer;
}

/** The first memory that is asked for: a small list needs no more. */
const FIRST_BYTES = 256 * 1024;

/**
 * Memory for pages of lists that are read one after the other: each page overwrites the one before. Fresh memory costs as much as what is
 * read into it, the pages of a list are about as large as each other, and chunks that are copied as they come need not be kept until the
 * page is whole. One list at a time may use it.
 */
export class PageBuffer implements AnswerMemory {
  #memory = Buffer.alloc(0);
  #length = 0;

  /** Forgets what was added. What {@link bytes} gave before is overwritten from here on. */
  clear(): void {
    this.#length = 0;
  }

  /** Adds what came next. */
  add(chunk: Uint8Array): undefined {
    const length = this.#length + chunk.length;
    if (length > this.#memory.length) this.#grow(length);
    this.#memory.set(chunk, this.#length);
    this.#length = length;
  }

  /** All that was added: a view, not a copy. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  // Memory that is not written to costs nothing, what is outgrown waits for the garbage collection: few large steps.
  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 4 * this.#memory.length, length));
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#memory = larger;
  }
}
