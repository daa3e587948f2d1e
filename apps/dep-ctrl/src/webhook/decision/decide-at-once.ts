// Decisions that need no reading. Pure.
import { HANDED_OVER } from '../../own-objects/handed-over.js';
import type { ParsedReview } from './admission-review.js';
import type { Decision } from './decide-deletion.js';
import { isLenient, type ReviewMode } from './review-target.js';

/** A review that can be answered. */
export type AnswerableReview = Exclude<ParsedReview, { kind: 'unanswerable' }>;

/** Decides reviews that need no reading. Undefined: rules and lookups decide. */
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

/** The decision after a defect of our own: a doubt like any other. */
export function decideBroken(mode: ReviewMode): Decision {
  return isLenient(mode) ? { verdict: 'allow', because: 'in-doubt', doubt: 'broken' } : { verdict: 'deny', because: 'broken' };
}

/** The decision if too many deletions of a workspace are being judged: the caller must try again. */
export function decideTooMany(mode: ReviewMode): Decision {
  return isLenient(mode) ? { verdict: 'allow', because: 'in-doubt', doubt: 'too-many' } : { verdict: 'deny', because: 'too-many' };
}
