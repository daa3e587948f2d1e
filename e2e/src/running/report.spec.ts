import { describe, expect, it } from '@jest/globals';
import type { BackendResult, Outcome } from './outcome.js';
import { details, isGood, summary, table } from './report.js';

const CASES = [
  { id: 'A1.1', title: 'holds everywhere' },
  { id: 'A1.2', title: 'needs a proxy' },
];
const passed: Outcome = { state: 'passed', ms: 5 };
const failed: Outcome = { state: 'failed', ms: 5, problem: '1 !== 2' };
const skipped: Outcome = { state: 'skipped', why: 'needs front-proxy' };

function ran(backend: string, ...outcomes: readonly [Outcome, Outcome]): BackendResult {
  return { backend, version: '0.32.3', seconds: 1.25, outcomes: new Map(CASES.map(({ id }, index) => [id, outcomes[index] ?? passed])) };
}

function absent(backend: string, broken: boolean): BackendResult {
  const skipped = new Map(broken ? [] : CASES.map(({ id }) => [id, { state: 'skipped', why: 'no kcp on PATH' }] as const));
  return { backend, outcomes: skipped, notExercised: { why: 'no kcp on PATH', broken } };
}

describe(table, () => {
  it('given two backends, then each case is a row and each backend a column', () => {
    expect(table(CASES, [ran('embedded', passed, failed), ran('kcp', passed, skipped)])).toBe(
      ['case  embedded  kcp  what holds', 'A1.1  ok        ok   holds everywhere', 'A1.2  FAIL      -    needs a proxy'].join('\n'),
    );
  });

  it('given a backend that was not exercised, then it has no column', () => {
    expect(table(CASES, [absent('kcp', false), ran('embedded', passed, passed)])).not.toContain('kcp');
  });
});

describe(details, () => {
  it('given failures and skips, then each failure is told with its problem and each reason of a skip once', () => {
    expect(details(CASES, [ran('embedded', failed, failed), ran('kcp', skipped, skipped)])).toBe(
      [
        'FAIL embedded A1.1: holds everywhere\n     1 !== 2',
        'FAIL embedded A1.2: needs a proxy\n     1 !== 2',
        'skip kcp: needs front-proxy: A1.1 A1.2',
      ].join('\n'),
    );
  });

  it('given a backend that was not exercised, then nothing is said of it case by case', () => {
    expect(details(CASES, [absent('kcp', false)])).toBe('');
  });
});

describe(summary, () => {
  it('given a backend that was not exercised, then the summary says why before the totals, and its cases were skipped', () => {
    expect(summary([ran('embedded', passed, failed), absent('kcp', false)])).toBe(
      ['embedded: kcp 0.32.3, 1.3 s', 'kcp: NOT EXERCISED: no kcp on PATH', '1 passed, 1 failed, 2 skipped'].join('\n'),
    );
  });

  it('given figures that cases told, then they stand before the rest', () => {
    expect(summary([{ ...ran('kcp', passed, passed), figures: [{ test: 'S1', says: 'gone after 7.0 s' }] }])).toBe(
      ['kcp: S1: gone after 7.0 s', 'kcp: kcp 0.32.3, 1.3 s', '2 passed, 0 failed, 0 skipped'].join('\n'),
    );
  });
});

describe(isGood, () => {
  it.each([
    ['all passed', [ran('embedded', passed, passed)], true],
    ['some skipped', [ran('embedded', passed, skipped)], true],
    ['one failed', [ran('embedded', passed, failed)], false],
    ['all skipped', [ran('embedded', skipped, skipped)], false],
    ['nothing exercised', [absent('kcp', false)], false],
    ['one backend missing', [ran('embedded', passed, passed), absent('kcp', false)], true],
    ['one backend that would not start', [ran('embedded', passed, passed), absent('kcp', true)], false],
  ] as const)('given %s', (_given, results, expected) => {
    expect(isGood(results, { optional: false })).toBe(expected);
  });

  it.each([
    ['every backend missing', [absent('kcp', false)], true],
    ['one backend that would not start', [absent('kcp', true)], false],
    ['one that failed', [absent('kcp', false), ran('embedded', passed, failed)], false],
    ['one where all was skipped', [ran('embedded', skipped, skipped)], false],
  ] as const)('given backends that may be missing, and %s', (_given, results, expected) => {
    expect(isGood(results, { optional: true })).toBe(expected);
  });
});
