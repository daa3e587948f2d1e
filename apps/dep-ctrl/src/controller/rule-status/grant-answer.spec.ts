import { describe, expect, it } from '@jest/globals';
import { answerIn, grantFrom, type Grant, type ReviewAnswer } from './grant-answer.js';

describe(answerIn, () => {
  it.each<{ given: string; status: unknown; expected: ReviewAnswer }>([
    { given: 'allowed', status: { allowed: true, reason: 'access granted' }, expected: 'allowed' },
    { given: 'not allowed', status: { allowed: false, reason: 'access denied' }, expected: 'denied' },
    {
      given: 'not allowed as far as kcp could see',
      status: { allowed: false, evaluationError: 'a ClusterRole is missing' },
      expected: 'none',
    },
    { given: 'allowed in spite of an error', status: { allowed: true, evaluationError: 'a ClusterRole is missing' }, expected: 'allowed' },
    { given: 'no status', status: undefined, expected: 'none' },
    { given: 'another shape', status: { allowed: 'yes' }, expected: 'none' },
  ])('given $given, then $expected', ({ status, expected }) => {
    expect(answerIn({ metadata: {}, ...(status === undefined ? {} : { status }) })).toBe(expected);
  });
});

describe(grantFrom, () => {
  it.each<{ answers: readonly ReviewAnswer[]; expected: Grant }>([
    { answers: [], expected: 'unknown' },
    { answers: ['allowed'], expected: 'granted' },
    { answers: ['denied'], expected: 'missing' },
    { answers: ['none'], expected: 'unknown' },
    { answers: ['allowed', 'allowed'], expected: 'granted' },
    { answers: ['allowed', 'denied'], expected: 'missing' },
    { answers: ['none', 'denied'], expected: 'missing' },
    { answers: ['allowed', 'none'], expected: 'unknown' },
  ])('given the answers $answers, then $expected', ({ answers, expected }) => {
    expect(grantFrom(answers)).toBe(expected);
  });
});
