import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readRule, type RuleProblem } from './parse-rule.js';
import { ruleKeyOf, type NonEmpty, type Rule, type RuleKey, type UnreadableTarget } from '../rules/rule.js';

/** A DependencyRule that has problems. What can be understood of it is in force all the same. */
export interface RejectedRule {
  readonly key: RuleKey;
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** When kcp took it in, RFC 3339; empty for one that was read from a file. */
  readonly createdAt: string;
  readonly problems: NonEmpty<RuleProblem>;
  /** The rule without the targets that cannot be read; undefined where nothing is left that could guard. */
  readonly inForce: Rule | undefined;
  readonly unreadable: readonly UnreadableTarget[];
}

/** What an endpoint says about one rule: a rule, or what is wrong with it. */
export type RuleReport = Rule | RejectedRule;

/** Whether the report is of a rule that has problems. */
export function isRejected(report: RuleReport): report is RejectedRule {
  return 'problems' in report;
}

/** What of a report guards. */
export function ruleInForce(report: RuleReport): Rule | undefined {
  return isRejected(report) ? report.inForce : report;
}

/** Reads an object that an endpoint delivered for a cluster. */
export function reportRule(cluster: LogicalClusterName, object: KubeObject): RuleReport {
  const { rule, unreadable, problems } = readRule(object);
  const [first, ...others] = problems;
  if (first === undefined && rule !== undefined) return rule;
  if (first === undefined) throw new Error('bug: a rule was refused without a problem');
  const { name = '', uid = '', generation = 0, creationTimestamp: createdAt = '' } = object.metadata;
  const identity = { key: ruleKeyOf(cluster, name), cluster, name, uid, generation, createdAt };
  return { ...identity, problems: [first, ...others], inForce: rule, unreadable };
}
