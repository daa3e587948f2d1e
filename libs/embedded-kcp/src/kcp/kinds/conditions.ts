// The conditions of kcp's own types: Ready first, no observedGeneration, a severity only where the status is False.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt, type JsonRecord } from '../../json/json.js';

/** One condition, without its time. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly severity?: 'Error' | 'Warning' | 'Info';
}

/** The conditions with one set; its time stays as long as its status does. */
export function setCondition(conditions: readonly unknown[], condition: Condition, now: string): readonly unknown[] {
  const known = conditions.filter(isRecord);
  const previous = known.find((one) => one['type'] === condition.type);
  const since = previous?.['status'] === condition.status ? previous['lastTransitionTime'] : undefined;
  const next: JsonRecord = { lastTransitionTime: since ?? now, ...condition };
  return [...known.filter((one) => one['type'] !== condition.type), next].sort(readyFirst);
}

/** An object's status with conditions set. */
export function withConditions(object: KubeObject, conditions: readonly Condition[], now: string): KubeObject {
  const status = recordAt(object, 'status');
  const next = conditions.reduce((all, condition) => setCondition(all, condition, now), arrayAt(status, 'conditions'));
  return { ...object, status: { ...status, conditions: next } };
}

/** Whether a condition is True. */
export function isTrueCondition(object: KubeObject, type: string): boolean {
  return arrayAt(object, 'status', 'conditions').some((one) => stringAt(one, 'type') === type && stringAt(one, 'status') === 'True');
}

function readyFirst(a: JsonRecord, b: JsonRecord): number {
  if (a['type'] === 'Ready') return -1;
  if (b['type'] === 'Ready') return 1;
  return String(a['type']) < String(b['type']) ? -1 : 1;
}
