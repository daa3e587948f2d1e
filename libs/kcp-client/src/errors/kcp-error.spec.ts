import { describe, expect, it } from '@jest/globals';
import { isKcpError, KcpError, type KcpErrorCode, type KcpFailure } from './kcp-error.js';

const FAILURE: KcpFailure = { code: 'forbidden', asked: 'get it', at: 'https://kcp', problem: 'says why' };

/** Whether the same call may succeed later. */
const RETRYABLE: Readonly<Record<KcpErrorCode, boolean>> = {
  unauthorized: false,
  forbidden: false,
  'not-found': false,
  'not-served': true,
  conflict: false,
  'already-exists': false,
  expired: false,
  invalid: false,
  throttled: true,
  unavailable: true,
  'server-error': true,
  unreachable: true,
  timeout: true,
  aborted: false,
  'invalid-response': false,
  'too-large': false,
};

describe(KcpError, () => {
  it('given a failure without an answer, then it says what was asked, where and what came, and holds nothing else', () => {
    const error = new KcpError(FAILURE);

    expect(error.message).toBe('cannot get it at https://kcp: says why');
    expect(Object.entries(error).filter(([, value]) => value !== undefined)).toEqual([
      ['name', 'KcpError'],
      ['code', 'forbidden'],
      ['retryable', false],
      ['asked', 'get it'],
      ['at', 'https://kcp'],
    ]);
    expect('cause' in error).toBe(false);
  });

  it('given an answer and a cause, then it holds them', () => {
    const cause = new Error('why');
    const statusBody = { kind: 'Status', reason: 'TooManyRequests' } as const;

    const error = new KcpError({ ...FAILURE, code: 'throttled', status: 429, retryAfterMs: 1_000, statusBody, cause });

    expect(error).toMatchObject({ status: 429, retryAfterMs: 1_000, statusBody, reason: 'TooManyRequests' });
    expect(error.cause).toBe(cause);
  });

  it.each([{ kind: 'Status' }, { kind: 'Status', reason: '' }] as const)('given %j, then it has no reason', (statusBody) => {
    expect(new KcpError({ ...FAILURE, statusBody }).reason).toBeUndefined();
  });

  it.each(Object.entries(RETRYABLE) as [KcpErrorCode, boolean][])('given %s, then whether a retry can help is %s', (code, retryable) => {
    expect(new KcpError({ ...FAILURE, code }).retryable).toBe(retryable);
  });

  it.each([
    { given: 'several lines', problem: ' one\n\n  two\t', says: 'one two' },
    { given: '600 characters', problem: 'x'.repeat(600), says: 'x'.repeat(600) },
    { given: '601 characters', problem: 'x'.repeat(601), says: `${'x'.repeat(599)}…` },
    { given: 'what a terminal obeys', problem: 'a\u001b[2J\u009b2Jb\u202ec', says: 'a [2J 2Jb c' },
  ])('given a problem of $given, then it is one line of at most 600', ({ problem, says }) => {
    expect(new KcpError({ ...FAILURE, problem }).message).toBe(`cannot get it at https://kcp: ${says}`);
  });
});

describe(isKcpError, () => {
  const error = new KcpError(FAILURE);

  it.each([
    { given: 'one, asked for any code', answer: isKcpError(error), expected: true },
    { given: 'one, asked for its code among others', answer: isKcpError(error, 'conflict', 'forbidden'), expected: true },
    { given: 'one, asked for another code', answer: isKcpError(error, 'conflict'), expected: false },
    { given: 'another error', answer: isKcpError(new TypeError('bug')), expected: false },
    { given: 'what only looks like one', answer: isKcpError({ name: 'KcpError', code: 'forbidden' }, 'forbidden'), expected: false },
  ])('given $given, then it is $expected', ({ answer, expected }) => {
    expect(answer).toBe(expected);
  });
});
