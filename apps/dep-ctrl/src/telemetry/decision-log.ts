import type { Logger } from '@dep-ctrl/kcp-client';
import type { DecidedReview, Decisions } from '../webhook/decisions.js';
import { ruleName } from './process-metrics.js';

/** One line per decision. Who asked is personal, and told at debug only. */
export function decisionLog(logger: Logger): Decisions {
  return {
    decided: (review) => logDecided(review, logger),
    refused: (problem) => logger.warn('request is no review', { problem }),
    listed: (list) => logger.debug('list read for a review', { ...list }),
    certificateServed: () => undefined,
  };
}

/** Tells all of them. */
export function tellAll(...listeners: readonly Decisions[]): Decisions {
  return {
    decided: (review) => listeners.forEach((each) => each.decided(review)),
    refused: (problem) => listeners.forEach((each) => each.refused(problem)),
    listed: (list) => listeners.forEach((each) => each.listed(list)),
    certificateServed: (certificate) => listeners.forEach((each) => each.certificateServed(certificate)),
  };
}

function logDecided({ target, review, decision, durationMs }: DecidedReview, logger: Logger): void {
  const { verdict, because } = decision;
  if (review.kind !== 'deletion') {
    logger.debug('review answered', { verdict, because, mode: target.mode });
    return;
  }
  const { subject, caller, isDryRun } = review.request;
  const { cluster, group, resource, namespace, name } = subject;
  logger.info('deletion decided', {
    verdict,
    because,
    mode: target.mode,
    cluster,
    group,
    resource,
    namespace,
    name,
    ...(decision.because === 'in-use' ? { rule: ruleName(decision.blockers[0].rule) } : {}),
    ...(decision.because === 'owner-waits' ? { rule: ruleName(decision.owners[0].rule) } : {}),
    ...(decision.because === 'cannot-tell' ? { rule: ruleName(decision.doubts[0].rule), doubt: decision.doubts[0].failure.code } : {}),
    ...(isDryRun ? { dryRun: true } : {}),
    durationMs: Math.round(durationMs * 10) / 10,
  });
  logger.debug('deletion asked for', { cluster, resource, name, user: caller.username });
}
