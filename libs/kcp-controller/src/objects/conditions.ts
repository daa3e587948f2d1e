import { elements, record } from '@dep-ctrl/kcp-names';

/** One entry of `status.conditions`, as Kubernetes' own types have them. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** A condition as a controller says it. */
export type SaidCondition = Omit<Condition, 'lastTransitionTime'>;

/** The conditions of a status that somebody may have written by hand. What is no condition is left out. */
export function conditionsOf(status: unknown): readonly Condition[] {
  return elements(record(status)?.['conditions']).flatMap((entry) => parseCondition(entry));
}

/**
 * Conditions with one said anew, in its place or at the end. Its lastTransitionTime is `now` only where its status changes. Answers with the very array
 * where nothing changes, so that nothing needs to be written. Pure.
 */
export function withCondition(conditions: readonly Condition[], said: SaidCondition, now: string): readonly Condition[] {
  const before = conditions.find(({ type }) => type === said.type);
  if (before === undefined) return [...conditions, { ...said, lastTransitionTime: now }];
  const lastTransitionTime = before.status === said.status ? before.lastTransitionTime : now;
  const after = { ...said, lastTransitionTime };
  if (isEqual(before, after)) return conditions;
  return conditions.map((each) => (each === before ? after : each));
}

function isEqual(one: Condition, other: Condition): boolean {
  const keys = ['status', 'reason', 'message', 'observedGeneration', 'lastTransitionTime'] as const;
  return keys.every((key) => one[key] === other[key]);
}

function parseCondition(entry: unknown): readonly Condition[] {
  const { type, status, reason = '', message = '', lastTransitionTime = '', observedGeneration } = record(entry) ?? {};
  if (typeof type !== 'string' || typeof reason !== 'string' || typeof message !== 'string' || typeof lastTransitionTime !== 'string')
    return [];
  if (status !== 'True' && status !== 'False' && status !== 'Unknown') return [];
  const generation = typeof observedGeneration === 'number' ? { observedGeneration } : {};
  return [{ type, status, reason, message, lastTransitionTime, ...generation }];
}
