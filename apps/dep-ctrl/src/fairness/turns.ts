// Work that may be long is done in pieces, and others are let through between them: one event loop answers everybody. However many do such
// work at a time, the loop comes round after one turn of one of them.

/**
 * How long one may go on before it is somebody else's turn: about this and one piece. A review waits for some eight turns of others; to let them
 * through costs some microseconds.
 */
export const TURN_MS = 2;

/** Whose turn it is: one after the other, each in a turn of the loop of its own. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn; whatever else waits for the loop has had its own by then. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#call);
    });
  }

  readonly #call = (): void => {
    this.#waiting[0]?.();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(this.#call);
  };
}

/** There is one event loop. */
export const processTurns = new Turns();

/** What {@link inTurns} works with; the defaults are the event loop and its clock. */
export interface TurnOptions {
  readonly now?: () => number;
  readonly turns?: Pick<Turns, 'next'>;
}

/** Does all the pieces, and answers with what they come to. */
export async function inTurns<T>(
  pieces: Iterator<void, T>,
  { now = () => performance.now(), turns = processTurns }: TurnOptions = {},
): Promise<T> {
  let sinceMs = now();
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
    if (now() - sinceMs < TURN_MS) continue;
    await turns.next();
    sinceMs = now();
  }
}

/** Does all the pieces at one go, for whoever keeps nobody waiting. */
export function atOnce<T>(pieces: Iterator<void, T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}
