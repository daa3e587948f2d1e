import { describe, expect, it } from '@jest/globals';
import { printFirst } from './first-names.js';

describe(printFirst, () => {
  it.each([
    { given: 'nothing', names: [], expected: 'nothing' },
    { given: 'as many as are shown', names: ['b', 'a', 'c'], expected: 'b, a, c' },
    { given: 'more', names: ['b', 'a', 'c', 'e', 'd'], expected: 'b, a, c and 2 more' },
    { given: 'long ones', names: ['a'.repeat(600), 'b'.repeat(600)], expected: `${'a'.repeat(600)} and 1 more` },
    { given: 'two that just fit', names: ['a'.repeat(499), 'b'.repeat(499)], expected: `${'a'.repeat(499)}, ${'b'.repeat(499)}` },
    { given: 'one that is too long by itself', names: ['a'.repeat(1_001)], expected: 'a'.repeat(1_001) },
  ])('given $given, then the first of them stand there, and how many more there are', ({ names, expected }) => {
    expect(printFirst(names, { most: 3 })).toBe(expected);
  });
});
