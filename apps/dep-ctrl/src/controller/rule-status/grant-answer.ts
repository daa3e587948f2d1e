// Kcp's answers about the webhook's right to list a type. Pure. No answer means unknown: the right may exist or be missing.
import { printGroupResource } from '@dep-ctrl/kcp-names';
import type { Rule } from '@dep-ctrl/rule-registry';
import { READY, type DecidedCondition } from '../../own-objects/conditions.js';
import type { ReviewAnswer } from '../../read-access/access-review.js';

/** Whether the webhook may list a type. */
export type Grant = 'granted' | 'missing' | 'unknown';

/** Whether the webhook may list the dependents of a rule, with the command that grants it. */
export type DependentsGrant = { readonly state: 'granted' | 'unknown' } | { readonly state: 'missing'; readonly command: string };

/** The grant that follows from one answer per identity of the webhook. All must be allowed, because any of them may answer a review. */
export function grantFrom(answers: readonly ReviewAnswer[]): Grant {
  if (answers.includes('denied')) return 'missing';
  return answers.length > 0 && answers.every((answer) => answer === 'allowed') ? 'granted' : 'unknown';
}

/** The condition for the author of a rule if the right is missing. */
export function grantProblem(
  grant: DependentsGrant,
  { dependent, enforcement }: Pick<Rule, 'dependent' | 'enforcement'>,
): DecidedCondition | undefined {
  if (grant.state !== 'missing') return undefined;
  const effect = enforcement === 'Deny' ? 'deletes that this rule guards are refused' : 'this rule can only report that it cannot tell';
  const cure = `an admin of kcp's shards must run, with FILE once per shard: ${grant.command}`;
  const message = `the webhook may not read ${printGroupResource(dependent)}, so ${effect}: ${cure}`;
  return { type: READY, status: 'False', reason: 'GrantMissing', message };
}
