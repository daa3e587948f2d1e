// Answers a review, from bytes to bytes. Whatever happens in between, the answer has the review's uid. Without a uid the HTTP status says that the request
// was not a review.
import { silentLogger, type Clock, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { FairShare, inTurns, processTurns } from '@dep-ctrl/fair-shares';
import { encodeReview, type ReviewOptions, type ReviewReply } from '@dep-ctrl/admission-server';
import { parseReview, type ParsedReview } from '../decision/admission-review.js';
import { decideAtOnce, decideBroken, decideTooMany, type AnswerableReview } from '../decision/decide-at-once.js';
import type { Decision } from '../decision/decide-deletion.js';
import type { ReviewObserver } from '../decision/review-observer.js';
import type { DeletionGuard } from './deletion-guard.js';
import { answerOf } from '../decision/deny-message.js';
import type { ReviewTarget } from '../decision/review-target.js';

/** What {@link ReviewDesk} needs. */
export interface ReviewDeskDependencies {
  readonly guard: Pick<DeletionGuard, 'decide'>;
  readonly observer: Pick<ReviewObserver, 'decided' | 'refused'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** A parsed review, and when parsing began. */
export interface OpenReview {
  readonly review: ParsedReview;
  readonly begunMs: number;
}

/**
 * How many reviews may wait at a time. A waiting review holds the names that it found, 0.2 MB at worst. kcp itself takes 200 changes at a time.
 */
export const WAITING_REVIEWS = { inAll: 4_096, mostEach: 128 } as const;

const SMALL_BODY_BYTES = 64 * 1024;
/** The workspace is known only after parsing, so all large reviews share the event loop as one sharer. */
const UNREAD = 'large reviews';

/** Answers reviews. */
export class ReviewDesk {
  /** By guarded workspace and consumer: a consumer with slow lists fills only its own share. */
  readonly #waiting = new FairShare(WAITING_REVIEWS);
  /** By guarded workspace: one of them may ask about thousands of consumers. */
  readonly #asking = new FairShare({ inAll: WAITING_REVIEWS.inAll });
  readonly #dependencies: ReviewDeskDependencies;
  readonly #logger: Logger;

  constructor(dependencies: ReviewDeskDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Reads one review. Never rejects, and keeps nothing of the body. */
  async parse(body: Uint8Array): Promise<OpenReview> {
    const begunMs = this.#dependencies.clock.monotonic();
    return { review: await inTurns(parseReview(body), { sharer: body.length > SMALL_BODY_BYTES ? UNREAD : undefined }), begunMs };
  }

  /** Answers one review. Never rejects. */
  async answer({ review, begunMs }: OpenReview, target: ReviewTarget, options: ReviewOptions): Promise<ReviewReply> {
    const { clock, observer } = this.#dependencies;
    if (review.kind === 'unanswerable') {
      observer.refused(review.problem);
      return { code: 400, contentType: 'text/plain; charset=utf-8', body: `${review.problem}\n` };
    }
    const decision = await this.#decide(review, target, options);
    const asked = review.kind === 'deletion' ? review.request : undefined;
    const answer = answerOf(decision, { subject: asked?.subject, caller: asked?.caller, mode: target.mode });
    observer.decided({ target, host: options.host, review, decision, answer, durationMs: clock.monotonic() - begunMs });
    return { code: 200, contentType: 'application/json', body: encodeReview(review.envelope, answer) };
  }

  async #decide(review: AnswerableReview, target: ReviewTarget, { signal }: Stoppable): Promise<Decision> {
    const atOnce = decideAtOnce(review, target.mode);
    if (atOnce !== undefined || review.kind !== 'deletion') return atOnce ?? decideBroken(target.mode);
    const { subject } = review.request;
    const giveBack = this.#takePlace(subject.cluster, target.guardedCluster ?? '');
    if (giveBack === undefined) return decideTooMany(target.mode);
    const leave = processTurns.enter(subject.cluster);
    try {
      return await this.#dependencies.guard.decide(subject, { ...target, signal });
    } catch (error) {
      this.#logger.error('review failed', { uid: review.envelope.uid, error });
      return decideBroken(target.mode);
    } finally {
      leave();
      giveBack();
    }
  }

  #takePlace(consumer: string, asker: string): (() => void) | undefined {
    const place = `${asker}/${consumer}`;
    if (!this.#waiting.take(place, 1)) return undefined;
    if (this.#asking.take(asker, 1)) {
      return () => {
        this.#waiting.give(place, 1);
        this.#asking.give(asker, 1);
      };
    }
    this.#waiting.give(place, 1);
    return undefined;
  }
}
