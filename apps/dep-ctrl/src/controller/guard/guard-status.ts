/*
 * The status of a DependencyGuard: the rules that it names, its conditions, and its text for people. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { record, type KubeObject } from '@dep-ctrl/kcp-names';
import { guardEntries, type Condition, type DependencyGuardStatus, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { shareRoom } from '@dep-ctrl/fair-shares';
import { COUNTS_AGAIN, conditionsIn, mergeConditions, READY, UNINSTALLED, type DecidedCondition } from '../../own-objects/conditions.js';
import type { Installation } from '../configuration/installation.js';
import { guardColumns } from './guard-columns.js';
import { includesEntries, sortedEntries } from './guard-objects.js';

/** An object holds 1.5 MiB at most (etcd's limit). Authors whose rules find no room are counted in `ruleCount`. */
const MAX_BYTES = 768 * 1024;

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

/**
 * The text of a status, without its times: those change with every write. Controllers of two versions use different texts, and each would restore its own
 * for ever.
 */
export interface StatusText extends Pick<DependencyGuardStatus, 'observedGeneration' | 'enforcement' | 'allowed'> {
  readonly uid: string | undefined;
  readonly conditions: readonly Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>[];
}

/** The text of a status. */
export function statusTextOf({ metadata: { uid } }: KubeObject, status: DependencyGuardStatus): StatusText {
  const { observedGeneration, enforcement, allowed, conditions = [] } = status;
  return {
    uid,
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(enforcement !== undefined && { enforcement }),
    ...(allowed !== undefined && { allowed }),
    conditions: conditions.map(({ type, status: is, reason, message }) => ({ type, status: is, reason, message })),
  };
}

/** Whether a guard names the same rules as a status, in the same versions: then they differ in text at most. */
export function namesTheSame({ status }: KubeObject, { ruleCount, rules }: DependencyGuardStatus): boolean {
  const before = record(status);
  return before?.['ruleCount'] === ruleCount && isDeepStrictEqual(before?.['rules'], rules);
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
