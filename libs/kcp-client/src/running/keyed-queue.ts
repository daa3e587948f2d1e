// Work by key: one run of a key at a time, no key twice in the queue, several keys side by side. A key that is added while it runs is
// run once more afterwards, so every change is followed by a run that began after it.
import { jittered, type Backoff } from '../time/backoff.js';
import { systemClock, type Clock } from '../time/clock.js';
import { DueHeap } from './due-heap.js';
import { pause } from './every.js';
import { ReadyKeys } from './ready-keys.js';
import type { Runnable } from './run-all.js';

/** How a run of a key went. */
export type QueueOutcome =
  | { readonly kind: 'done' }
  /** It went well, and should be looked at again. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** It failed for now: again with back-off, after `afterMs` at the earliest. */
  | { readonly kind: 'retry'; readonly afterMs?: number | undefined };

/** What a queue is made of. */
export interface KeyedQueueOptions<K extends string> {
  /** What to do for a key. What it throws ends the queue: answer `retry` for what may pass. */
  readonly run: (key: K, signal: AbortSignal) => Promise<QueueOutcome>;
  /** Keys side by side. */
  readonly concurrency: number;
  /** Whose key it is: groups take turns, so that one with a thousand keys delays another's by one. Default: all are of one group. */
  readonly groupOf?: ((key: K) => string) | undefined;
  /** Keys of one group side by side, so that one whose runs take long leaves room for others. Default: no bound of its own. */
  readonly groupConcurrency?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** The most keys to hold. Default 100 000. */
  readonly capacity?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

// controller-runtime begins at 5 ms, which is for a cluster next door.
const DEFAULT_BACKOFF: Backoff = { firstMs: 100, factor: 2, capMs: 60_000 };

/** A queue of keys. Keys may be added before it runs. */
export class KeyedQueue<K extends string> implements Runnable {
  readonly #run: (key: K, signal: AbortSignal) => Promise<QueueOutcome>;
  readonly #concurrency: number;
  readonly #groupOf: (key: K) => string;
  readonly #groupConcurrency: number;
  readonly #backoff: Backoff;
  readonly #capacity: number;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #ready: ReadyKeys<K>;
  readonly #delayed = new Map<K, number>();
  readonly #due = new DueHeap<K>();
  readonly #running = new Map<K, Promise<void>>();
  readonly #runningOf = new Map<string, number>();
  readonly #failures = new Map<K, number>();
  readonly #thrown: unknown[] = [];
  #wake: () => void = () => undefined;

  constructor({ run, concurrency, groupOf, groupConcurrency, backoff, capacity, clock, random }: KeyedQueueOptions<K>) {
    this.#run = run;
    this.#concurrency = concurrency;
    this.#groupOf = groupOf ?? (() => '');
    this.#groupConcurrency = groupConcurrency ?? Infinity;
    this.#ready = new ReadyKeys(this.#groupOf);
    this.#backoff = backoff ?? DEFAULT_BACKOFF;
    this.#capacity = capacity ?? 100_000;
    this.#clock = clock ?? systemClock;
    this.#random = random ?? Math.random;
  }

  /** Keys that wait for their turn, with those that wait for their time. */
  get size(): number {
    return this.#ready.size + this.#delayed.size;
  }

