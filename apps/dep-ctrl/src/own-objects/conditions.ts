import { plainText } from '@dep-ctrl/command-settings';
import { elements, record, text } from '@dep-ctrl/kcp-names';
import type { Condition, ConditionReason, ConditionType } from '@dep-ctrl/rule-registry';

/** A condition as it is decided: when it changed last is known only beside the one before. */
export interface DecidedCondition extends Pick<Condition, 'status' | 'message'> {
  readonly type: ConditionType;
  readonly reason: ConditionReason;
}

/**
 * The conditions to write: `lastTransitionTime` stays while the status of a condition stays, so that the same decision gives the
 * same bytes. Conditions that are not decided any more are dropped: all of them are ours.
 */
export function mergeConditions(
  before: readonly Condition[],
  decided: readonly DecidedCondition[],
  { generation, now }: { readonly generation: number; readonly now: string },
): readonly Condition[] {
  return decided.map(({ type, status, reason, message }) => {
    const previous = before.find((condition) => condition.type === type);
    const lastTransitionTime = previous?.status === status ? previous.lastTransitionTime : now;
    return { type, status, observedGeneration: generation, lastTransitionTime, reason, message };
  });
}

/** The condition that sums an object up. */
export const READY = 'Ready' satisfies ConditionType;
/** The condition of a rule that says whether deletes are checked. */
export const IN_FORCE = 'InForce' satisfies ConditionType;
/** Why an object is not ready that uninstall left. */
export const UNINSTALLED = 'Uninstalled' satisfies ConditionReason;
/** When what uninstall left counts again. */
export const COUNTS_AGAIN =
  'counts again once "dep-ctrl bootstrap" and the roles have run again; where the workspace of dep-ctrl was deleted, bind again and apply it anew';

/** The conditions in the status of a rule or guard, as plain text: a tenant may write them. What has another shape is left out. */
export function conditionsIn({ status }: Readonly<Record<string, unknown>>): readonly Condition[] {
  return elements(record(status)?.['conditions']).filter(isCondition).map(inPlainText);
}

/** Whether the status of a rule or guard says that a controller maintains it. */
export function saysLookedAfter(object: Readonly<Record<string, unknown>>): boolean {
  return conditionsIn(object).some(({ type, reason }) => type === READY && reason !== UNINSTALLED);
}

function inPlainText(condition: Condition): Condition {
  const said = (value: unknown): string => plainText(text(value) ?? '');
  return { ...condition, reason: said(condition.reason), message: said(condition.message) };
}

function isCondition(value: unknown): value is Condition {
  const { type, status, lastTransitionTime } = record(value) ?? {};
  return typeof type === 'string' && typeof status === 'string' && typeof lastTransitionTime === 'string';
}
