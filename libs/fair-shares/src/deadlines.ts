// Deadlines of many reviews with few timers: deadlines within the same slot share a timer. A timer of its own costs more than the rest of a small review.
// Not a KeyedQueue: a queue starts work and never early; a deadline ends a wait and is never late.
import type { Clock } from '@dep-ctrl/kcp-client';

interface Slot {
  readonly waiting: Set<() => void>;
  readonly unused: AbortController;
}

// A deadline may come this much early, never late: what is over is not waited for.
const SLOT_MS = 50;

/** Calls back when time is over. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #slots = new Map<number, Slot>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** Calls `onOver` after so long, unless the returned function is called before. */
  after(ms: number, onOver: () => void): () => void {
    const nowMs = this.#clock.monotonic();
    const atMs = Math.max(nowMs, Math.floor((nowMs + ms) / SLOT_MS) * SLOT_MS);
    const slot = this.#slots.get(atMs) ?? this.#open(atMs, atMs - nowMs);
    slot.waiting.add(onOver);
    return () => {
      if (!slot.waiting.delete(onOver) || slot.waiting.size > 0) return;
      this.#slots.delete(atMs);
      slot.unused.abort(UNUSED);
    };
  }

  #open(atMs: number, inMs: number): Slot {
    const slot: Slot = { waiting: new Set(), unused: new AbortController() };
    this.#slots.set(atMs, slot);
    this.#clock.sleep(inMs, { signal: slot.unused.signal }).then(
      () => {
        if (this.#slots.get(atMs) === slot) this.#slots.delete(atMs);
        const { waiting } = slot;
        for (const onOver of [...waiting]) {
          waiting.delete(onOver);
          onOver();
        }
      },
      () => undefined, // nobody waits for it any more
    );
    return slot;
  }
}

const UNUSED = new Error('nobody waits for this time');
