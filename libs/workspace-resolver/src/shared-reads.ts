/*
 * One read per key, however many ask at once. A reading is handed out until it is `staleAfterMs` old, counted from its start, so that
 * nobody is told what was true longer ago than that. Who needs to know what is true now asks for a fresh one: it begins after the
 * question, and all who ask in the meantime share it. Failures are not kept. A read that nobody waits for any more is aborted.
 */
import { AbortGroups } from './abort-groups.js';

/** What a `SharedReads` needs. */
export interface SharedReadsDependencies<K, V> {
  readonly read: (key: K, options: { readonly signal: AbortSignal }) => Promise<V>;
  readonly clock: { monotonic(): number };
  readonly staleAfterMs: number;
  /** Whether an answer may be handed out again; one that may not is still shared by those who wait for it. */
  readonly keeps: (value: V) => boolean;
}

interface Reading<V> {
  readonly startedAt: number;
  readonly answer: Promise<V>;
  readonly abort: AbortController;
  waiting: number;
  settled: boolean;
  next: Reading<V> | undefined;
}

/** Readings by key, shared between those who ask. */
export class SharedReads<K, V> {
  readonly #dependencies: SharedReadsDependencies<K, V>;
  readonly #readings = new Map<K, Reading<V>>();
  readonly #aborts = new AbortGroups();

  constructor(dependencies: SharedReadsDependencies<K, V>) {
    this.#dependencies = dependencies;
  }

  /** The answer for a key. Rejects with what the read rejects with, or with the reason of the signal. */
  async ask(key: K, { signal, fresh = false }: { readonly signal: AbortSignal; readonly fresh?: boolean }): Promise<V> {
    signal.throwIfAborted();
    return this.#wait(key, fresh ? this.#nextReading(key) : this.#currentReading(key), signal);
  }

  #currentReading(key: K): Reading<V> {
    const reading = this.#readings.get(key);
    const isStale = reading === undefined || this.#age(reading) >= this.#dependencies.staleAfterMs;
    return isStale ? this.#start(key) : reading;
  }

  /** A reading that begins after this call. */
  #nextReading(key: K): Reading<V> {
    const reading = this.#readings.get(key);
    if (reading === undefined || reading.settled) return this.#start(key);
    if (reading.next === undefined || reading.next.abort.signal.aborted) reading.next = this.#start(key, reading.answer);
    return reading.next;
  }

  #start(key: K, after?: Promise<unknown>): Reading<V> {
    const { read, keeps, clock } = this.#dependencies;
    const abort = new AbortController();
    const reading: Reading<V> = {
      startedAt: clock.monotonic(),
      abort,
      waiting: 0,
      settled: false,
      next: undefined,
      answer: (after === undefined ? read(key, abort) : after.then(ignore, ignore).then(() => read(key, abort))).then(
        (value) => this.#settle(key, reading, keeps(value), value),
        (error: unknown) => {
          this.#settle(key, reading, false, undefined);
          throw error;
        },
      ),
    };
    reading.answer.catch(ignore);
    if (after === undefined) this.#replace(key, reading);
    return reading;
  }

  #settle<T>(key: K, reading: Reading<V>, keep: boolean, value: T): T {
    reading.settled = true;
    if (this.#readings.get(key) === reading && !keep) this.#readings.delete(key);
    if (reading.next?.abort.signal.aborted === false) this.#replace(key, reading.next);
    return value;
  }

  #replace(key: K, reading: Reading<V>): void {
    for (const [other, { settled, startedAt }] of this.#readings) {
      if (settled && this.#dependencies.clock.monotonic() - startedAt >= this.#dependencies.staleAfterMs) this.#readings.delete(other);
    }
    this.#readings.set(key, reading);
  }

  async #wait(key: K, reading: Reading<V>, signal: AbortSignal): Promise<V> {
    reading.waiting += 1;
    try {
      return await this.#abortable(reading.answer, signal);
    } finally {
      reading.waiting -= 1;
      if (reading.waiting === 0 && !reading.settled) {
        reading.abort.abort(signal.reason);
        if (this.#readings.get(key) === reading) this.#readings.delete(key);
      }
    }
  }

  /** The answer, or the reason of the signal if that comes first. */
  #abortable(answer: Promise<V>, signal: AbortSignal): Promise<V> {
    return new Promise<V>((resolve, reject) => {
      // The reason is the caller's own, usually an Error.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      const leave = this.#aborts.join(signal, () => reject(signal.reason));
      void answer.then(resolve, reject).finally(leave);
    });
  }

  #age(reading: Reading<V>): number {
    return this.#dependencies.clock.monotonic() - reading.startedAt;
  }
}

function ignore(): void {
  // Rejections reach those who wait.
}
