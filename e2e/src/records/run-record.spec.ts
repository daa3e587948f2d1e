import { describe, expect, it } from '@jest/globals';
import { merged, parseRecords, printRecords, withoutIdleSkips, type RunRecord } from './run-record.js';

const tried = { test: 'S1.1', backend: 'kcp', kcp: '0.32.3' } as const;
const day = (date: number) => ({ on: `2026-01-${date}T00:00:00Z`, commit: `c${date}` });
const pass = (date: number): RunRecord => ({ ...tried, ...day(date), state: 'passed' });
const failure = (date: number): RunRecord => ({ ...tried, ...day(date), state: 'failed' });
const skip = (date: number): RunRecord => ({ ...tried, ...day(date), state: 'skipped', why: 'needs kubectl' });
const undated: RunRecord = { ...tried, state: 'passed' };

describe(merged, () => {
  it.each<{ given: string; before: readonly RunRecord[]; news: readonly RunRecord[]; expected: readonly RunRecord[] }>([
    { given: 'a pass after a pass', before: [pass(11)], news: [pass(12)], expected: [pass(12)] },
    { given: 'an old file after a new one', before: [pass(12)], news: [pass(11)], expected: [pass(12)] },
    { given: 'a failure after a pass', before: [pass(11)], news: [failure(12)], expected: [failure(12)] },
    { given: 'a pass after a failure', before: [failure(11)], news: [pass(12)], expected: [pass(12)] },
    { given: 'a pass after one without a date', before: [undated], news: [pass(11)], expected: [pass(11)] },
    { given: 'a skip after a pass', before: [pass(11)], news: [skip(12)], expected: [pass(11), skip(12)] },
    { given: 'a skip before a pass', before: [pass(12)], news: [skip(11)], expected: [pass(12)] },
    { given: 'a pass after a skip after a pass', before: [pass(11), skip(12)], news: [pass(13)], expected: [pass(13)] },
    { given: 'a skip where nothing ran', before: [], news: [skip(12)], expected: [skip(12)] },
  ])('given $given, then the later run counts, and a skip only beside an earlier run', ({ before, news, expected }) => {
    expect(merged(before, news)).toEqual(expected);
  });
});

describe(withoutIdleSkips, () => {
  it('given a skip of what never ran there, then it is left out; beside a run it stays', () => {
    const other: RunRecord = { ...skip(12), test: 'S7.4' };

    expect(withoutIdleSkips([pass(11), skip(12), other])).toEqual([pass(11), skip(12)]);
  });
});

describe(parseRecords, () => {
  it('given a line that is no record, then it is named', () => {
    expect(() => parseRecords(`${printRecords([pass(11)])}{"kcp":1}\n`)).toThrow('line 2 is no record of a run: {"kcp":1}');
  });
});
