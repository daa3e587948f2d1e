// Work that may be long is done in pieces, and others are let through between them: one event loop answers everybody.
import { setImmediate } from 'node:timers/promises';

/** Nobody else is kept waiting for longer than about this and one piece. */
const TURN_MS = 10;

/** What {@link inTurns} works with; the defaults are the event loop and its clock. */
export interface TurnOptions {
  readonly now?: () => number;
  /** Lets everything else go on that waits for this process. */
  readonly breathe?: () => Promise<unknown>;
}

/** Does all the pieces, and answers with what they come to. */
export async function inTurns<T>(
  pieces: Iterator<void, T>,
  { now = () => performance.now(), breathe = setImmediate }: TurnOptions = {},
): Promise<T> {
  let sinceMs = now();
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
    if (now() - sinceMs < TURN_MS) continue;
    await breathe();
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
