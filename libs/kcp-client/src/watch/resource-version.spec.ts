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
    { given: 'words that end in a number', pair: ['a1', 'b1'], expected: true },
    { given: 'words that begin with a number', pair: ['1a', '1b'], expected: true },
    { given: 'numbers that begin with a zero', pair: ['08', '09'], expected: true },
    { given: 'a word and a number', pair: ['a', '10'], expected: true },
    { given: 'a number and a word', pair: ['1', 'ab'], expected: true },
    { given: 'zero and one', pair: ['0', '1'], expected: false },
    { given: 'the same words', pair: ['a', 'a'], expected: false },
  ] as const)('given $given, then it is $expected', ({ pair: [one, other], expected }) => {
    expect(isNewer(one, other)).toBe(expected);
  });
});