  /** Keys that run or are due: what there is to do now. */
  get due(): number {
    const now = this.#clock.monotonic();
    const overdue = [...this.#delayed.values()].filter((dueMs) => dueMs <= now).length;
    return new Set([...this.#ready, ...this.#running.keys()]).size + overdue;
  }

  /**
   * Asks for a run of the key. One that waits longer is moved forward: the world has changed, so back-off is no reason to wait.
   * Answers false, and does nothing, when the queue is full.
   */
  add(key: K, delayMs = 0): boolean {
    const known = this.#ready.has(key) || this.#delayed.has(key);
    if (!known && this.size >= this.#capacity) return false;
    this.#put(key, delayMs);
    return true;
  }

  #put(key: K, delayMs: number): void {
    if (this.#ready.has(key)) return;
    const dueMs = this.#clock.monotonic() + delayMs;
    if (delayMs <= 0) {
      this.#delayed.delete(key);
      this.#ready.add(key);
    } else if (dueMs < (this.#delayed.get(key) ?? Infinity)) {
      this.#delayed.set(key, dueMs);
      this.#due.push(key, dueMs);
    }
    this.#wake();
  }

  /** Works until the signal aborts, then waits for what runs. Rejects with what a run threw. */
  async run(signal: AbortSignal): Promise<void> {
    const group = new AbortController();
    const stop = (): void => {
      group.abort(signal.reason);
      this.#wake();
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!group.signal.aborted && this.#thrown.length === 0) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        this.#startAll(group.signal);
        await this.#waitFor(woken);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      group.abort();
    }
    await Promise.all(this.#running.values());
    const thrown = this.#thrown.splice(0);
    if (thrown.length > 0) throw thrown.length === 1 ? thrown[0] : new AggregateError(thrown, 'several runs of the queue broke');
  }

  #startAll(signal: AbortSignal): void {
    this.#promote();
    while (this.#running.size < this.#concurrency) {
      // A key that runs has its turn when it ends.
      const key = this.#ready.take(
        (each) => !this.#running.has(each),
        (group) => (this.#runningOf.get(group) ?? 0) < this.#groupConcurrency,
      );
      if (key === undefined) return;
      this.#count(key, 1);
      this.#running.set(key, this.#runOnce(key, signal));
    }
  }

  /** Moves what is due to the ready keys. */
  #promote(): void {
    const now = this.#clock.monotonic();
    for (let next = this.#nextDue(); next !== undefined && next.dueMs <= now; next = this.#nextDue()) {
      this.#due.pop();
      this.#delayed.delete(next.key);
      this.#ready.add(next.key);
    }
  }

  /** The next delayed key. The heap may hold entries of keys that were moved forward since. */
  #nextDue(): { readonly key: K; readonly dueMs: number } | undefined {
    for (let next = this.#due.peek(); next !== undefined; next = this.#due.peek()) {
      if (this.#delayed.get(next.key) === next.dueMs) return next;
      this.#due.pop();
    }
    return undefined;
  }

  async #waitFor(woken: Promise<void>): Promise<void> {
    const next = this.#nextDue();
    if (next === undefined) return woken;
    const cancel = new AbortController();
    const slept = pause(Math.max(0, next.dueMs - this.#clock.monotonic()), { clock: this.#clock, signal: cancel.signal });
    try {
      await Promise.race([woken, slept]);
    } finally {
      cancel.abort();
    }
  }

  async #runOnce(key: K, signal: AbortSignal): Promise<void> {
    try {
      this.#settle(key, await this.#run(key, signal));
    } catch (failure) {
      if (!signal.aborted) this.#thrown.push(failure);
    } finally {
      this.#running.delete(key);
      this.#count(key, -1);
      this.#wake();
    }
  }

  #count(key: K, more: 1 | -1): void {
    const group = this.#groupOf(key);
    const running = (this.#runningOf.get(group) ?? 0) + more;
    if (running === 0) this.#runningOf.delete(group);
    else this.#runningOf.set(group, running);
  }

  /** A key that ran has its place, also in a queue that is full meanwhile: a retry that is refused would be lost. */
  #settle(key: K, outcome: QueueOutcome): void {
    if (outcome.kind !== 'retry') this.#failures.delete(key);
    switch (outcome.kind) {
      case 'done':
        return;
      case 'again':
        this.#put(key, outcome.afterMs);
        return;
      case 'retry': {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#put(key, Math.max(outcome.afterMs ?? 0, jittered(this.#backoff, failures, this.#random())));
        return;
      }
      default:
        outcome satisfies never;
    }
  }
}
