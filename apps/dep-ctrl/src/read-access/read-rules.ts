// The types that the webhook may read on a shard, written as the rules of its ClusterRole, and read from them. Pure: the same types give the same bytes,
// in whatever order they come.
import { compareText, groupResourceKey, type GroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { ENTER, type PolicyRule } from './policy-rule.js';
import { policyRulesIn } from './rbac-parts.js';

/** Everything, or the listed types of dependents. With a list, a rule about another type is answered with "cannot tell" until the list has it. */
export type ReadAccess = { readonly kind: 'wildcard' } | { readonly kind: 'listed'; readonly types: readonly GroupResource[] };

const READING = ['get', 'list'] as const;

/**
 * Needed beside the dependents: the exports that a consumer binds (APIBindings), the schema of a dependent's type (APIResourceSchemas), the exports of a
 * rule's author (APIExports), and the logical cluster of a path (LogicalClusters).
 */
const ALWAYS: readonly PolicyRule[] = [
  ENTER,
  { apiGroups: ['apis.kcp.io'], resources: ['apibindings', 'apiexports', 'apiresourceschemas'], verbs: READING },
  { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] },
];
const ALWAYS_TYPES: ReadonlySet<string> = new Set(ALWAYS.flatMap(typesOf).map(groupResourceKey));

/** The rules that grant an access. */
export function readRules(access: ReadAccess): readonly PolicyRule[] {
  if (access.kind === 'wildcard') return [ENTER, { apiGroups: ['*'], resources: ['*'], verbs: READING }];
  return [...ALWAYS, ...typeRules(access.types, READING)];
}

/** One rule for each group of the types. */
export function typeRules(listed: readonly GroupResource[], verbs: readonly string[]): readonly PolicyRule[] {
  const types = mergeTypes(listed);
  const groups = [...new Set(types.map(({ group }) => group))];
  return groups.map((group) => ({
    apiGroups: [group],
    resources: types.filter((type) => type.group === group).map(({ resource }) => resource),
    verbs: [...verbs],
  }));
}

/** The access that a ClusterRole grants, whether dep-ctrl or a person wrote it. */
export function readAccessIn(role: KubeObject): ReadAccess {
  return accessIn(policyRulesIn(role['rules']));
}

/** The types that rules let somebody list. */
export function accessIn(rules: readonly PolicyRule[]): ReadAccess {
  const reading = rules.filter(({ verbs, resourceNames }) => resourceNames === undefined && isGranted('list', verbs));
  const types = reading.flatMap(typesOf);
  if (types.some(({ group, resource }) => group === '*' && resource === '*')) return { kind: 'wildcard' };
  return { kind: 'listed', types: mergeTypes(types.filter((type) => !ALWAYS_TYPES.has(groupResourceKey(type)))) };
}

/** The types that an access lists: none if it is the wildcard, or if there is no access. */
export function listedTypes(access: ReadAccess | undefined): readonly GroupResource[] {
  return access?.kind === 'listed' ? access.types : [];
}

/** All types of all lists, each once, in the order of their names. */
export function mergeTypes(...lists: readonly (readonly GroupResource[])[]): readonly GroupResource[] {
  const byKey = new Map(lists.flat().map(({ group, resource }) => [groupResourceKey({ group, resource }), { group, resource }]));
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, type]) => type);
}

/** The types of the first list that the second does not have. */
export function typesWithout(types: readonly GroupResource[], others: readonly GroupResource[]): readonly GroupResource[] {
  const keys = new Set(others.map(groupResourceKey));
  return types.filter((type) => !keys.has(groupResourceKey(type)));
}

function typesOf({ apiGroups = [], resources = [] }: PolicyRule): readonly GroupResource[] {
  return apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource })));
}

function isGranted(verb: string, verbs: readonly string[]): boolean {
  return verbs.includes(verb) || verbs.includes('*');
}
