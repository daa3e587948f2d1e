import { PageBuffer } from '@dep-ctrl/kcp-client';

/** Buffers that wait for the next list: enough for one reader at a time, and little for an idle process to hold. */
const MOST_KEPT = 2;

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
