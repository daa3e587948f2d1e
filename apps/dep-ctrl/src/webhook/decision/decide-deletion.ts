// The policy: never wrongly allow; then never block without a reason that a person can act on. What one object has against the deletion says standing.ts;
// decide-at-once.ts answers what needs no reading.
import type { NonEmpty } from '@dep-ctrl/rule-registry';
import type { Subject } from './admission-review.js';
import type { DecidingRule, Dependent, DependentType, Evidence, Finding, LookupFailure } from './lookup.js';
import { isLenient, type ReviewMode } from './review-target.js';
import { blocks, standingOf } from './standing.js';

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

/** The references to the subject: blockers, doubts, and whether the list is complete. */
export interface References {
  readonly blockers: readonly Blocker[];
  readonly doubts: readonly Doubt[];
  readonly isComplete: boolean;
}

/**
 * Allow or deny, with the reason in `because`. `owner-waits`: all blockers under Deny rules own the subject, are being deleted and wait for it. A user who may
 * change the object can bring that about, so such a delete is warned about and audited. `tolerated`: references that do not lead to a refusal, because they
 * are under Warn and Audit rules or the mode is lenient.
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

/** Decides a deletion that `decideAtOnce` left open. */
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
        // Reading may stop early only after a blocker was found.
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

/** The object's own kind counts, not the kind that a rule names. */
function typeOf({ kind }: Dependent, type: DependentType): DependentType {
  return { ...type, kind: kind ?? type.kind };
}

function allowing(tolerated: References, [owner, ...owners]: readonly Blocker[]): Decision {
  if (owner !== undefined) return { verdict: 'allow', because: 'owner-waits', owners: [owner, ...owners], tolerated };
  const isClear = tolerated.blockers.length === 0 && tolerated.doubts.length === 0;
  return { verdict: 'allow', because: isClear ? 'no-dependents' : 'tolerated', tolerated };
}
