// From the bytes of a review of a rule or guard to the bytes of its answer. Whatever happens in between, the answer carries the review's uid.
import { silentLogger, type Clock, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { reportRule, ruleInForce, type RegistryReader } from '@dep-ctrl/rule-registry';
import { inTurns } from '@dep-ctrl/fair-shares';
import { encodeReview, type ReviewAnswer, type ReviewReply } from '@dep-ctrl/admission-server';
import { BROKEN_ANSWER, admissionAnswer, unreadableAnswer } from './admission-answer.js';
import { decideGuard, decideRule, type AdmissionDecision } from './decide-admission.js';
import { NOTHING_READ } from './rule-readings.js';
import type { RuleReader } from './rule-reader.js';
import { parseWrite, type ParsedWrite, type WrittenObject } from './written-object.js';

/** What an `AdmissionDesk` needs. */
export interface AdmissionDeskDependencies {
  readonly registry: Pick<RegistryReader, 'ruleCountOf'>;
  readonly reader: Pick<RuleReader, 'read'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** Who writes is not known before the review is read: all who write rules share the loop as one. */
const WRITERS = 'whoever writes rules';

const NOTHING_TO_SAY: ReviewAnswer = { allowed: true, warnings: [], audit: {} };

/** Answers what kcp asks about rules and guards as they are written. */
export class AdmissionDesk {
  readonly #dependencies: AdmissionDeskDependencies;
  readonly #logger: Logger;

  constructor(dependencies: AdmissionDeskDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Reads one review. Never rejects. */
  parse(body: Uint8Array): Promise<ParsedWrite> {
    return inTurns(parseWrite(body), { sharer: WRITERS });
  }

  /** Answers one review. Never rejects. */
  async answer(review: ParsedWrite, options: Stoppable): Promise<ReviewReply> {
    if (review.kind === 'unanswerable') {
      return { code: 400, contentType: 'text/plain; charset=utf-8', body: `${review.problem}\n` };
    }
    return { code: 200, contentType: 'application/json', body: encodeReview(review.envelope, await this.#answer(review, options)) };
  }

  async #answer(review: Exclude<ParsedWrite, { readonly kind: 'unanswerable' }>, options: Stoppable): Promise<ReviewAnswer> {
    switch (review.kind) {
      case 'nothing-of-ours':
        return NOTHING_TO_SAY;
      case 'invalid':
        return unreadableAnswer(review.problem);
      case 'write':
        return this.#judge(review.written, options);
      default:
        return review satisfies never;
    }
  }

  async #judge(written: WrittenObject, options: Stoppable): Promise<ReviewAnswer> {
    const { kind, operation, cluster, name } = written;
    const { clock } = this.#dependencies;
    const begunMs = clock.monotonic();
    try {
      const decision = kind === 'guard' ? decideGuard(written) : await this.#decideRule(written, options);
      const { verdict } = decision;
      const found = verdict === 'refuse' ? { problems: decision.problems.length } : { warnings: decision.warnings.length };
      this.#logger.info('write reviewed', { kind, operation, cluster, name, verdict, ...found, durationMs: clock.monotonic() - begunMs });
      return admissionAnswer(decision, written);
    } catch (error) {
      this.#logger.error('review of a write failed', { kind, cluster, name, error });
      return BROKEN_ANSWER;
    }
  }

  async #decideRule({ operation, cluster, object }: WrittenObject, options: Stoppable): Promise<AdmissionDecision> {
    const report = reportRule(cluster, object);
    const rule = ruleInForce(report);
    const readings = rule === undefined ? NOTHING_READ : await this.#dependencies.reader.read(rule, options);
    return decideRule({ operation, report, ruleCount: this.#dependencies.registry.ruleCountOf(cluster), readings });
  }
}
