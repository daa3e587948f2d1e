import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import type { ClaimState } from './claim.js';
import { failedInstall, refusedInstall, type FailedInstall } from './install-outcome.js';

const NOT_BOUND: FailedInstall = { state: 'not-bound', problem: 'the workspace does not bind the export', retryable: false };

describe(failedInstall, () => {
  it.each<readonly [KcpErrorCode, FailedInstall['state'], boolean]>([
    ['unauthorized', 'forbidden', false],
    ['forbidden', 'forbidden', false],
    ['invalid', 'invalid', false],
    ['unreachable', 'unreachable', true],
    ['timeout', 'unreachable', true],
    ['throttled', 'unreachable', true],
    ['unavailable', 'unreachable', true],
    ['server-error', 'unreachable', true],
    ['invalid-response', 'unreachable', false],
    ['too-large', 'unreachable', false],
    // A shard that has just started answers so for a moment.
    ['not-served', 'unreachable', true],
  ])('given %s, then it is %s, and retryable: %s', (code, state, retryable) => {
    expect(failedInstall(error(code))).toEqual({ state, problem: error(code).message, retryable });
  });

  it.each([
    { given: 'an abort', thrown: error('aborted') },
    { given: 'a bug', thrown: new Error('a bug') },
  ])('given $given, then it is thrown on', ({ thrown }) => {
    expect(() => failedInstall(thrown)).toThrow(thrown.message);
  });
});

describe(refusedInstall, () => {
  it.each<{ readonly claim: ClaimState; readonly expected: FailedInstall }>([
    { claim: { state: 'not-bound' }, expected: NOT_BOUND },
    { claim: { state: 'unbinding' }, expected: NOT_BOUND },
    {
      claim: { state: 'not-answered' },
      expected: { state: 'claim-not-accepted', problem: 'the APIBinding does not answer the permission claim', retryable: false },
    },
    {
      claim: { state: 'rejected' },
      expected: { state: 'claim-not-accepted', problem: 'the APIBinding rejects the permission claim', retryable: false },
    },
    {
      claim: { state: 'verbs-missing', verbs: ['update', 'delete'] },
      expected: {
        state: 'claim-not-accepted',
        problem: 'the APIBinding accepts the permission claim without the verbs update, delete',
        retryable: false,
      },
    },
    { claim: { state: 'accepted' }, expected: { state: 'forbidden', problem: error('forbidden').message, retryable: true } },
  ])('given a 403 and a claim that is $claim.state, then it is $expected.state', ({ claim, expected }) => {
    expect(refusedInstall(claim, error('forbidden'))).toEqual(expected);
  });
});

function error(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'create the configuration', at: 'https://kcp', problem: 'says why' });
}
