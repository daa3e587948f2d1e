import type { ReviewAnswer } from './admission-review.js';
import type { AnswerableReview, Decision } from './decide-deletion.js';
import type { ReviewTarget } from '../server/review-target.js';

/** One finished review, for logs and metrics. */
export interface DecidedReview {
  readonly target: ReviewTarget;
  /** By which host (the header of that name) the webhook was called. */
  readonly host?: string | undefined;
  readonly review: AnswerableReview;
  readonly decision: Decision;
  readonly answer: ReviewAnswer;
  readonly durationMs: number;
}

/** One list that was read for reviews; `outcome` is `ok` or the failure's code. */
export interface FinishedList {
  readonly of: 'dependents' | 'bindings' | 'schema' | 'rules';
  readonly form: 'table' | 'objects';
  readonly outcome: string;
  readonly pages: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Told of everything that happens; must not throw and must not wait. */
export interface Decisions {
  decided(review: DecidedReview): void;
  /** A body without a uid, or a request that was no review at all. */
  refused(problem: string): void;
  listed(list: FinishedList): void;
  /** A pair is served from now on. */
  certificateServed(certificate: { readonly expiresAtMs: number }): void;
}

/** Tells nobody. */
export const noDecisions: Decisions = {
  decided: () => undefined,
  refused: () => undefined,
  listed: () => undefined,
  certificateServed: () => undefined,
};
