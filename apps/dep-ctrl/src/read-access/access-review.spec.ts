import { describe, expect, it } from '@jest/globals';
import { answerIn, type ReviewAnswer } from './access-review.js';

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
