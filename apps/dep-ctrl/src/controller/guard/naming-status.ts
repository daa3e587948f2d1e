import type { KubeObject } from '@dep-ctrl/kcp-names';
import { guardEntries, type DependencyGuardStatus } from '@dep-ctrl/rule-registry';
import type { DecidedCondition } from '../../own-objects/conditions.js';
import { guardStatus, includesEntries, sortedEntries, type NamedEntries } from './guard-objects.js';
import { namesTheSame } from './status-text.js';

/**
 * The status in which a guard also names the rules that are about to guard the workspace. Undefined: the guard names all of them already, or as many as a
 * status can hold, so there is nothing to write.
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
