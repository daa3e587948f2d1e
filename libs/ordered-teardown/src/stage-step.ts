// What follows a round over the objects of a stage: each object was looked at once, and those that did not go already were deleted. Pure.

/** What a round met, by what became of the objects. */
export interface Round {
  /** Deleted, and no finalizer held them: they are gone. */
  readonly gone: number;
  /** Deleted now or before, and held by finalizers. */
  readonly held: number;
  /** Of those that are held, how many were deleted in this round. */
  readonly newlyHeld: number;
  /** The delete was refused as others refer to them. */
  readonly referenced: number;
  /** The delete was refused by anybody else. */
  readonly refused: number;
}

/** What is known about a stage beside its last round. */
export interface StageContext {
  readonly isCycle: boolean;
  /** How many rounds there were in this call, this one among them. */
  readonly rounds: number;
  /** Whether there is an annotation to let objects go, and it was not tried in this call yet. */
  readonly mayAnnotate: boolean;
  /** Whether a type was left to kcp that may refer to these objects. */
  readonly isAfterLeft: boolean;
}

/**
 * - `done`: nothing is left
 * - `again`: another round may get further at once, as in a circle of types the order of objects is not known
 * - `annotate`: objects hold each other; the skip annotation, then another round
 * - `wait`: somebody else has to act first
 * - `leave`: what refers to these objects was left to kcp, so these are too
 */
export type StageStep = 'done' | 'again' | 'annotate' | 'wait' | 'leave';

/** A chain of objects of one type may take a round for each; after these rounds it counts as a circle. */
export const MOST_ROUNDS = 10;

/** The next step of a stage. */
export function stageStep(round: Round, { isCycle, rounds, mayAnnotate, isAfterLeft }: StageContext): StageStep {
  const { gone, held, newlyHeld, referenced, refused } = round;
  if (held + referenced + refused === 0) return 'done';
  if (referenced === 0) return 'wait';
  if (isCycle && gone + newlyHeld > 0 && rounds < MOST_ROUNDS) return 'again';
  // The rest may be waiting only for objects that are still ending, or that others refuse to let go.
  if (held + refused > 0) return 'wait';
  if (isAfterLeft) return 'leave';
  return isCycle && mayAnnotate ? 'annotate' : 'wait';
}
