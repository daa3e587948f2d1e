/*
 * Slows down an action that is repeated on the same key: a few times at once, then with growing pauses. Another action, or a long time without one, starts
 * anew. A brake is for actions that succeed and that others undo. Work that fails is delayed by the back-off of the queue.
 */
import { isDeepStrictEqual } from 'node:util';
import { pauseAfter, type Backoff } from './backoff.js';
import type { Clock } from './clock.js';

/** How a brake slows down. */
export interface BrakeSettings {
  /** Actions in a row that need no pause after them. */
  readonly atOnce: number;
  /** The pauses after the later ones. */
  readonly backoff: Backoff;
  /** An action is forgotten after so long without another: at least the longest pause. */
  readonly forgetMs: number;
}

interface Past<Action> {
  readonly action: Action;
  /** Actions in a row, this one included. */
  readonly count: number;
  readonly lastMs: number;
}

/** Remembers the actions on each key within `forgetMs`, and says when the same action may follow. */
export class Brake<Key, Action = undefined> {
  readonly #clock: Clock;
  readonly #settings: BrakeSettings;
  /** The key with the oldest action comes first. */
  readonly #past = new Map<Key, Past<Action>>();

  constructor(clock: Clock, settings: BrakeSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** How many milliseconds this action has to wait; 0: none. */
  waitMs(key: Key, action: Action): number {
    const past = this.#pastOf(key, action);
    if (past === undefined || past.count <= this.#settings.atOnce) return 0;
    const dueMs = past.lastMs + pauseAfter(this.#settings.backoff, past.count - this.#settings.atOnce);
    return Math.max(0, dueMs - this.#clock.monotonic());
  }

  /** Notes that the action was done now. True for the first one with a pause after it. */
  did(key: Key, action: Action): boolean {
    const count = (this.#pastOf(key, action)?.count ?? 0) + 1;
    this.#past.delete(key);
    this.#past.set(key, { action, count, lastMs: this.#clock.monotonic() });
    this.#expire();
    return count === this.#settings.atOnce + 1;
  }

  /** Whether the action may be done now; if so, it is noted as done. */
  tryNow(key: Key, action: Action): boolean {
    const isFree = this.waitMs(key, action) === 0;
    if (isFree) this.did(key, action);
    return isFree;
  }

  forget(key: Key): void {
    this.#past.delete(key);
  }

  #pastOf(key: Key, action: Action): Past<Action> | undefined {
    const past = this.#past.get(key);
    return past !== undefined && !this.#isOver(past) && isDeepStrictEqual(past.action, action) ? past : undefined;
  }

  #expire(): void {
    for (const [key, past] of this.#past) {
      if (!this.#isOver(past)) return;
      this.#past.delete(key);
    }
  }

  #isOver({ lastMs }: Past<Action>): boolean {
    return this.#clock.monotonic() - lastMs >= this.#settings.forgetMs;
  }
}
