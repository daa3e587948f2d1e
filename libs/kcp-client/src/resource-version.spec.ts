import { describe, expect, it } from '@jest/globals';
import { isNewer } from './resource-version.js';

describe(isNewer, () => {
  it.each([
    { given: 'a larger number', pair: ['10', '9'], expected: true },
    { given: 'a larger number of the same length', pair: ['19', '18'], expected: true },
    { given: 'the same number', pair: ['18', '18'], expected: false },
    { given: 'a smaller number', pair: ['9', '10'], expected: false },
    { given: 'numbers beyond what a double can tell apart', pair: ['9007199254740993', '9007199254740992'], expected: true },
    { given: 'other words', pair: ['b', 'a'], expected: true },
    { given: 'the same words', pair: ['a', 'a'], expected: false },
  ] as const)('given $given, then it is $expected', ({ pair: [one, other], expected }) => {
    expect(isNewer(one, other)).toBe(expected);
  });
});
