// Whether one object blocks a deletion. The same function stops reading early and makes the decision. Pure.
import type { Subject } from './admission-review.js';
import type { DecidingRule, Dependent } from './lookup.js';

/** Whether a dependent that refers to the subject keeps it from being deleted. */
export function blocks(...reference: Parameters<typeof standingOf>): boolean {
  return standingOf(...reference) === 'blocks';
}

/**
 * Whether a dependent that refers to the subject blocks the deletion. The subject never blocks itself. A dependent that is being deleted still blocks, unless
 * it owns the subject (then it waits for the subject) or the rule says otherwise.
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
