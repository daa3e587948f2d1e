// Runs long work in pieces on the one event loop, so that other work can run in between. The loop comes round after one turn of one sharer, whatever their
// number. While a sharer waits that has used little, those that have used much get a sixth of the loop, unless their own time runs out.

/**
 * How long one sharer works before the next sharer's turn: about this and one piece. A review waits for some eight turns of other sharers. To let them
 * through costs some microseconds.
 */
export const TURN_MS = 2;

/** A sharer that used more than this of late is busy. A list of 5 000 objects is 30 to 200 ms of work. */
const BUSY_MS = 100;
/** Used time counts half as much after each of these. */
const HALF_LIFE_MS = 1_000;
/** While a sharer is present that used less than this part of what a busy sharer used, busy sharers get shorter turns with pauses: a sixth of the loop. */
const FAR_LESS = 1 / 4;
const HELD_TURN_MS = 1;
const HOLD_MS = 6;
/** A sharer counts as present for so long after its last answer: work that a busy sharer begins in between would delay its next review. */
const LINGER_MS = 500;
/** Above this number the sharers that used least are forgotten: one tenant may have thousands of workspaces. */
const MOST_REMEMBERED = 10_000;

/** The owner of a piece of work: a workspace; undefined: no workspace in particular. */
export type Sharer = string | undefined;

/** How a {@link Turns} knows the time and comes back later. */
export interface TurnsLoop {
  readonly now: () => number;
  readonly soon: (call: () => void) => unknown;
  readonly later: (call: () => void, ms: number) => unknown;
}

const eventLoop: TurnsLoop = { now: () => performance.now(), soon: setImmediate, later: setTimeout };

interface Waiting {
  readonly sharer: Sharer;
  readonly isUrgent: boolean;
  readonly proceed: (turnMs: number) => void;
}

/** Gives turns one after the other, each in a round of the event loop of its own. The sharer that used least comes first. */
export class Turns {
  readonly #loop: TurnsLoop;
  readonly #waiting: Waiting[] = [];
  readonly #used = new Map<string, { readonly ms: number; readonly atMs: number }>();
  /** By sharer: how many answers are under way, and when the last one was given. */
  readonly #present = new Map<string, { readonly waiting: number; readonly atMs: number }>();
  #isCalled = false;
  #isHolding = false;
  #lastMs = -Infinity;

  constructor(loop: TurnsLoop = eventLoop) {
    this.#loop = loop;
  }

  /** Notes that the sharer waits for an answer, until the returned function is called. */
  enter(sharer: string): () => void {
    this.#count(sharer, 1);
    return () => this.#count(sharer, -1);
  }

  /** Resolves when it is the caller's turn, with how long it is; whatever else waits for the loop has had its own by then. */
  next(sharer?: Sharer, { isUrgent = false }: { readonly isUrgent?: boolean } = {}): Promise<number> {
    return new Promise((proceed) => {
      this.#waiting.push({ sharer, isUrgent, proceed });
      this.#callSoon();
    });
  }

