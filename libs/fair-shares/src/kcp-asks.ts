import type { Clock } from '@dep-ctrl/kcp-client';
import { FairSlots } from './fair-slots.js';
import { processTurns, type Turns } from './turns.js';
import { Deadlines } from './deadlines.js';

/** The number of requests at a time, in all and for one workspace. */
export interface AskLimits {
  readonly asks: number;
  readonly asksOfOne: number;
}

/** What {@link KcpAsks} needs. */
export interface KcpAsksDependencies {
  readonly limits: AskLimits;
  readonly clock: Clock;
  readonly turns?: Pick<Turns, 'isHeld' | 'isAnybody'>;
}

/** Something that is being asked of kcp. */
export interface Ask {
  /** A part of the answer has come. */
  readonly answered: (bytes: number) => void;
  /** Waits until more of the same may be asked: since it began, its answers may have turned out to be large. Rejects with the signal's reason. */
  readonly goOn: () => Promise<void>;
  /** Nothing more is wanted. */
  readonly end: () => void;
}

/** The longest time for which a busy workspace waits: a third of the time that kcp waits for an answer. */
const LONGEST_HELD_MS = 3_000;
/** How long busy workspaces rest at most after an answer. */
const LONGEST_REST_MS = 500;
/** A larger answer takes kcp some 50 ms, and a request that kcp has begun cannot be called back. So a workspace with such answers waits before it asks. */
const LARGE_BYTES = 2 * 1024 * 1024;
/** Requests at a time of a workspace whose answers are of unknown size. */
const ASKS_OF_UNKNOWN = 2;
/** How long the size of answers counts, and of how many workspaces; beyond, the one that was answered longest ago is forgotten. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;
const NEVER = new AbortController().signal;

/**
 * The requests to kcp. Work for busy workspaces delays the others: so while a workspace waits that has used far less, or whose answers are small, all busy
 * ones together have one request at a time, and pause after it for as long as it took. A list that turns out to be large waits before its next page.
 */
export class KcpAsks {
  readonly #turns: Pick<Turns, 'isHeld' | 'isAnybody'>;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #all: FairSlots;
  readonly #held = new FairSlots({ count: 1 });
  /** How large the answers about a workspace are, and since when. */
  readonly #answers = new Map<string, { readonly isLarge: boolean; readonly atMs: number }>();

  constructor({ limits, clock, turns = processTurns }: KcpAsksDependencies) {
    this.#turns = turns;
    this.#clock = clock;
    this.#deadlines = new Deadlines({ clock });
    this.#all = new FairSlots({
      count: limits.asks,
      mostOf: (workspace) => (this.#isLarge(workspace) === undefined ? Math.min(limits.asksOfOne, ASKS_OF_UNKNOWN) : limits.asksOfOne),
    });
  }

  /** Waits until something may be asked about a workspace. Rejects with the signal's reason. */
  async take(workspace: string, signal: AbortSignal, { isList = true }: { readonly isList?: boolean } = {}): Promise<Ask> {
    const turn = new HeldTurn(() => this.#waitAsHeld(workspace, signal), this.#clock);
    const waitIfHeld = async (): Promise<void> => {
      if (this.#isHeld(workspace, isList)) await turn.take();
    };
    await waitIfHeld();
    try {
      const giveBack = await this.#all.take(workspace, { signal });
      let bytes = 0;
      return {
        answered: (more) => {
          bytes += more;
          this.#remember(workspace, bytes);
        },
        goOn: waitIfHeld,
        end: () => {
          giveBack();
          turn.end();
        },
      };
    } catch (failure) {
      turn.end();
      throw failure;
    }
  }

  /** One object is asked for several times in a review: that adds up, and kcp answers it at once. */
  #isHeld(workspace: string, isList: boolean): boolean {
    if (this.#turns.isHeld(workspace)) return true;
    return isList && this.#isLarge(workspace) === true && this.#turns.isAnybody((other) => this.#isLarge(other) === false);
  }

  /** Undefined: not known. */
  #isLarge(workspace: string): boolean | undefined {
    const known = this.#answers.get(workspace);
    return known === undefined || this.#clock.monotonic() - known.atMs > REMEMBERED_MS ? undefined : known.isLarge;
  }

  /** One small answer does not make up for a large one. */
  #remember(workspace: string, bytes: number): void {
    const isLarge = bytes > LARGE_BYTES;
    if (!isLarge && this.#isLarge(workspace) === true) return;
    this.#answers.delete(workspace);
    this.#answers.set(workspace, { isLarge, atMs: this.#clock.monotonic() });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** Undefined: it has waited for long enough. */
  async #waitAsHeld(workspace: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const enough = new AbortController();
    const cancel = this.#deadlines.after(LONGEST_HELD_MS, () => enough.abort());
    try {
      return await this.#held.take(workspace, { signal: AbortSignal.any([signal, enough.signal]) });
    } catch (failure) {
      if (signal.aborted) throw failure;
      return undefined;
    } finally {
      cancel();
    }
  }
}

/** The turn of one request among the busy ones. */
class HeldTurn {
  readonly #wait: () => Promise<(() => void) | undefined>;
  readonly #clock: Clock;
  #hasWaited = false;
  #begunMs = 0;
  #letOthersGo: (() => void) | undefined;

  constructor(wait: () => Promise<(() => void) | undefined>, clock: Clock) {
    this.#wait = wait;
    this.#clock = clock;
  }

  /** Waits once: whoever has waited for long enough does not wait again. */
  async take(): Promise<void> {
    if (this.#hasWaited) return;
    this.#hasWaited = true;
    this.#letOthersGo = await this.#wait();
    this.#begunMs = this.#clock.monotonic();
  }

  /** Busy ones ask for half of the time. */
  end(): void {
    if (this.#letOthersGo === undefined) return;
    const askedMs = this.#clock.monotonic() - this.#begunMs;
    void this.#clock.sleep(Math.min(askedMs, LONGEST_REST_MS), { signal: NEVER }).then(this.#letOthersGo);
  }
}
