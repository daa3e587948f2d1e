/*
 * DependencyGuards as objects: made, held, released, and their status. Pure.
 */
import { apiVersionOf, printGroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  GUARD_FINALIZER,
  GUARD_NAME,
  GUARDS,
  type DependencyGuardObject,
  type DependencyGuardStatus,
  type Enforcement,
  type Guard,
  type GuardRuleEntry,
  type PathAnswers,
  type RuleMatch,
} from '@dep-ctrl/rule-registry';
import { shareRoom } from '@dep-ctrl/fair-shares';
import { MANAGED_BY } from '../../own-objects/configuration-labels.js';
import { COUNTS_AGAIN, conditionsIn, mergeConditions, READY, UNINSTALLED, type DecidedCondition } from '../../own-objects/conditions.js';
import { guardColumns, STRICTEST_FIRST } from './guard-columns.js';
import type { Installation } from '../configuration/installation.js';

/** An object holds 1.5 MiB at most (etcd's limit). Authors whose rules find no room are counted in `ruleCount`. */
const MAX_BYTES = 768 * 1024;

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
    ...(typeof spec === 'object' && spec !== null && { spec }),
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
  return typeof spec === 'object' && spec !== null && Object.keys(spec).length > 0;
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
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
}

/** Whether `all` has every rule and resource of `some`, at least as strictly, in any version of the rule. */
export function includesEntries(all: readonly GuardRuleEntry[], some: readonly GuardRuleEntry[]): boolean {
  const held = new Map(all.map((entry) => [entryKey(entry), entry.enforcement]));
  return some.every((entry) => {
    const enforcement = held.get(entryKey(entry));
    return enforcement !== undefined && stricter(enforcement, entry.enforcement) === enforcement;
  });
}

/** The entries that a guard's status names. */
export interface NamedEntries {
  readonly entries: readonly GuardRuleEntry[];
  /** Whether the configuration guards nothing for other rules. */
  readonly isEverything: boolean;
}

/** The status of a guard; `remarks` are conditions beside those about its configuration. */
export function guardStatus(
  guard: KubeObject,
  named: NamedEntries,
  installation: Installation,
  now: string,
  remarks: readonly DecidedCondition[] = [],
): DependencyGuardStatus {
  return statusOf(guard, named, [...conditionsOf(installation), ...remarks], now);
}

/** The status of a guard in a workspace that no rule guards. */
export function idleStatus(guard: KubeObject, now: string, remarks: readonly DecidedCondition[] = []): DependencyGuardStatus {
  const message = 'no rule that is admitted guards this workspace';
  return statusOf(guard, NOTHING, [{ type: READY, status: 'True', reason: 'NothingGuarded', message }, ...remarks], now);
}

/** The status of a guard after uninstall: its configuration is removed, and it names no rules. */
export function abandonedStatus(guard: KubeObject, now: string): DependencyGuardStatus {
  const message = `dep-ctrl was uninstalled: nothing guards this workspace, and no controller maintains this guard; its spec ${COUNTS_AGAIN}`;
  return statusOf(guard, NOTHING, [{ type: READY, status: 'False', reason: UNINSTALLED, message }], now);
}

/** Whether the status of a guard says that its configuration was installed. */
export function wasInstalled(guard: KubeObject): boolean {
  return conditionsIn(guard).some(({ type, status, reason }) => type === READY && status === 'True' && reason === WRITTEN);
}

const WRITTEN = 'Written';
const NOTHING: NamedEntries = { entries: [], isEverything: true };

function conditionsOf(installation: Installation): readonly DecidedCondition[] {
  switch (installation.state) {
    case 'installed':
      return [{ type: READY, status: 'True', reason: WRITTEN, message: 'the configuration is written to kcp: in force about 0.1 s later' }];
    case 'waiting':
    case 'pending':
      return [{ type: READY, status: 'False', reason: 'Pending', message: installation.message }];
    case 'failed': {
      const { reason, message } = installation;
      const ready: DecidedCondition = { type: READY, status: 'False', reason, message };
      return reason === 'Conflict' ? [ready, { type: 'Conflict', status: 'True', reason: 'OtherOwner', message }] : [ready];
    }
    default:
      return installation satisfies never;
  }
}

function otherFinalizers(guard: KubeObject): readonly string[] {
  return (guard.metadata.finalizers ?? []).filter((finalizer) => finalizer !== GUARD_FINALIZER);
}

function stricter(a: Enforcement, b: Enforcement): Enforcement {
  return STRICTEST_FIRST.find((enforcement) => enforcement === a || enforcement === b) ?? a;
}

/** One string per rule and resource. */
export function entryKey({ cluster, rule, resource }: GuardRuleEntry): string {
  return `${cluster}/${rule}/${resource}`;
}

function ruleOf({ cluster, rule }: GuardRuleEntry): string {
  return `${cluster}/${rule}`;
}

function statusOf(
  guard: KubeObject,
  { entries, isEverything }: NamedEntries,
  conditions: readonly DecidedCondition[],
  now: string,
): DependencyGuardStatus {
  const generation = guard.metadata.generation ?? 0;
  return {
    observedGeneration: generation,
    // A count above the number of names means that not all rules are named.
    ruleCount: new Set(entries.map(ruleOf)).size + (isEverything ? 0 : 1),
    ...guardColumns(guard, entries),
    rules: shareRoom(entries, {
      room: MAX_BYTES,
      authorOf: ({ cluster }) => cluster,
      sizeOf: (entry) => Buffer.byteLength(JSON.stringify(entry)),
    }),
    conditions: mergeConditions(conditionsIn(guard), conditions, { generation, now }),
  };
}
