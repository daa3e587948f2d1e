/*
 * Texts in the status of a guard for columns of `kubectl get guards` that no other field of the guard can show. Pure.
 */
import { record, type KubeObject } from '@dep-ctrl/kcp-names';
import type { DependencyGuardStatus, Enforcement, GuardRuleEntry } from '@dep-ctrl/rule-registry';

/** The texts of the columns. */
export type GuardColumns = Pick<DependencyGuardStatus, 'enforcement' | 'allowed'>;

/** Enforcements, the strictest first. */
export const STRICTEST_FIRST: readonly Enforcement[] = ['Deny', 'Warn', 'Audit'];

// With every other column at its longest a line of `kubectl get` is still of about 120 characters.
const MOST_CHARACTERS = 30;

/** The columns of a guard that names these entries. */
export function guardColumns(guard: KubeObject, entries: readonly GuardRuleEntry[]): GuardColumns {
  const enforcement = enforcementText(entries);
  return { ...(enforcement !== '' && { enforcement }), allowed: allowedText(guard) };
}

/** A rule counts once, as strictly as it holds any resource: while it is edited, its entries may differ. */
function enforcementText(entries: readonly GuardRuleEntry[]): string {
  const counted = new Set<string>();
  return STRICTEST_FIRST.flatMap((enforcement) => {
    const before = counted.size;
    for (const { cluster, rule, enforcement: own } of entries) if (own === enforcement) counted.add(`${cluster}/${rule}`);
    return counted.size === before ? [] : [`${counted.size - before} ${enforcement}`];
  }).join(', ');
}

/** `[]` admits no other workspace; a guard without the field admits everyone, and an empty column would say the contrary. */
function allowedText({ spec }: KubeObject): string {
  const allowed = record(spec)?.['allowRulesFrom'];
  if (!Array.isArray(allowed)) return 'everyone';
  if (allowed.length === 0) return 'nobody';
  const paths = allowed.join(', ');
  return paths.length <= MOST_CHARACTERS ? paths : `${allowed.length} ${allowed.length === 1 ? 'workspace' : 'workspaces'}`;
}
