// How many rules are not as their authors want them, by the reasons that statuses give. Authors may write statuses, so only reasons that we know become
// labels. Pure.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { conditionsIn } from '../own-objects/conditions.js';
import { isConditionReason } from '@dep-ctrl/rule-registry';

/** The state of rules whose current version no controller has looked at. */
export const NO_STATUS = 'NoStatus';
/** What stands for every reason that is none of ours. */
export const OTHER_REASON = 'other';

/** Rules by reason. */
export type ReasonCounts = ReadonlyMap<string, number>;

/** Counts the rules whose condition of that type is False, and those without a status. */
export function falseByReason(rules: Iterable<{ readonly value: KubeObject }>, type: 'Ready' | 'InForce'): ReasonCounts {
  const counts = new Map<string, number>();
  for (const { value } of rules) {
    const reason = reasonIn(value, type);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

function reasonIn(rule: KubeObject, type: 'Ready' | 'InForce'): string | undefined {
  const { observedGeneration } = (rule['status'] ?? {}) as { readonly observedGeneration?: unknown };
  const condition = conditionsIn(rule).find((each) => each.type === type);
  if (condition === undefined || observedGeneration !== rule.metadata.generation) return NO_STATUS;
  if (condition.status !== 'False') return undefined;
  return isConditionReason(condition.reason) ? condition.reason : OTHER_REASON;
}
