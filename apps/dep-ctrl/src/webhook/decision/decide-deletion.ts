// The whole policy: never wrongly allow; then never block without a reason a person can act on. Gathering may stop early only by the
// same `standingOf` that decides here.
import { HANDED_OVER } from '../../own-objects/handed-over.js';
import type { NonEmpty } from '@dep-ctrl/rule-registry';
import type { ParsedReview, Subject } from './admission-review.js';
import type { DecidingRule, Dependent, DependentType, Evidence, Finding, LookupFailure } from './lookup.js';
import type { ReviewMode } from './review-target.js';

/** A dependent that blocks, with the rule that says so. */
export interface Blocker {
  readonly rule: DecidingRule;
  readonly type: DependentType;
  readonly fieldPath: string;
  readonly dependent: Dependent;
}

/** A lookup that cannot tell, with the rule it was made for. */
export interface Doubt {
  readonly rule: DecidingRule;
  readonly type: DependentType;
  readonly fieldPath: string;
  readonly failure: LookupFailure;
}

/** What is known about references to the subject: who blocks, what could not be told, and whether there may be more than is listed. */
export interface References {
  readonly blockers: readonly Blocker[];
  readonly doubts: readonly Doubt[];
  readonly isComplete: boolean;
}

/**
 * Allow or deny, with because. `owner-waits`: all that a Deny rule has against it owns it, is being deleted and waits for it; whoever may change
 * the object can make that so, and nobody is let through on it unseen. `tolerated` is what did not weigh enough to deny: the references under Warn and Audit rules, or all of them in the lenient modes.
 */
export type Decision =
  | { readonly verdict: 'allow'; readonly because: 'not-a-deletion' | 'bypassed' | 'terminating' | 'not-guarded' }
  | { readonly verdict: 'allow'; readonly because: 'no-dependents' | 'tolerated'; readonly tolerated: References }
  | { readonly verdict: 'allow'; readonly because: 'owner-waits'; readonly owners: NonEmpty<Blocker>; readonly tolerated: References }
  | {
      readonly verdict: 'allow';
      readonly because: 'in-doubt';
      readonly doubt:
        'rules-unknown' | 'rules-not-back' | 'bindings-unknown' | 'not-exported-here' | 'too-many' | 'invalid-review' | 'broken';
    }
  | {
      readonly verdict: 'deny';
      readonly because: 'in-use';
      readonly blockers: NonEmpty<Blocker>;
      readonly isComplete: boolean;
      readonly tolerated: References;
    }
  | { readonly verdict: 'deny'; readonly because: 'cannot-tell'; readonly doubts: NonEmpty<Doubt>; readonly tolerated: References }
  | { readonly verdict: 'deny'; readonly because: 'rules-unknown' | 'rules-not-back' | 'not-exported-here' | 'too-many' | 'broken' }
  | { readonly verdict: 'deny'; readonly because: 'bindings-unknown'; readonly failure: LookupFailure }
  | { readonly verdict: 'deny'; readonly because: 'invalid-review'; readonly problem: string };

/** A review that can be answered. */
export type AnswerableReview = Exclude<ParsedReview, { kind: 'unanswerable' }>;

/** What needs no reading: undefined means that the rules and lookups decide. */
export function decideAtOnce(review: AnswerableReview, mode: ReviewMode): Decision | undefined {
  switch (review.kind) {
    case 'other-operation':
      return { verdict: 'allow', because: 'not-a-deletion' };
    case 'invalid':
      if (isLenient(mode)) return { verdict: 'allow', because: 'in-doubt', doubt: 'invalid-review' };
      return { verdict: 'deny', because: 'invalid-review', problem: review.problem };
    case 'deletion':
      if (review.request.subject.isBypassed) return { verdict: 'allow', because: 'bypassed' };
      if (review.request.subject.isTerminating) return { verdict: 'allow', because: 'terminating' };
      return mode === HANDED_OVER ? { verdict: 'deny', because: 'rules-not-back' } : undefined;
    default:
      return review satisfies never;
  }
}

/** Decides where deciding itself broke: a defect is a doubt like any other. */
export function decideBroken(mode: ReviewMode): Decision {
  return isLenient(mode) ? { verdict: 'allow', because: 'in-doubt', doubt: 'broken' } : { verdict: 'deny', because: 'broken' };
}

