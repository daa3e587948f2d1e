import type { KubeObject } from '@dep-ctrl/kcp-names';
import { guardEntries, type DependencyGuardStatus } from '@dep-ctrl/rule-registry';
import type { DecidedCondition } from '../../own-objects/conditions.js';
import { guardStatus, includesEntries, sortedEntries, type NamedEntries } from './guard-objects.js';
import { namesTheSame } from './status-text.js';

/**
 * The status with which a guard names what is about to be guarded, beside what it names already. Undefined: it names all of it, or as much
 * as a status can hold. Then there is nothing to write, again and again.
 */
export function namingStatus(
  guard: KubeObject,
  { entries, isEverything }: NamedEntries,
  now: string,
  remarks: readonly DecidedCondition[] = [],
): DependencyGuardStatus | undefined {
  const before = guardEntries(guard);
  if (includesEntries(before, entries)) return undefined;
  const both = sortedEntries([...entries, ...before]);
  const installation = { state: 'pending', message: 'the configuration is about to be written' } as const;
  const status = guardStatus(guard, { entries: both, isEverything }, installation, now, remarks);
  return namesTheSame(guard, status) ? undefined : status;
}
