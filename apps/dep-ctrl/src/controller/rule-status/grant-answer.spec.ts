import { describe, expect, it } from '@jest/globals';
import type { ReviewAnswer } from '../../read-access/access-review.js';
import { grantFrom, type Grant } from './grant-answer.js';

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
