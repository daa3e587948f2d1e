// Reads from kcp's answer to a dry-run delete whether the webhook was asked, and whether it could tell. Pure.
import type { KcpError } from '@dep-ctrl/kcp-client';
import type { RehearsedDelete } from './probes.js';

/** How long it is waited for. kcp gives a webhook of ours 10 s, and says then that it failed. */
export const DELETE_MS = 12_000;

/** What a delete that kcp refused tells. A refusal of ours is an answer, where it says what refers to the object. A call that failed is kcp's own text. */
export function outcomeOf({ code, message }: Pick<KcpError, 'code' | 'message'>): RehearsedDelete['outcome'] {
  const problem = /failed calling webhook "[^"]*": (?:failed to call webhook: )?(.*)/.exec(message)?.[1];
  if (problem !== undefined) return { state: 'not-reached', problem: withoutToken(problem) };
  if (code === 'timeout') return { state: 'not-reached', problem: `kcp did not answer within ${DELETE_MS / 1_000} s` };
  const refusal = /denied the request: (.*)/.exec(message)?.[1];
  if (refusal?.startsWith('cannot delete ') === true && !refusal.includes(': still referenced by '))
    return { state: 'cannot-tell', says: refusal };
  return refusal !== undefined ? { state: 'asked' } : { state: 'not-tried', because: 'failed', why: message };
}

/** Without the URL's token: kcp prints the whole URL, and a reader of the token may ask what refers to what. */
function withoutToken(problem: string): string {
  return problem.replaceAll(/(https:\/\/[^/"\s]+)\/[^"\s]*/g, '$1/...');
}
