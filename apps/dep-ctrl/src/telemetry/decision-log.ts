import type { Logger } from '@dep-ctrl/kcp-client';
import type { NonEmpty } from '@dep-ctrl/rule-registry';
import { READS_DEPENDENTS } from '../read-access/reader-role.js';
import type { Decision, Doubt } from '../webhook/decision/decide-deletion.js';
import type { DecidedReview, ReviewObserver } from '../webhook/decision/review-observer.js';
import type { Dependent, DependentType, LookupFailure } from '../webhook/decision/lookup.js';
import { ruleName } from './rule-series.js';

/** Logs one line per decision. The name of the caller is personal data and logged at debug only. */
export function decisionLog(logger: Logger): Omit<ReviewObserver, 'certificateServed'> {
  return {
    decided: (review) => logDecided(review, logger),
    refused: (problem) => logger.warn('request is not a review', { problem }),
    listed: (list) => logger.debug('list read for a review', { ...list }),
  };
}

/** Passes each event to all listeners. */
export function tellAll(...listeners: readonly Partial<ReviewObserver>[]): ReviewObserver {
  return {
    decided: (review) => listeners.forEach((each) => each.decided?.(review)),
    refused: (problem) => listeners.forEach((each) => each.refused?.(problem)),
    listed: (list) => listeners.forEach((each) => each.listed?.(list)),
    certificateServed: (certificate) => listeners.forEach((each) => each.certificateServed?.(certificate)),
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
  const level = isForOperator(decision) ? 'warn' : 'info';
  logger[level]('deletion decided', {
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
  logger.debug('deletion requested', { cluster, resource, name, user: caller.username });
}

const MOST_DEPENDENTS = 3;

/** The reasons of a decision: the rule, and the failure if there is a doubt. For tolerated references all rules and the first dependents. */
function reasonsOf(decision: Decision): Readonly<Record<string, string>> {
  switch (decision.because) {
    case 'in-use':
      return { rule: ruleName(decision.blockers[0].rule) };
    case 'owner-waits':
      return { rule: ruleName(decision.owners[0].rule) };
    case 'cannot-tell':
      return doubtFields(decision.doubts);
    case 'bindings-unknown':
      return failureFields(decision.failure);
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

/** Whether an operator must act before such deletes can be decided. */
function isForOperator(decision: Decision): boolean {
  if (decision.because === 'bindings-unknown') return decision.failure.lasting;
  return decision.because === 'cannot-tell' && decision.doubts.some(({ failure }) => failure.lasting);
}

/** The first doubt, a lasting one if there is one. */
function doubtFields(doubts: NonEmpty<Doubt>): Readonly<Record<string, string>> {
  const { rule, failure } = doubts.find((doubt) => doubt.failure.lasting) ?? doubts[0];
  return { rule: ruleName(rule), ...failureFields(failure) };
}

function failureFields(failure: LookupFailure): Readonly<Record<string, string>> {
  const fields = { doubt: failure.code };
  if (failure.code !== 'forbidden' && failure.code !== 'unauthorized') return fields;
  return { ...fields, ...(failure.problem === undefined ? {} : { problem: failure.problem }), fix: FIXES[failure.code] };
}

const FIXES = {
  forbidden: `ClusterRole ${READS_DEPENDENTS}:CLUSTER (CLUSTER is the logical cluster of the dep-ctrl workspace) in system:admin of every shard grants it: dep-ctrl bind PATH --shard-kubeconfig FILE, with PATH the workspace that exports the dependents and FILE once per shard`,
  unauthorized: 'kcp does not accept the credentials in the kubeconfig: dep-ctrl bootstrap --kubeconfig-dir DIR writes new ones',
} as const;

function dependentName({ kind }: DependentType, { namespace, name }: Dependent): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
