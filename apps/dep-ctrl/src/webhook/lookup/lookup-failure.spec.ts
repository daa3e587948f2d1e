import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import type { LookupFailure } from '../decision/lookup.js';
import { lookupFailureOf, NotNeeded } from './lookup-failure.js';

const going = { signal: new AbortController().signal };

describe(lookupFailureOf, () => {
  it.each<readonly [KcpErrorCode, LookupFailure['code'], boolean]>([
    ['unauthorized', 'unauthorized', true],
    ['forbidden', 'forbidden', true],
    ['not-found', 'not-served', false],
    ['not-served', 'not-served', false],
    ['expired', 'changing', false],
    ['throttled', 'throttled', false],
    ['unavailable', 'unavailable', false],
    ['server-error', 'unavailable', false],
    ['conflict', 'unavailable', false],
    ['already-exists', 'unavailable', false],
    ['invalid', 'unavailable', false],
    ['unreachable', 'unreachable', false],
    ['timeout', 'timeout', false],
    ['aborted', 'timeout', false],
    ['invalid-response', 'unreadable', false],
    ['too-large', 'too-large', true],
  ])('given kcp that answers %s, then the failure is %s, and lasting: %s', (answered, code, lasting) => {
    expect(lookupFailureOf(failure(answered), going)).toMatchObject({ code, lasting });
  });

  it('given a right that is missing, then the failure says what kcp said; any other failure speaks for itself', () => {
    expect(lookupFailureOf(failure('forbidden'), going)).toHaveProperty('problem', failure('forbidden').message);
    expect(lookupFailureOf(failure('unauthorized'), going)).toHaveProperty('problem', failure('unauthorized').message);
    expect(lookupFailureOf(failure('unavailable'), going)).not.toHaveProperty('problem');
  });

  it.each([
    { given: 'a list that ended as nobody needs it', thrown: new NotNeeded(), signal: going.signal },
    { given: 'an error after that', thrown: failure('unreachable'), signal: AbortSignal.abort(new NotNeeded()) },
  ])('given $given, then the list is not finished', ({ thrown, signal }) => {
    expect(lookupFailureOf(thrown, { signal })).toEqual({ code: 'not-finished', lasting: false });
  });

  it('given an error of nobody after an abort, then time ran out; before, it is a defect and is thrown on', () => {
    const defect = new Error('a defect');

    expect(lookupFailureOf(defect, { signal: AbortSignal.abort() })).toEqual({ code: 'timeout', lasting: false });
    expect(() => lookupFailureOf(defect, going)).toThrow(defect);
  });
});

function failure(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'list vms', at: 'https://kcp', problem: 'says why' });
}
