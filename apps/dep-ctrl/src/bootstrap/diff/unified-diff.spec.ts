import { describe, expect, it } from '@jest/globals';
import { unifiedDiff } from './unified-diff.js';

const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

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
  ])('given $given, then only what differs is there, with three lines around it', ({ before, after, expected }) => {
    expect(unifiedDiff(before, after)).toBe(expected);
  });

  it('given texts too long to compare line by line, then what differs is shown as replaced', () => {
    const diff = unifiedDiff(text('a', ...numbers(3_000)), text('a', ...numbers(3_000).map((each) => `x${each}`)));

    expect(diff.startsWith('@@ -1,3001 +1,3001 @@\n a\n-1\n-2\n')).toBe(true);
    expect(diff.endsWith('\n+x2999\n+x3000\n')).toBe(true);
  });
});
