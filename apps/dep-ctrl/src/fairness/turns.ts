// Work that may be long is done in pieces, and others are let through between them: one event loop answers everybody. However many do such
// work at a time, the loop comes round after one turn of one of them; and while somebody who has used little is waiting for an answer, those
// who have used much get no more than a small part of the loop.

/**
 * How long one may go on before it is somebody else's turn: about this and one piece. A review waits for some eight turns of others; to let them
 * through costs some microseconds.
 */
export const TURN_MS = 2;

/** Whoever has used more than this of late is busy. A list of 5 000 objects is 30 to 200 ms of work. */
const BUSY_MS = 100;
/** What was used counts half as much after each of these. */
const HALF_LIFE_MS = 1_000;
/** Somebody waits who has used less than this part of what a busy one has: busy ones get one turn in so long. */
const FAR_LESS = 1 / 4;
const HOLD_MS = 12;
/** Beyond, whoever has used least is forgotten: anybody may have thousands of workspaces. */
const MOST_REMEMBERED = 10_000;

/** Whose work it is: all of these (the provider, the consumer workspace) have used what it took. Nobody: it is nobody's in particular. */
export type Sharers = readonly string[];

/** How a {@link Turns} knows the time and comes back later. */
export interface TurnsLoop {
  readonly now: () => number;
  readonly soon: (call: () => void) => unknown;
  readonly later: (call: () => void, ms: number) => unknown;
}

const eventLoop: TurnsLoop = { now: () => performance.now(), soon: setImmediate, later: setTimeout };

interface Waiting {
  readonly sharers: Sharers;
  readonly proceed: () => void;
}

/** Whose turn it is: one after the other, each in a turn of the loop of its own, whoever has used least first. */
export class Turns {
  readonly #loop: TurnsLoop;
  readonly #waiting: Waiting[] = [];
  readonly #used = new Map<string, { readonly ms: number; readonly atMs: number }>();
  /** Those whose answers are under way, and how many. */
  readonly #present = new Map<string, number>();
  #isCalled = false;
  #isHolding = false;
  #lastMs = -Infinity;

  constructor(loop: TurnsLoop = eventLoop) {
    this.#loop = loop;
  }

  /** Says that somebody waits for an answer, until the returned function is called. */
  enter(sharer: string): () => void {
    this.#present.set(sharer, (this.#present.get(sharer) ?? 0) + 1);
    return () => {
      const left = (this.#present.get(sharer) ?? 0) - 1;
      if (left > 0) this.#present.set(sharer, left);
      else this.#present.delete(sharer);
    };
  }

  /** Resolves when it is the caller's turn; whatever else waits for the loop has had its own by then. */
  next(sharers: Sharers = []): Promise<void> {
    return new Promise((proceed) => {
      this.#waiting.push({ sharers, proceed });
      this.#callSoon();
    });
  }

  /** Notes what a piece of work took. */
  spent(sharers: Sharers, ms: number): void {
    const atMs = this.#loop.now();
    for (const sharer of sharers) this.#used.set(sharer, { ms: this.#usedBy(sharer) + ms, atMs });
    if (this.#used.size > MOST_REMEMBERED) this.#forgetLittle();
  }

  #forgetLittle(): void {
    const used = [...this.#used.keys()].map((sharer) => [sharer, this.#usedBy(sharer)] as const).toSorted(([, a], [, b]) => a - b);
    for (const [sharer] of used.slice(0, MOST_REMEMBERED / 2)) this.#used.delete(sharer);
  }

  /** Whether these had better wait for a turn before they begin. */
  areBusy(sharers: Sharers): boolean {
    return this.#usedByAny(sharers) > BUSY_MS;
  }

  /** Whether these are busy while somebody waits for an answer who has used far less. */
  areHeld(sharers: Sharers): boolean {
    const used = this.#usedByAny(sharers);
    return used > BUSY_MS && [...this.#present.keys()].some((sharer) => this.#usedBy(sharer) < used * FAR_LESS);
  }

  #callSoon(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    this.#loop.soon(() => this.#call());
  }

  /** Whoever comes meanwhile is asked about at once. */
  #callLater(ms: number): void {
    if (this.#isHolding) return;
    this.#isHolding = true;
    this.#loop.later(() => {
      this.#isHolding = false;
      this.#callSoon();
    }, ms);
  }

  #call(): void {
    this.#isCalled = false;
    const next = this.#first();
    if (next === undefined) return;
    const heldMs = this.#lastMs + HOLD_MS - this.#loop.now();
    if (heldMs > 0 && this.areHeld(next.sharers)) {
      this.#callLater(heldMs);
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#lastMs = this.#loop.now();
    next.proceed();
    if (this.#waiting.length > 0) this.#callSoon();
  }

  /** Of those who wait, who has used least; of them, who came first. */
  #first(): Waiting | undefined {
    let first: Waiting | undefined;
    let least = Infinity;
    for (const waiting of this.#waiting) {
      const used = this.#usedByAny(waiting.sharers);
      if (used < least) [first, least] = [waiting, used];
    }
    return first;
  }

  #usedByAny(sharers: Sharers): number {
    return sharers.reduce((most, sharer) => Math.max(most, this.#usedBy(sharer)), 0);
  }

  #usedBy(sharer: string): number {
    const used = this.#used.get(sharer);
    if (used === undefined) return 0;
    const left = used.ms * 2 ** ((used.atMs - this.#loop.now()) / HALF_LIFE_MS);
    if (left < 1) this.#used.delete(sharer);
    return left;
  }
}

/** There is one event loop. */
export const processTurns = new Turns();

/** What {@link inTurns} works with; the defaults are the event loop, its clock, and nobody in particular. */
export interface TurnOptions {
  readonly sharers?: Sharers | undefined;
  readonly now?: () => number;
  readonly turns?: Pick<Turns, 'next' | 'spent' | 'areBusy'>;
}

/** Does all the pieces, and answers with what they come to. */
export async function inTurns<T>(
  pieces: Iterator<void, T>,
  { sharers = [], now = () => performance.now(), turns = processTurns }: TurnOptions = {},
): Promise<T> {
  if (turns.areBusy(sharers)) await turns.next(sharers);
  for (;;) {
    const beganMs = now();
    const result = workFor(TURN_MS, pieces, now);
    turns.spent(sharers, now() - beganMs);
    if (result !== undefined) return result.value;
    await turns.next(sharers);
  }
}

/** Works until the time is over or all is done, which it answers with. */
function workFor<T>(ms: number, pieces: Iterator<void, T>, now: () => number): { readonly value: T } | undefined {
  const untilMs = now() + ms;
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return { value };
    if (now() >= untilMs) return undefined;
  }
}

/** Does all the pieces at one go, for whoever keeps nobody waiting. */
export function atOnce<T>(pieces: Iterator<void, T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}
