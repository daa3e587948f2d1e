// From the bytes of a review to the bytes of its answer. Whatever happens in between, the answer carries the review's uid; without a uid
// the HTTP status says that this was no review.
import { silentLogger, type Clock, type Logger } from '@dep-ctrl/kcp-client';
import type { ReviewOptions, ReviewReply } from '../server/admission-server.js';
import { encodeReview, parseReview, type ParsedReview } from './admission-review.js';
import { decideAtOnce, decideBroken, decideTooMany, type AnswerableReview, type Decision } from './decide-deletion.js';
import type { Decisions } from './decisions.js';
import type { DeletionGuard } from './deletion-guard.js';
import { answerOf } from './deny-message.js';
import type { ReviewTarget } from '../server/review-target.js';
import { FairShare } from '../../fairness/fair-share.js';
import { inTurns, processTurns } from '../../fairness/turns.js';

/** What {@link ReviewDesk} needs. */
export interface ReviewDeskDependencies {
  readonly guard: Pick<DeletionGuard, 'decide'>;
  readonly decisions: Pick<Decisions, 'decided' | 'refused'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** A review that was read, and when that began. */
export interface OpenReview {
  readonly review: ParsedReview;
  readonly begunMs: number;
}

/**
 * How many reviews wait at a time. One that waits holds the names that it found, 0.2 MB at worst; kcp itself takes 200 changes at a time.
 */
export const WAITING_REVIEWS = { inAll: 4_096, mostEach: 128 } as const;

/** Answers reviews. */
export class ReviewDesk {
  /** By consumer workspace: one whose lists are slow fills no more than its share. */
  readonly #waiting = new FairShare(WAITING_REVIEWS);
  readonly #dependencies: ReviewDeskDependencies;
  readonly #logger: Logger;

  constructor(dependencies: ReviewDeskDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Reads one review. Never rejects, and keeps nothing of the body. */
  async parse(body: Uint8Array, { guardedCluster }: Pick<ReviewTarget, 'guardedCluster'>): Promise<OpenReview> {
    const begunMs = this.#dependencies.clock.monotonic();
    return { review: await inTurns(parseReview(body), { sharers: guardedCluster === undefined ? [] : [guardedCluster] }), begunMs };
  }

  /** Answers one review. Never rejects. */
  async answer({ review, begunMs }: OpenReview, target: ReviewTarget, options: ReviewOptions): Promise<ReviewReply> {
    const { clock, decisions } = this.#dependencies;
    if (review.kind === 'unanswerable') {
      decisions.refused(review.problem);
      return { code: 400, contentType: 'text/plain; charset=utf-8', body: `${review.problem}\n` };
    }
    const decision = await this.#decide(review, target, options);
    const asked = review.kind === 'deletion' ? review.request : undefined;
    const answer = answerOf(decision, { subject: asked?.subject, caller: asked?.caller, mode: target.mode });
    decisions.decided({ target, host: options.host, review, decision, answer, durationMs: clock.monotonic() - begunMs });
    return { code: 200, contentType: 'application/json', body: encodeReview(review.envelope, answer) };
  }

  async #decide(review: AnswerableReview, target: ReviewTarget, { signal }: { readonly signal: AbortSignal }): Promise<Decision> {
    const atOnce = decideAtOnce(review, target.mode);
    if (atOnce !== undefined || review.kind !== 'deletion') return atOnce ?? decideBroken(target.mode);
    const { subject } = review.request;
    if (!this.#waiting.take(subject.cluster, 1)) return decideTooMany(target.mode);
    const leave = processTurns.enter(subject.cluster);
    try {
      return await this.#dependencies.guard.decide(subject, { ...target, signal });
    } catch (error) {
      this.#logger.error('review failed', { uid: review.envelope.uid, error });
      return decideBroken(target.mode);
    } finally {
      leave();
      this.#waiting.give(subject.cluster, 1);
    }
  }
}
