import { describe, expect, it } from '@jest/globals';
import { unifiedDiff } from './unified-diff.js';

const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
/** The same, with another text in each line but the thousandth. */
const otherwise = (count: number) => numbers(count).map((each) => (each === '1000' ? each : `x${each}`));

describe(unifiedDiff, () => {
  it.each([
    { given: 'the same text', before: text('a', 'b'), after: text('a', 'b'), expected: '' },
    { given: 'nothing before', before: '', after: text('a'), expected: '@@ -0,0 +1,1 @@\n+a\n' },
    { given: 'nothing after', before: text('a'), after: '', expected: '@@ -1,1 +0,0 @@\n-a\n' },
    {
      given: 'a line that changed',
      before: text('a', 'b', 'c'),
      after: text('a', 'x', 'c'),
      expected: '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n',
    },
    {
      given: 'lines that moved apart',
      before: text('a', 'b', 'c', 'd'),
      after: text('a', 'c', 'x', 'd'),
      expected: '@@ -1,4 +1,4 @@\n a\n-b\n c\n+x\n d\n',
    },
    {
      given: 'changes far from each other',
      before: text(...numbers(20)),
      after: text(...numbers(20).map((each) => (each === '2' || each === '19' ? 'x' : each))),
      expected: '@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -16,5 +16,5 @@\n 16\n 17\n 18\n-19\n+x\n 20\n',
    },
    {
      given: 'a line more of those that are there',
      before: text('a', 'a'),
      after: text('a', 'a', 'a'),
      expected: '@@ -1,2 +1,3 @@\n a\n a\n+a\n',
    },
    {
      given: 'an end that stays, and such a line before it',
      before: text('a'),
      after: text('b', 'a', 'a'),
      expected: '@@ -1,1 +1,3 @@\n+b\n+a\n a\n',
    },
    {
      given: 'changes whose neighbours touch',
      before: text(...numbers(12)),
      after: text(...numbers(12).filter((each) => each !== '2' && each !== '9')),
      expected: '@@ -1,12 +1,10 @@\n 1\n-2\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n 10\n 11\n 12\n',
    },
  ])('given $given, then only what differs is there, with three lines around it', ({ before, after, expected }) => {
    expect(unifiedDiff(before, after)).toBe(expected);
  });

  it('given texts too long to compare line by line, then what differs is shown as replaced', () => {
    const diff = unifiedDiff(text('a', ...numbers(3_000)), text('a', ...otherwise(3_000)));

    expect(diff.startsWith('@@ -1,3001 +1,3001 @@\n a\n-1\n-2\n')).toBe(true);
    expect(diff.endsWith('\n+x2999\n+x3000\n')).toBe(true);
    expect(diff).toContain('\n-1000\n');
    expect(diff).toContain('\n+1000\n');
  });

  it('given the longest texts that are compared line by line, then a line that stays is shown as that', () => {
    expect(unifiedDiff(text(...numbers(2_000)), text(...otherwise(2_000)))).toContain('\n+x999\n 1000\n-1001\n');
  });
});
