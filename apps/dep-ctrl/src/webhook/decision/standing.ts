// What one object has against a deletion. Reading stops early by this, and the decision is made by it. Pure.
import type { Subject } from './admission-review.js';
import type { DecidingRule, Dependent } from './lookup.js';

/** Whether a dependent that refers to the subject keeps it from being deleted. */
export function blocks(...reference: Parameters<typeof standingOf>): boolean {
  return standingOf(...reference) === 'blocks';
}

/**
 * What a dependent that refers to the subject has against its deletion. Never anything itself. One that is already going still needs what it
 * refers to, unless it owns the subject (then it waits for the subject) or the rule says otherwise.
 */
export function standingOf(
  { uid, isTerminating }: Dependent,
  rule: Pick<DecidingRule, 'whileTerminating'>,
  subject: Pick<Subject, 'uid' | 'ownerUids'>,
): 'blocks' | 'waits-for-it' | 'nothing' {
  if (uid !== undefined && uid === subject.uid) return 'nothing';
  if (!isTerminating) return 'blocks';
  if (rule.whileTerminating === 'Ignore') return 'nothing';
  return uid !== undefined && subject.ownerUids.has(uid) ? 'waits-for-it' : 'blocks';
}
