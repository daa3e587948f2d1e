import type { Clock } from '@dep-ctrl/kcp-client';

/** How long readings are kept. */
export interface KeptReadingsOptions {
  readonly clock: Clock;
  readonly keepMs: number;
}

interface Kept<V> {
  readonly atMs: number;
  readonly reading: Promise<V>;
  weight: number;
}

/** Rules may name any number of types, and their authors write what is read. */
const MOST_KEPT = 1_000;
/** Characters of all together, as JSON; in memory it is a few times that. */
const MOST_WEIGHT = 8 * 1024 * 1024;

/** Readings of what others write. The oldest go first, when they are too old and when all together are too large. */
export class KeptReadings<V> {
  readonly #options: KeptReadingsOptions;
  readonly #kept = new Map<string, Kept<V>>();
  #weight = 0;

  constructor(options: KeptReadingsOptions) {
    this.#options = options;
  }

  /** What was read of late, or is being read; otherwise it is read now. */
  read(key: string, read: () => Promise<V>): Promise<V> {
    const { clock, keepMs } = this.#options;
    const nowMs = clock.monotonic();
    for (const [other, { atMs }] of this.#kept) {
      if (nowMs - atMs < keepMs) break;
      this.forget(other);
    }
    const known = this.#kept.get(key);
    if (known !== undefined) return known.reading;
    if (this.#kept.size === MOST_KEPT) this.#forgetOldest();
    const reading = read().then((value) => {
      this.#weigh(key, kept, value);
      return value;
    });
    const kept: Kept<V> = { atMs: nowMs, reading, weight: 0 };
    this.#kept.set(key, kept);
    return reading;
  }

  /** How long ago it was read; undefined: it is not kept. */
  ageMs(key: string): number | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#options.clock.monotonic() - kept.atMs;
  }

  /** Has it read again when it is asked for. */
  forget(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }

  #weigh(key: string, kept: Kept<V>, value: V): void {
    if (this.#kept.get(key) !== kept) return;
    kept.weight = JSON.stringify(value).length;
    this.#weight += kept.weight;
    while (this.#weight > MOST_WEIGHT) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.forget(oldest);
  }
}
