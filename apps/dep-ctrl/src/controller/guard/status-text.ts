/*
 * The text of a guard's status for people, without the rules that it names. Controllers of two versions use different texts, and each would restore its
 * own for ever. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { record, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Condition, DependencyGuardStatus } from '@dep-ctrl/rule-registry';

/** The text of a status, without its times: those change with every write. */
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
