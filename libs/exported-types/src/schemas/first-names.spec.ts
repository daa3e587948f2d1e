import { describe, expect, it } from '@jest/globals';
import { printFirst } from './first-names.js';

describe(printFirst, () => {
  it.each([
    { given: 'nothing', names: [], expected: 'nothing' },
    { given: 'as many as are shown', names: ['b', 'a', 'c'], expected: 'b, a, c' },
    { given: 'more', names: ['b', 'a', 'c', 'e', 'd'], expected: 'b, a, c and 2 more' },
    { given: 'long ones', names: ['a'.repeat(600), 'b'.repeat(600)], expected: `${'a'.repeat(600)} and 1 more` },
    { given: 'two that just fit', names: ['a'.repeat(499), 'b'.repeat(499)], expected: `${'a'.repeat(499)}, ${'b'.repeat(499)}` },
    { given: 'two that fit but for the comma', names: ['a'.repeat(500), 'b'.repeat(499)], expected: `${'a'.repeat(500)} and 1 more` },
    { given: 'one that is too long by itself', names: ['a'.repeat(1_001)], expected: 'a'.repeat(1_001) },
  ])('given $given, then the first of them stand there, and how many more there are', ({ names, expected }) => {
    expect(printFirst(names, { most: 3 })).toBe(expected);
  });

  it('given the first names of many, then those that are not given count too', () => {
    expect(printFirst(['a', 'b'], { most: 3, of: 12 })).toBe('a, b and 10 more');
  });
});
