// What kcp's answers about the webhook's right to read a type mean. Pure. Silence means nothing: neither that the right is there nor that it is missing.
import { printGroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Rule } from '@dep-ctrl/rule-registry';
import { READY, type DecidedCondition } from '../../own-objects/conditions.js';

/** What one SubjectAccessReview said. */
export type ReviewAnswer = 'allowed' | 'denied' | 'none';

/** Whether the webhook may list a type. */
export type Grant = 'granted' | 'missing' | 'unknown';

/** The same of the dependents of a rule, with the command that grants it. */
export type DependentsGrant = { readonly state: 'granted' | 'unknown' } | { readonly state: 'missing'; readonly command: string };

/** Reads the status of a SubjectAccessReview. An answer that kcp could not work out in full is only worth something if it allows. */
export function answerIn(review: KubeObject): ReviewAnswer {
  const { allowed, evaluationError = '' } = (review['status'] ?? {}) as { readonly allowed?: unknown; readonly evaluationError?: string };
  if (allowed === true) return 'allowed';
  return allowed === false && evaluationError === '' ? 'denied' : 'none';
}

/** What follows from one answer for each identity of the webhook: all of them must be allowed, as any of them may answer a review. */
export function grantFrom(answers: readonly ReviewAnswer[]): Grant {
  if (answers.includes('denied')) return 'missing';
  return answers.length > 0 && answers.every((answer) => answer === 'allowed') ? 'granted' : 'unknown';
}

/** What the author of a rule reads when the right is missing. */
export function grantProblem(
  grant: DependentsGrant,
  { dependent, enforcement }: Pick<Rule, 'dependent' | 'enforcement'>,
): DecidedCondition | undefined {
  if (grant.state !== 'missing') return undefined;
  const effect = enforcement === 'Deny' ? 'deletes that this rule guards are refused' : 'this rule warns and audits nothing';
  const cure = `an admin of kcp's shards grants it, with FILE once per shard: ${grant.command}`;
  const message = `the webhook may not read ${printGroupResource(dependent)}, so ${effect}: ${cure}`;
  return { type: READY, status: 'False', reason: 'GrantMissing', message };
}
