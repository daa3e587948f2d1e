/*
 * DependencyGuards as objects: made, held and released, and the rules that they name. Pure.
 */
import { apiVersionOf, compareText, isRecord, printGroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  GUARD_FINALIZER,
  GUARD_NAME,
  GUARDS,
  type DependencyGuardObject,
  type Enforcement,
  type Guard,
  type GuardRuleEntry,
  type PathAnswers,
  type RuleMatch,
} from '@dep-ctrl/rule-registry';
import { MANAGED_BY } from '../../own-objects/configuration-labels.js';
import { STRICTEST_FIRST } from './guard-columns.js';

/** The state of a workspace's guard. */
export type GuardSight =
  /** The endpoint has not listed guards yet. */
  | { readonly state: 'unread' }
  | { readonly state: 'absent' }
  | {
      readonly state: 'present';
      readonly deleting: boolean;
      /** Carries our finalizer. */
      readonly held: boolean;
      readonly madeByProvider: boolean;
      /** Its status was written and not cut. */
      readonly namesEveryRule: boolean;
    };

/** A new guard; with the provider's spec if it is made again. */
export function newGuard(spec?: unknown): DependencyGuardObject {
  return {
    apiVersion: apiVersionOf(GUARDS),
    kind: 'DependencyGuard',
    metadata: { name: GUARD_NAME, labels: { [MANAGED_BY.label]: MANAGED_BY.value }, finalizers: [GUARD_FINALIZER] },
    ...(isRecord(spec) && { spec }),
  };
}

/** The guard with our finalizer. */
export function heldGuard(guard: KubeObject): KubeObject {
  const others = otherFinalizers(guard);
  return { ...guard, metadata: { ...guard.metadata, finalizers: [...others, GUARD_FINALIZER] } };
}

/** The guard without our finalizer. */
export function releasedGuard(guard: KubeObject): KubeObject {
  return { ...guard, metadata: { ...guard.metadata, finalizers: otherFinalizers(guard) } };
}

/** Whether the guard carries our finalizer. */
export function isHeld(guard: KubeObject): boolean {
  return guard.metadata.finalizers?.includes(GUARD_FINALIZER) ?? false;
}

/** Whether the provider has put anything into the spec: its consent. */
export function saysSomething(guard: KubeObject): guard is KubeObject & { readonly spec: object } {
  const { spec } = guard;
  return isRecord(spec) && Object.keys(spec).length > 0;
}

/** The state of a guard for the plan. A guard whose spec cannot be read counts as the provider's, because it has a spec. */
export function guardSight(object: KubeObject | undefined, guard: Guard | undefined): GuardSight {
  if (object === undefined) return { state: 'absent' };
  return {
    state: 'present',
    deleting: object.metadata.deletionTimestamp !== undefined,
    held: isHeld(object),
    madeByProvider: guard?.madeByProvider ?? true,
    namesEveryRule: guard?.namesEveryRule ?? false,
  };
}

/** The entries of a guard's status for the rules that guard its workspace: sorted, one per rule and resource. */
export function entriesOf(matches: readonly RuleMatch[], paths: PathAnswers): readonly GuardRuleEntry[] {
  return sortedEntries(
    matches.map(({ rule, dependency }) => {
      const path = paths.pathOf(rule.cluster);
      return {
        cluster: rule.cluster,
        ...(path !== undefined && { path }),
        rule: rule.name,
        uid: rule.uid,
        generation: rule.generation,
        dependent: rule.dependent.group === '' ? rule.dependent.kind : `${rule.dependent.kind}.${rule.dependent.group}`,
        resource: printGroupResource(dependency),
        enforcement: rule.enforcement,
      };
    }),
  );
}

/** Sorted, with one entry for each rule and resource: the strictest enforcement of several, the other fields of the first. */
export function sortedEntries(entries: readonly GuardRuleEntry[]): readonly GuardRuleEntry[] {
  const byKey = new Map<string, GuardRuleEntry>();
  for (const entry of entries) {
    const first = byKey.get(entryKey(entry)) ?? entry;
    byKey.set(entryKey(entry), { ...first, enforcement: stricter(first.enforcement, entry.enforcement) });
  }
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, entry]) => entry);
}

/** Whether `all` has every rule and resource of `some`, at least as strictly, in any version of the rule. */
export function includesEntries(all: readonly GuardRuleEntry[], some: readonly GuardRuleEntry[]): boolean {
  const held = new Map(all.map((entry) => [entryKey(entry), entry.enforcement]));
  return some.every((entry) => {
    const enforcement = held.get(entryKey(entry));
    return stricter(enforcement, entry.enforcement) === enforcement;
  });
}

function otherFinalizers(guard: KubeObject): readonly string[] {
  return (guard.metadata.finalizers ?? []).filter((finalizer) => finalizer !== GUARD_FINALIZER);
}

function stricter(a: Enforcement | undefined, b: Enforcement): Enforcement {
  return STRICTEST_FIRST.find((enforcement) => enforcement === a || enforcement === b) ?? b;
}

/** One string per rule and resource. */
export function entryKey({ cluster, rule, resource }: GuardRuleEntry): string {
  return `${cluster}/${rule}/${resource}`;
}
