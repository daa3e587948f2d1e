import { parseLogicalClusterName, parseWorkspacePath, type LogicalClusterName, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '../rules/api-group.js';
import type { GuardRuleEntry } from '../rules/api-objects.js';
import { MOST_CONSENTS } from '../rules/bounds.js';
import type { Guard, GuardRuleRef } from '../rules/guard.js';
import { INVALID, ObjectReader, answer, ownValue, type ObjectProblem } from './object-reader.js';
import type { Versioned } from '../rules/merged-objects.js';
import { readIdentity } from './read-metadata.js';
import { ENFORCEMENTS } from './read-rule-spec.js';
import { ruleKeyOf, type NonEmpty } from '../rules/rule.js';

/** Something wrong with a guard, and where. */
export type GuardProblem = ObjectProblem<typeof INVALID>;

type Reader = ObjectReader<typeof INVALID>;

/**
 * Reads a DependencyGuard as kcp hands it out. Never throws; gives every problem with name and spec at once.
 * The status is the controller's own: an entry that cannot be read only means that it does not name every rule.
 */
export function parseGuard(object: unknown): Parsed<Guard, NonEmpty<GuardProblem>> {
  const problems: GuardProblem[] = [];
  const reader: Reader = new ObjectReader(object, '', problems);
  const identity = readIdentity(reader, 'DependencyGuard');
  if (identity !== undefined && identity.name !== GUARD_NAME)
    reader.report('.metadata.name', `expected "${GUARD_NAME}", the only name a guard may have`, INVALID);
  const consent = readConsent(reader);
  if (identity === undefined || consent === undefined) return answer<Guard, typeof INVALID>(undefined, problems);
  const { cluster, uid, generation } = identity;
  const deleting = ownValue(reader.raw('metadata'), 'deletionTimestamp') !== undefined;
  const madeByProvider = consent.allowRulesFrom !== 'everyone';
  return answer({ cluster, uid, generation, ...consent, madeByProvider, deleting, ...readRuleRefs(reader) }, problems);
}

type ConsentReading = Pick<Guard, 'allowRulesFrom' | 'ignoredConsents'>;

const EVERYONE: ConsentReading = { allowRulesFrom: 'everyone', ignoredConsents: 0 };

/** A list that was stored before it had a bound is read up to it: later entries are not admitted. */
function readConsent(reader: Reader): ConsentReading | undefined {
  if (reader.raw('spec') === undefined) return EVERYONE;
  const paths = reader.object('spec')?.raw('allowRulesFrom');
  if (paths === undefined) return EVERYONE;
  if (!Array.isArray(paths)) {
    reader.report('.spec.allowRulesFrom', 'expected an array of workspace paths', INVALID);
    return undefined;
  }
  const allowRulesFrom = paths.slice(0, MOST_CONSENTS).flatMap((text: unknown, index): WorkspacePath[] => {
    const path = parseWorkspacePath(typeof text === 'string' ? text : '');
    if (path.ok) return [path.value];
    reader.report(`.spec.allowRulesFrom[${index}]`, path.problem, INVALID);
    return [];
  });
  return { allowRulesFrom, ignoredConsents: Math.max(0, paths.length - MOST_CONSENTS) };
}

function readRuleRefs(reader: Reader): Pick<Guard, 'ruleRefs' | 'namesEveryRule'> {
  const status = reader.raw('status');
  const entries = ownValue(status, 'rules');
  const expected = ownValue(status, 'ruleCount');
  if (!Array.isArray(entries)) return { ruleRefs: [], namesEveryRule: expected === 0 };
  const refs = readEntries(entries).map(refOf);
  const rules = new Set(refs.map(({ key }) => key));
  return { ruleRefs: refs, namesEveryRule: refs.length === entries.length && rules.size === expected };
}

/** The rules that the status of a DependencyGuard names. Entries that cannot be read are left out; an enforcement that is not known is the strictest. */
export function guardEntries(guard: Readonly<Record<string, unknown>>): readonly ReadGuardEntry[] {
  const entries = ownValue(guard['status'], 'rules');
  return Array.isArray(entries) ? readEntries(entries) : [];
}

/** An entry of the status of a guard, read: its cluster is one. */
export type ReadGuardEntry = GuardRuleEntry & { readonly cluster: LogicalClusterName };

function readEntries(entries: readonly unknown[]): readonly ReadGuardEntry[] {
  return entries.flatMap((entry): readonly ReadGuardEntry[] => {
    const [clusterText, rule, resource, dependent] = ['cluster', 'rule', 'resource', 'dependent'].map((field) => ownValue(entry, field));
    if (typeof rule !== 'string' || typeof resource !== 'string' || typeof dependent !== 'string') return [];
    const cluster = parseLogicalClusterName(typeof clusterText === 'string' ? clusterText : '');
    if (!cluster.ok) return [];
    const path = ownValue(entry, 'path');
    const enforcement = ENFORCEMENTS.find((known) => known === ownValue(entry, 'enforcement')) ?? 'Deny';
    return [
      { cluster: cluster.value, ...(typeof path === 'string' && { path }), rule, ...readVersion(entry), dependent, resource, enforcement },
    ];
  });
}

function refOf({ cluster, rule: name, uid, generation, dependent, resource, enforcement }: ReadGuardEntry): GuardRuleRef {
  const version = uid === undefined || generation === undefined ? undefined : { uid, generation };
  return { key: ruleKeyOf(cluster, name), cluster, name, ...(version !== undefined && { version }), resource, dependent, enforcement };
}

function readVersion(entry: unknown): Partial<Versioned> {
  const [uid, generation] = ['uid', 'generation'].map((field) => ownValue(entry, field));
  return { ...(typeof uid === 'string' && { uid }), ...(typeof generation === 'number' && { generation }) };
}