  /** Notes what a piece of work took. */
  spent(sharer: Sharer, ms: number): void {
    if (sharer === undefined) return;
    const atMs = this.#loop.now();
    this.#used.set(sharer, { ms: this.#usedBy(sharer, atMs) + ms, atMs });
    if (this.#used.size > MOST_REMEMBERED) this.#forgetLittle(atMs);
  }

  /** Whether this one had better wait for a turn before it begins. */
  isBusy(sharer: Sharer): boolean {
    return this.#usedBy(sharer, this.#loop.now()) > BUSY_MS;
  }

  /** Whether this sharer is busy while another one is present that used far less. */
  isHeld(sharer: Sharer): boolean {
    const nowMs = this.#loop.now();
    const used = this.#usedBy(sharer, nowMs);
    return used > BUSY_MS && this.isAnybody((other) => this.#usedBy(other, nowMs) < used * FAR_LESS);
  }

  /** Whether the condition holds for any sharer that is present. */
  isAnybody(isSuch: (sharer: string) => boolean): boolean {
    const nowMs = this.#loop.now();
    for (const [each, { waiting, atMs }] of this.#present) {
      if (waiting === 0 && nowMs - atMs > LINGER_MS) this.#present.delete(each);
      else if (isSuch(each)) return true;
    }
    return false;
  }

  #count(sharer: string, more: number): void {
    const waiting = (this.#present.get(sharer)?.waiting ?? 0) + more;
    const atMs = this.#loop.now();
    this.#present.delete(sharer);
    this.#present.set(sharer, { waiting, atMs });
    // At most one absent sharer is dropped for each one that comes: no long loop here.
    const [oldest] = this.#present;
    if (oldest?.[1].waiting === 0 && atMs - oldest[1].atMs > LINGER_MS) this.#present.delete(oldest[0]);
  }

  #forgetLittle(nowMs: number): void {
    const used = [...this.#used.keys()].map((sharer) => [sharer, this.#usedBy(sharer, nowMs)] as const).toSorted(([, a], [, b]) => a - b);
    for (const [sharer] of used.slice(0, MOST_REMEMBERED / 2)) this.#used.delete(sharer);
  }

  #callSoon(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    this.#loop.soon(() => this.#call());
  }

  /** A sharer that comes meanwhile does not wait for this. */
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
    const isHeld = !next.isUrgent && this.isHeld(next.sharer);
    const heldMs = this.#lastMs + HOLD_MS - this.#loop.now();
    if (isHeld && heldMs > 0) {
      this.#callLater(heldMs);
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#lastMs = this.#loop.now();
    next.proceed(isHeld ? HELD_TURN_MS : TURN_MS);
    this.#callSoon();
  }

  /** Of the waiting sharers the one that used least; among equals the one that came first. */
  #first(): Waiting | undefined {
    const nowMs = this.#loop.now();
    let first: Waiting | undefined;
    let least = Infinity;
    for (const waiting of this.#waiting) {
      const used = this.#usedBy(waiting.sharer, nowMs);
      if (used < least) [first, least] = [waiting, used];
    }
    return first;
  }

  #usedBy(sharer: Sharer, nowMs: number): number {
    const used = sharer === undefined ? undefined : this.#used.get(sharer);
    return used === undefined ? 0 : used.ms * 2 ** ((used.atMs - nowMs) / HALF_LIFE_MS);
  }
}

/** There is one event loop. */
export const processTurns = new Turns();

/** What {@link inTurns} works with; the defaults are the event loop, its clock, and no sharer. */
export interface TurnOptions {
  readonly sharer?: Sharer;
  /** Whether the caller that waits for the result has little time left: then the work does not wait for other sharers. */
  readonly isUrgent?: () => boolean;
  readonly now?: () => number;
  readonly turns?: Pick<Turns, 'next' | 'spent' | 'isBusy'>;
}

/** Does all the pieces, and returns their result. Work that ends within one turn is not charged: every sharer may cause that much. */
export async function inTurns<T>(
  pieces: Iterator<void, T>,
  { sharer, isUrgent = () => false, now = () => performance.now(), turns = processTurns }: TurnOptions = {},
): Promise<T> {
  const next = (): Promise<number> => turns.next(sharer, { isUrgent: isUrgent() });
  let turnMs = turns.isBusy(sharer) ? await next() : TURN_MS;
  for (let isFirst = true; ; isFirst = false) {
    const beganMs = now();
    const result = workFor(turnMs, pieces, now);
    if (!isFirst || result === undefined) turns.spent(sharer, now() - beganMs);
    if (result !== undefined) return result.value;
    turnMs = await next();
  }
}

/** Works until the time is over (undefined) or all pieces are done (their result). */
function workFor<T>(ms: number, pieces: Iterator<void, T>, now: () => number): { readonly value: T } | undefined {
  const untilMs = now() + ms;
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return { value };
    if (now() >= untilMs) return undefined;
  }
}

/** Does all the pieces at one go, for work during which nothing else has to run. */
export function atOnce<T>(pieces: Iterator<void, T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}
