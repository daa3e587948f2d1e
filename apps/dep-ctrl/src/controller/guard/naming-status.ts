import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { DependencyGuardStatus, GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { guardEntries } from '../../rules/guard-entries.js';
import type { DecidedCondition } from '../../kcp-objects/conditions.js';
import { guardStatus, includesEntries, namedRuleCount, sortedEntries } from './guard-objects.js';

/**
 * The status with which a guard names what is about to be guarded, beside what it names already. Undefined: it names all of it, or as much
 * as a status can hold. Then there is nothing to write, again and again.
 */
export function namingStatus(
  guard: KubeObject,
  entries: readonly GuardRuleEntry[],
  now: string,
  remarks: readonly DecidedCondition[] = [],
): DependencyGuardStatus | undefined {
  const before = guardEntries(guard);
  if (includesEntries(before, entries)) return undefined;
  const both = sortedEntries([...entries, ...before]);
  const status = guardStatus(guard, both, { state: 'pending', message: 'the configuration is about to be written' }, now, remarks);
  const isSaid = includesEntries(before, status.rules ?? []) && status.ruleCount === namedRuleCount(guard);
  return isSaid ? undefined : status;
}
