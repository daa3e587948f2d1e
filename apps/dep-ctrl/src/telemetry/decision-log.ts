import type { Logger } from '@dep-ctrl/kcp-client';
import type { Decision } from '../webhook/decide-deletion.js';
import type { DecidedReview, Decisions } from '../webhook/decisions.js';
import type { Dependent, DependentType } from '../webhook/lookup.js';
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
    ...reasonsOf(decision),
    ...(isDryRun ? { dryRun: true } : {}),
    durationMs: Math.round(durationMs * 10) / 10,
  });
  logger.debug('deletion asked for', { cluster, resource, name, user: caller.username });
}

const MOST_DEPENDENTS = 3;

/** What a decision rests on: the rule, and who refers or why nobody can tell. Of what only warns and audits all rules and some dependents. */
function reasonsOf(decision: Decision): Readonly<Record<string, string>> {
  switch (decision.because) {
    case 'in-use':
      return { rule: ruleName(decision.blockers[0].rule) };
    case 'owner-waits':
      return { rule: ruleName(decision.owners[0].rule) };
    case 'cannot-tell':
      return { rule: ruleName(decision.doubts[0].rule), doubt: decision.doubts[0].failure.code };
    case 'tolerated': {
      const { blockers, doubts } = decision.tolerated;
      const dependents = blockers.slice(0, MOST_DEPENDENTS).map(({ type, dependent }) => dependentName(type, dependent));
      return {
        rule: listed([...blockers, ...doubts].map(({ rule }) => ruleName(rule))),
        ...(dependents.length > 0 ? { dependents: listed(dependents) } : {}),
        ...(doubts.length > 0 ? { doubt: listed(doubts.map(({ failure }) => failure.code)) } : {}),
      };
    }
    default:
      return {};
  }
}

function dependentName({ kind }: DependentType, { namespace, name }: Dependent): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