/** Decides where so many deletions of a workspace are being judged that one more has to come again. */
export function decideTooMany(mode: ReviewMode): Decision {
  return isLenient(mode) ? { verdict: 'allow', because: 'in-doubt', doubt: 'too-many' } : { verdict: 'deny', because: 'too-many' };
}

/** Decides a deletion that {@link decideAtOnce} left open. */
export function decideDeletion(subject: Subject, mode: ReviewMode, evidence: Evidence): Decision {
  if (evidence.state !== 'rules-known') {
    if (isLenient(mode)) return { verdict: 'allow', because: 'in-doubt', doubt: evidence.state };
    return evidence.state === 'bindings-unknown'
      ? { verdict: 'deny', because: evidence.state, failure: evidence.failure }
      : { verdict: 'deny', because: evidence.state };
  }
  if (evidence.findings.length === 0) return { verdict: 'allow', because: 'not-guarded' };
  const strict = evidence.findings.filter(({ rule }) => rule.enforcement === 'Deny');
  const denying = referencesIn(strict, subject);
  const tolerated = referencesIn(
    evidence.findings.filter(({ rule }) => rule.enforcement !== 'Deny'),
    subject,
  );

  const [blocker, ...blockers] = denying.blockers;
  if (blocker !== undefined) {
    return { verdict: 'deny', because: 'in-use', blockers: [blocker, ...blockers], isComplete: denying.isComplete, tolerated };
  }
  const [doubt, ...doubts] = denying.doubts;
  if (doubt === undefined) return allowing(tolerated, waitingOwnersIn(strict, subject));
  if (!isLenient(mode)) return { verdict: 'deny', because: 'cannot-tell', doubts: [doubt, ...doubts], tolerated };
  return allowing({ blockers: tolerated.blockers, doubts: [...denying.doubts, ...tolerated.doubts], isComplete: false }, []);
}

/** Whether a doubt lets through. */
function isLenient(mode: ReviewMode): boolean {
  return mode === 'advisory' || mode === 'bypass';
}

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

function referencesIn(findings: readonly Finding[], subject: Subject): References {
  const blockers: Blocker[] = [];
  const doubts: Doubt[] = [];
  let isComplete = true;
  for (const { rule, type, fieldPath, lookup } of findings) {
    switch (lookup.answer) {
      case 'listed':
      case 'enough': {
        const blocking = lookup.dependents.filter((dependent) => blocks(dependent, rule, subject));
        blockers.push(...blocking.map((dependent) => ({ rule, type: typeOf(dependent, type), fieldPath, dependent })));
        if (lookup.answer === 'listed') break;
        isComplete = false;
        // Whoever stops reading must have found somebody who blocks.
        if (blocking.length === 0) doubts.push({ rule, type, fieldPath, failure: { code: 'not-finished', lasting: false } });
        break;
      }
      case 'cannot-tell':
        doubts.push({ rule, type, fieldPath, failure: lookup.failure });
        isComplete = false;
        break;
      case 'not-bound':
        break;
      default:
        lookup satisfies never;
    }
  }
  return { blockers, doubts, isComplete };
}

function waitingOwnersIn(findings: readonly Finding[], subject: Subject): readonly Blocker[] {
  return findings.flatMap(({ rule, type, fieldPath, lookup }) => {
    if (lookup.answer !== 'listed') return [];
    return [...lookup.dependents, ...(lookup.waitingOwners ?? [])]
      .filter((dependent) => standingOf(dependent, rule, subject) === 'waits-for-it')
      .map((dependent) => ({ rule, type: typeOf(dependent, type), fieldPath, dependent }));
  });
}

/** An object is of one kind, whatever the rules that name it say. */
function typeOf({ kind }: Dependent, type: DependentType): DependentType {
  return { ...type, kind: kind ?? type.kind };
}

function allowing(tolerated: References, [owner, ...owners]: readonly Blocker[]): Decision {
  if (owner !== undefined) return { verdict: 'allow', because: 'owner-waits', owners: [owner, ...owners], tolerated };
  const isClear = tolerated.blockers.length === 0 && tolerated.doubts.length === 0;
  return { verdict: 'allow', because: isClear ? 'no-dependents' : 'tolerated', tolerated };
}
