import { conditionProgram } from '../../machinery/resources/condition-language.js';
import { recordAt, type JsonRecord } from '../../json/json.js';
import type { Webhook } from './webhook-configuration.js';

/** The variables of matchConditions. */
export interface ConditionInput {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: JsonRecord;
}

/** Whether the conditions let the webhook be called; or the expression that failed. */
export type ConditionAnswer =
  { readonly state: 'ask' | 'skip' } | { readonly state: 'broken'; readonly expression: string; readonly why: string };

/** Evaluates all matchConditions. One that is false skips the webhook, whatever the others do. */
export function evaluateConditions(
  { matchConditions }: Pick<Webhook, 'matchConditions'>,
  { object, oldObject, request }: ConditionInput,
): ConditionAnswer {
  let broken: ConditionAnswer | undefined;
  const userInfo = { extra: {}, ...recordAt(request, 'userInfo') };
  const variables = { object, oldObject, request: { ...request, userInfo }, namespaceObject: null, authorizer: null };
  for (const { expression } of matchConditions) {
    try {
      const holds: unknown = conditionProgram(expression)(variables);
      if (holds !== true) return { state: 'skip' };
    } catch (error) {
      broken ??= { state: 'broken', expression, why: whyOf(error) };
    }
  }
  return broken ?? { state: 'ask' };
}

function whyOf(error: unknown): string {
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return text.replace(/^No such key/, 'no such key');
}
