import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Webhook } from './webhook-configuration.js';

const environment = new Environment({ enableOptionalTypes: true })
  .registerVariable('object', 'dyn')
  .registerVariable('oldObject', 'dyn')
  .registerVariable('request', 'dyn')
  .registerVariable('authorizer', 'dyn');
const programs = new Map<string, ParseResult>();

/** What matchConditions look at. */
export interface ConditionInput {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
}

/** Whether a webhook's conditions let it be asked; or which expression broke. */
export type ConditionAnswer =
  { readonly state: 'ask' | 'skip' } | { readonly state: 'broken'; readonly expression: string; readonly why: string };

/** Evaluates all matchConditions. One that is false skips the webhook, whatever the others do. */
export function evaluateConditions({ matchConditions }: Webhook, input: ConditionInput): ConditionAnswer {
  let broken: ConditionAnswer | undefined;
  for (const { expression } of matchConditions) {
    try {
      const holds: unknown = programOf(expression)({ ...input, authorizer: null });
      if (holds !== true) return { state: 'skip' };
    } catch (error) {
      broken ??= { state: 'broken', expression, why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
    }
  }
  return broken ?? { state: 'ask' };
}

function programOf(expression: string): ParseResult {
  const known = programs.get(expression);
  if (known !== undefined) return known;
  const program = environment.parse(expression);
  programs.set(expression, program);
  return program;
}
