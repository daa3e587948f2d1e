import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { parseRule, type RuleProblem } from './parse-rule.js';
import { ruleKeyOf, type NonEmpty, type Rule, type RuleKey } from './rule.js';

/** A DependencyRule that was read and refused. It guards nothing, but it is known. */
export interface RejectedRule {
  readonly key: RuleKey;
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly problems: NonEmpty<RuleProblem>;
}

/** What an endpoint says about one rule: a rule, or why it is none. */
export type RuleReport = Rule | RejectedRule;

/** Whether the report is of a rule that was refused. */
export function isRejected(report: RuleReport): report is RejectedRule {
  return 'problems' in report;
}

/** Reads an object that an endpoint delivered for a cluster. */
export function reportRule(cluster: LogicalClusterName, object: KubeObject): RuleReport {
  const rule = parseRule(object);
  if (rule.ok) return rule.value;
  const { name = '', uid = '', generation = 0 } = object.metadata;
  return { key: ruleKeyOf(cluster, name), cluster, name, uid, generation, problems: rule.problem };
}
