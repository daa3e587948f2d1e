import { PageBuffer } from '@dep-ctrl/kcp-client';

/** As many as there are large pages at a time: one that is made anew for each of them is garbage that waits for a collection, 5 MiB each. */
const MOST_KEPT = 3;

/** The buffers of lists that are read at a time. Those of a burst are given back to the system. */
export class PageBuffers {
  readonly #kept: PageBuffer[] = [];

  /** A buffer that no other list uses. */
  take(): PageBuffer {
    return this.#kept.pop() ?? new PageBuffer();
  }

  /** Gives a buffer back that nothing reads or writes any more. */
  give(buffer: PageBuffer): void {
    if (this.#kept.length < MOST_KEPT) this.#kept.push(buffer);
  }
}
