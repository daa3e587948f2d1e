import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unifiedDiff } from './unified-diff.js';

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
const text = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

describe(unifiedDiff, () => {
  it('whatever two texts are: their difference leads from the first to the second', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(patched(before, unifiedDiff(text(before), text(after)))).toEqual(after);
      }),
    );
  });

  it('whatever two texts are: no more lines change than have to', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const removed = unifiedDiff(text(before), text(after)).match(/^-/gm)?.length ?? 0;

        expect(before.length - removed).toBe(inCommon(before, after));
      }),
    );
  });
});

/** The text with the difference applied, as `patch` does. */
function patched(before: readonly string[], diff: string): readonly string[] {
  const after: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const [, from, length] = /^@@ -(\d+),(\d+) /.exec(line) ?? [];
    if (from !== undefined) {
      const start = Number(from) - (length === '0' ? 0 : 1);
      after.push(...before.slice(at, start));
      at = start;
      continue;
    }
    const [sign, content] = [line.slice(0, 1), line.slice(1)];
    if (sign !== '+') expect(before[at]).toBe(content);
    if (sign !== '-') after.push(content);
    if (sign !== '+') at += 1;
  }
  return [...after, ...before.slice(at)];
}

/** How many lines two texts have in common at most, in order. */
function inCommon(before: readonly string[], after: readonly string[]): number {
  let previous = after.map(() => 0);
  for (const line of before) {
    const row: number[] = [];
    after.forEach((other, at) => {
      row.push(other === line ? (previous[at - 1] ?? 0) + 1 : Math.max(previous[at] ?? 0, row[at - 1] ?? 0));
    });
    previous = row;
  }
  return previous.at(-1) ?? 0;
}
