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
  readonly turns?: Pick<Turns, 'isHeld'>;
}

/** The longest time for which a busy workspace waits: a third of the time that kcp waits for an answer. */
const LONGEST_HELD_MS = 3_000;
/** How long the busy ones rest after an answer that took longer. */
const LONGEST_REST_MS = 500;
const NEVER = new AbortController().signal;

/**
 * The requests to kcp. Work for busy workspaces delays the others: so while a workspace waits that has used far less, all busy ones together have one
 * request at a time, and pause after it for as long as it took.
 */
export class KcpAsks {
  readonly #turns: Pick<Turns, 'isHeld'>;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #all: FairSlots;
  readonly #held = new FairSlots({ count: 1 });

  constructor({ limits, clock, turns = processTurns }: KcpAsksDependencies) {
    this.#turns = turns;
    this.#clock = clock;
    this.#deadlines = new Deadlines({ clock });
    this.#all = new FairSlots({ count: limits.asks, mostEach: limits.asksOfOne });
  }

  /** Waits until something may be asked about a workspace, and answers with what to call afterwards. Rejects with the signal's reason. */
  async take(workspace: string, signal: AbortSignal): Promise<() => void> {
    const letOthersGo = this.#turns.isHeld(workspace) ? await this.#waitAsHeld(workspace, signal) : undefined;
    try {
      const giveBack = await this.#all.take(workspace, { signal });
      const begunMs = this.#clock.monotonic();
      return () => {
        giveBack();
        if (letOthersGo !== undefined) void this.#rest(this.#clock.monotonic() - begunMs).then(letOthersGo);
      };
    } catch (failure) {
      letOthersGo?.();
      throw failure;
    }
  }

  /** Busy ones ask for half of the time. */
  #rest(askedMs: number): Promise<void> {
    return this.#clock.sleep(Math.min(askedMs, LONGEST_REST_MS), { signal: NEVER });
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
