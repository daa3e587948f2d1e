import { parseLogicalClusterName, type GroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Enforcement, GuardRuleEntry } from '@dep-ctrl/rule-registry';

/** The rules that the status of a DependencyGuard names. Entries that are none are left out. */
export function guardEntries(guard: KubeObject): readonly GuardRuleEntry[] {
  const status = guard['status'];
  const rules = isRecord(status) ? status['rules'] : undefined;
  return Array.isArray(rules) ? rules.filter(isEntry) : [];
}

/** The type that an entry names, from its spelling for people (`vpcs.network.example.com`): no resource holds a dot. */
export function resourceOf({ resource }: GuardRuleEntry): GroupResource {
  const dot = resource.indexOf('.');
  return dot === -1 ? { group: '', resource } : { group: resource.slice(dot + 1), resource: resource.slice(0, dot) };
}

const ENFORCEMENTS: ReadonlySet<unknown> = new Set<Enforcement>(['Deny', 'Warn', 'Audit']);

function isEntry(value: unknown): value is GuardRuleEntry {
  if (!isRecord(value)) return false;
  const { cluster, path, rule, uid, generation, dependent, resource, enforcement } = value;
  return (
    typeof cluster === 'string' &&
    parseLogicalClusterName(cluster).ok &&
    (path === undefined || typeof path === 'string') &&
    typeof rule === 'string' &&
    (uid === undefined || typeof uid === 'string') &&
    (generation === undefined || typeof generation === 'number') &&
    typeof dependent === 'string' &&
    typeof resource === 'string' &&
    ENFORCEMENTS.has(enforcement)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
