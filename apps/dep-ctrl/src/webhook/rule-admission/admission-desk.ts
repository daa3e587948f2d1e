// Answers a review of a written rule or guard, from bytes to bytes. Whatever happens in between, the answer has the review's uid.
import { silentLogger, type Clock, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { reportRule, ruleInForce, type RegistryReader } from '@dep-ctrl/rule-registry';
import { inTurns } from '@dep-ctrl/fair-shares';
import { encodeReview, type ReviewAnswer, type ReviewReply } from '@dep-ctrl/admission-server';
import { BROKEN_ANSWER, admissionAnswer, unreadableAnswer } from './admission-answer.js';
import { admittedPaths, decideGuard, decideRule, type AdmissionDecision } from './decide-admission.js';
import { NOTHING_READ } from './rule-readings.js';
import type { RuleReader } from './rule-reader.js';
import { parseWrite, type ParsedWrite, type WrittenObject } from './written-object.js';

/** What an `AdmissionDesk` needs. */
export interface AdmissionDeskDependencies {
  readonly registry: Pick<RegistryReader, 'excessOf'>;
  readonly reader: Pick<RuleReader, 'read' | 'unboundAmong'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** The author is known only after parsing, so all authors share the event loop as one sharer. */
const WRITERS = 'authors of rules';

const NOTHING_TO_SAY: ReviewAnswer = { allowed: true, warnings: [], audit: {} };

/** Answers kcp's reviews of rules and guards as they are written. */
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
      const decision = kind === 'guard' ? await this.#decideGuard(written, options) : await this.#decideRule(written, options);
      const { verdict } = decision;
      const found = verdict === 'refuse' ? { problems: decision.problems.length } : { warnings: decision.warnings.length };
      this.#logger.info('rule or guard reviewed', {
        kind,
        operation,
        cluster,
        name,
        verdict,
        ...found,
        durationMs: clock.monotonic() - begunMs,
      });
      return admissionAnswer(decision, written);
    } catch (error) {
      this.#logger.error('review of a rule or guard failed', { kind, cluster, name, error });
      return BROKEN_ANSWER;
    }
  }

  async #decideGuard(written: WrittenObject, options: Stoppable): Promise<AdmissionDecision> {
    const paths = admittedPaths(written.object);
    return decideGuard(written, paths.length === 0 ? [] : await this.#dependencies.reader.unboundAmong(paths, written.cluster, options));
  }

  async #decideRule({ operation, cluster, object }: WrittenObject, options: Stoppable): Promise<AdmissionDecision> {
    const report = reportRule(cluster, object);
    const rule = ruleInForce(report);
    const readings = rule === undefined ? NOTHING_READ : await this.#dependencies.reader.read(rule, options);
    const excess = this.#dependencies.registry.excessOf(report, { isNew: operation === 'CREATE' });
    return decideRule({ report, excess, readings });
  }
}
