// How long one call for a dying workspace may begin something new. To look for objects takes as long as kcp needs; what is done about those that are found
// has a share of its own, so that a workspace of many empty types gets to the others.
import type { Clock } from '@dep-ctrl/kcp-client';

/** The bounds of a call. */
export interface PassBounds {
  /** From its begin. */
  readonly allMs: number;
  /** From the first object that is found. */
  readonly workMs: number;
}

/** The time of one call. */
export class PassTime {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #lastMs: number;
  readonly #workMs: number;
  #untilMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, { allMs, workMs }: PassBounds) {
    this.#clock = clock;
    this.#lastMs = clock.monotonic() + allMs;
    this.#workMs = workMs;
  }

  /** Whether nothing new is to be begun. */
  isOver(): boolean {
    return this.#clock.monotonic() >= Math.min(this.#lastMs, this.#untilMs ?? Infinity);
  }

  /** An object was found. */
  found(): void {
    this.#untilMs ??= this.#clock.monotonic() + this.#workMs;
  }

  /** Somebody took the time of others: they have so much at least. */
  grant(ms: number): void {
    if (this.#untilMs !== undefined) this.#untilMs = Math.max(this.#untilMs, this.#clock.monotonic() + ms);
  }
}
