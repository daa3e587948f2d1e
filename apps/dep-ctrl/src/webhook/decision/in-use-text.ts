// What a refusal says about the objects that still refer to the subject, and what to do about them. Pure.
import type { Subject } from './admission-review.js';
import {
  countBlockers,
  nameBlockers,
  printBlockers,
  printForKubectl,
  printRules,
  type NamedBlocker,
  type ShownBlocker,
} from './blocker-ids.js';
import type { Blocker } from './decide-deletion.js';

/** The blockers of a refusal, and the text about them. */
export interface InUseText {
  readonly shown: readonly ShownBlocker[];
  readonly text: string;
}

const WAIT = 'wait until that is gone';

/** Kinds and counts, for callers that may not see names. */
export function countedText(blockers: readonly Blocker[], isComplete: boolean): InUseText {
  const shown = countBlockers(blockers, isComplete);
  const remedy = areTerminating(shown) ? WAIT : 'the owner of the consumer workspace must first delete them or change their references';
  return { shown, text: `${shown.map(({ id }) => id).join(', ')}; ${remedy}` };
}

/** Objects, the rules that say so, and the command that deletes the objects. */
export function namedText(
  blockers: readonly Blocker[],
  isComplete: boolean,
  { subject = {} }: { readonly subject?: Pick<Subject, 'namespace'> | undefined },
): InUseText {
  const shown = nameBlockers(blockers, subject);
  const remedy = areTerminating(shown) ? WAIT : remedyFor(shown);
  return { shown, text: `${printBlockers(shown, { isComplete })}, says ${printRules(blockers)}; ${remedy}` };
}

function areTerminating(shown: readonly ShownBlocker[]): boolean {
  return shown.every(({ isTerminating }) => isTerminating);
}

function remedyFor(named: readonly NamedBlocker[]): string {
  const what = named.length === 1 ? 'first change its reference or delete it' : 'first change their references or delete them';
  return `${what}: ${printForKubectl(named)}`;
}
