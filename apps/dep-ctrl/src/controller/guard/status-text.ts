/*
 * What the status of a guard says for people, beside which rules it names. Controllers of two versions have other words, and each would put
 * back its own for ever. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { record, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Condition, DependencyGuardStatus } from '@dep-ctrl/rule-registry';

/** The words of a status. Not when they became true: that is another moment whenever they are put back. */
export interface StatusText extends Pick<DependencyGuardStatus, 'observedGeneration' | 'enforcement' | 'allowed'> {
  readonly uid: string | undefined;
  readonly conditions: readonly Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>[];
}

/** The words that a status has for a guard. */
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

/** Whether a guard names the same rules as a status, in the same versions: then they differ in words at most. */
export function namesTheSame({ status }: KubeObject, { ruleCount, rules }: DependencyGuardStatus): boolean {
  const before = record(status);
  return before?.['ruleCount'] === ruleCount && isDeepStrictEqual(before?.['rules'], rules);
}
