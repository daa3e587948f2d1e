import type { ListObserver } from '@dep-ctrl/shared-lists';
import type { ReviewAnswer } from '@dep-ctrl/admission-server';
import type { AnswerableReview } from './decide-at-once.js';
import type { Decision } from './decide-deletion.js';
import type { ReviewTarget } from './review-target.js';

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

/** Observes reviews, lists and certificates. Must not throw and must not wait. */
export interface ReviewObserver extends ListObserver {
  decided(review: DecidedReview): void;
  /** A request without a uid, or one that is not a review. */
  refused(problem: string): void;
  /** A pair is served from now on. */
  certificateServed(certificate: { readonly expiresAtMs: number }): void;
}

/** Observes nothing. */
export const silentObserver: ReviewObserver = {
  decided: () => undefined,
  refused: () => undefined,
  listed: () => undefined,
  certificateServed: () => undefined,
};
