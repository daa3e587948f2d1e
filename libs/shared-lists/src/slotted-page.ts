import type { AnswerMemory, PageBuffer } from '@dep-ctrl/kcp-client';
import type { FairSlots } from '@dep-ctrl/fair-shares';
import type { PageBuffers } from './page-buffers.js';

/** What a {@link SlottedPage} takes its memory from. */
export interface SlottedPageOptions {
  readonly slots: FairSlots;
  readonly buffers: PageBuffers;
  /** The workspace that is read. */
  readonly sharer: string;
  readonly signal: AbortSignal;
  /** Is told of all that comes, also of a page that is given up. */
  readonly onBytes: (bytes: number) => void;
}

/** A page that has no more is kept as it came: memory that is used again costs 256 KiB where there is none to use. */
const TINY_PAGE_BYTES = 32 * 1024;

/** A page that has no more needs no slot: those of nearly all workspaces. With as many lists as are asked for at a time (64), 32 MiB. */
export const SMALL_PAGE_BYTES = 512 * 1024;

/**
 * Memory for the pages of one list, while there is a page: a large one has a slot until the next one is asked for, and the rest of it waits on
 * the network for that. As long as kcp thinks about an answer, nothing is held, so a list that hangs costs others nothing. First pages go ahead
 * of second ones, and so on.
 */
export class SlottedPage implements AnswerMemory {
  readonly #options: SlottedPageOptions;
  /** What came of a page while it was tiny. */
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #buffer: PageBuffer | undefined;
  #giveBack: (() => void) | undefined;
  /** More than a small page came: it has a slot, or waits for one. */
  #isLarge = false;
  #pages = 0;

  constructor(options: SlottedPageOptions) {
    this.#options = options;
  }

  /** Also when the list ends: no reader looks at its page any more. */
  clear(): void {
    if (this.#buffer !== undefined) this.#options.buffers.give(this.#buffer);
    this.#buffer = undefined;
    this.#giveBack?.();
    this.#giveBack = undefined;
    this.#isLarge = false;
    this.#chunks.length = 0;
    this.#length = 0;
    this.#pages += 1;
  }

  add(chunk: Uint8Array): Promise<void> | undefined {
    this.#length += chunk.length;
    this.#options.onBytes(chunk.length);
    if (this.#buffer !== undefined) this.#buffer.add(chunk);
    else {
      this.#chunks.push(chunk);
      if (this.#length > TINY_PAGE_BYTES) this.#takeBuffer();
    }
    if (this.#isLarge || this.#length <= SMALL_PAGE_BYTES) return undefined;
    this.#isLarge = true;
    return this.#takeSlot();
  }

  #takeBuffer(): void {
    const buffer = this.#options.buffers.take();
    buffer.clear();
    for (const chunk of this.#chunks.splice(0)) buffer.add(chunk);
    this.#buffer = buffer;
  }

  #takeSlot(): Promise<void> | undefined {
    const { slots, sharer, signal } = this.#options;
    const page = this.#pages;
    this.#giveBack = slots.takeAtOnce(sharer);
    if (this.#giveBack !== undefined) return undefined;
    return slots.take(sharer, { signal, rank: page }).then(
      (giveBack) => {
        // The answer may have run out of time meanwhile.
        if (page === this.#pages) this.#giveBack = giveBack;
        else giveBack();
      },
      () => undefined, // whoever asked has gone
    );
  }

  get bytes(): Buffer {
    return this.#buffer?.bytes ?? Buffer.concat(this.#chunks);
  }
}
