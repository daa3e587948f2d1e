// The cache server: holds the objects that every shard may read from every other, a moment late. Each shard feeds it in the order of its own writes.
import type { BucketEvent } from '../../storage/shard-store.js';
import { Bucket } from '../../storage/bucket.js';

interface Underway {
  readonly dueAt: number;
  readonly change: BucketEvent;
}

/** The clock of replication. */
export interface ReplicationClock {
  readonly now: () => number;
  readonly after: (ms: number, work: () => void) => void;
}

/** The replicated objects of all shards. */
export class ReplicationCache {
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<(change: BucketEvent) => void>();
  readonly #clock: ReplicationClock;
  readonly #isReplicated: (change: BucketEvent) => boolean;
  #underway: Underway[] = [];
  #delayMs: number;
  #paused = false;

  constructor(clock: ReplicationClock, delayMs: number, isReplicated: (change: BucketEvent) => boolean) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#isReplicated = isReplicated;
  }

  /** The replicated objects of a resource, of all clusters of all shards. */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket();
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Takes a change of a shard; it arrives later. */
  feed(change: BucketEvent): void {
    if (!this.#isReplicated(change)) return;
    this.#underway.push({ dueAt: this.#clock.now() + this.#delayMs, change });
    this.#clock.after(this.#delayMs, () => this.#deliver());
  }

  /** Takes a change that is there from the start. */
  seed(change: BucketEvent): void {
    if (this.#isReplicated(change)) this.#arrive(change);
  }

  /** Calls back when a change has arrived. */
  subscribe(listener: (change: BucketEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** How long changes are under way from now on. */
  setDelay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Holds everything back. */
  pause(): void {
    this.#paused = true;
  }

  /** Lets everything through that was held back, in order. */
  resume(): void {
    this.#paused = false;
    this.#deliver();
  }

  // Strictly in order: a change waits for the ones before it, even when the delay was shortened meanwhile. A timer counts from the
  // beginning of the turn in which it was set, so after a long turn it is early: then it is set again.
  #deliver(): void {
    if (this.#paused) return;
    const now = this.#clock.now();
    for (let next = this.#underway[0]; next !== undefined; next = this.#underway[0]) {
      if (next.dueAt > now) {
        this.#clock.after(next.dueAt - now, () => this.#deliver());
        return;
      }
      this.#underway.shift();
      this.#arrive(next.change);
    }
  }

  #arrive(change: BucketEvent): void {
    this.bucket(change.bucket).apply(change.event);
    for (const listener of [...this.#listeners]) listener(change);
  }
}
