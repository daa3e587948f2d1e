import { describe, expect, it } from '@jest/globals';
import type { Freshness, Judged } from './freshness.js';
import { chartLine, missingOn, pageOf, problemsOf, sayTheSame, shownOn } from './guarantees-page.js';
import type { KnownTest } from './known-tests.js';
import type { Ran } from './run-record.js';

const tests = new Map<string, KnownTest>([
  ['S7.1', { title: 'promise 1: it holds', files: [] }],
  ['S7.2', { title: 'it holds on', files: [] }],
  ['conformance', { title: 'alike', files: [] }],
]);
const chart = '[The chart](soak.svg) is new.';
const on = '2026-01-02T03:04:05Z';
const commit = '0123456789abcdef';

function run(test: string, backend: string, more: Partial<Ran> = {}, freshness: Freshness = { state: 'fresh' }): Judged {
  return { record: { test, backend, kcp: '0.32.3', state: 'passed', on, commit, seconds: 12, ...more }, freshness };
}

const sections = [1, 2, 3, 4, 5, 6, 7].map((promise) => `## ${promise}. Promise\n\n| test | what holds |\n| - | - |\n| S7.1 | old |\n`);
const page = `# Page\n\n${sections.join('\n')}\n[The chart](soak.svg) is old.\n`;

function tableWith(runs: readonly Judged[]): readonly string[] {
  return pageOf('| test | x |\n| - | - |\n| S7.1 | old |\n| | kcp |\n| S7.2 | old |', { tests, runs, chart, placesFor: () => [] }).split(
    '\n',
  );
}

describe(pageOf, () => {
  it('given runs of tests on several kcps, then each has a row with backend, version, date, commit and time', () => {
    expect(
      tableWith([
        run('S7.2', 'embedded', { seconds: 5_400 }),
        run('S7.1', 'kcp'),
        run('S7.1', 'embedded'),
        run('S7.1', 'kcp', { kcp: '0.30.3', extent: '2 cases' }),
      ]),
    ).toEqual([
      '| test | what holds | backend | kcp | date | commit | took |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| S7.1 | promise 1: it holds | embedded | as 0.32.3 | 2026-01-02 | 0123456789 | 12 s |',
      '|  |  | kcp | 0.30.3 | 2026-01-02 | 0123456789 | 12 s, 2 cases |',
      '|  |  | kcp | 0.32.3 | 2026-01-02 | 0123456789 | 12 s |',
      '| S7.2 | it holds on | embedded | as 0.32.3 | 2026-01-02 | 0123456789 | 90 min |',
    ]);
  });

  it('given runs of every kind, then the page says how many of them it can be gone by', () => {
    const table = '| test | x |\n| - | - |\n| S7.1 | old |';
    const runs = [
      run('S7.1', 'embedded'),
      run('S7.1', 'kcp', {}, { state: 'stale', why: '' }),
      run('S7.1', 'kcp-2', {}, { state: 'failed', why: '' }),
      run('S7.2', 'kcp'),
    ];
    const before = `Of the runs below, none.\n\n${table}`;
    const after = pageOf(before, { tests, runs, chart, placesFor: () => [{ backend: 'containers', kcp: '0.32.3' }] });

    expect(after.split('\n')[0]).toBe(
      'Of the runs below, 1 are evidence for the code as it was, 1 are _stale_, 1 failed, and 1 never ran.',
    );
    expect(sayTheSame(after, after.replace('1 failed', '0 failed'))).toBe(true);
  });

  it.each<{ freshness: Freshness; expected: string }>([
    { freshness: { state: 'fresh' }, expected: '2026-01-02' },
    { freshness: { state: 'stale', why: '' }, expected: '_stale_ 2026-01-02' },
    { freshness: { state: 'failed', why: '' }, expected: '**failed** 2026-01-02' },
    { freshness: { state: 'cannot-tell', why: '' }, expected: '2026-01-02' },
  ])('given a run that is $freshness.state, then its date is $expected', ({ freshness, expected }) => {
    expect(tableWith([run('S7.1', 'kcp', {}, freshness)])[2]).toContain(`| ${expected} |`);
  });

  it('given a run without date and commit, then none is invented', () => {
    const judged: Judged = {
      record: { test: 'S7.1', backend: 'kcp', kcp: '0.32.3', state: 'passed' },
      freshness: { state: 'stale', why: '' },
    };

    expect(tableWith([judged])[2]).toBe('| S7.1 | promise 1: it holds | kcp | 0.32.3 | _stale_ |  |  |');
  });

  it('given a test that did not run everywhere where it has to, then the page says where, and a release does not go by it', () => {
    const placesFor = () => [
      { backend: 'kcp-2', kcp: '0.32.3' },
      { backend: 'kcp', kcp: '0.32.3' },
    ];
    const known = { tests, runs: [run('S7.1', 'kcp')], placesFor };

    expect(
      pageOf('| test | x |\n| - | - |\n| S7.1 | old |', { ...known, chart })
        .split('\n')
        .slice(2),
    ).toEqual([
      '| S7.1 | promise 1: it holds | kcp | 0.32.3 | 2026-01-02 | 0123456789 | 12 s |',
      '|  |  | kcp-2 | 0.32.3 | _never ran_ |  |  |',
    ]);
    expect(missingOn(page, known)).toEqual([{ test: 'S7.1', backend: 'kcp-2', kcp: '0.32.3' }]);
  });

  it('given its own page again, then nothing changes, and prose stays as it is', () => {
    const known = { tests, runs: [run('S7.1', 'kcp'), run('S7.1', 'embedded')], chart, placesFor: () => [] };
    const once = pageOf(page, known);

    expect(pageOf(once, known)).toBe(once);
    expect(once).toContain('# Page');
    expect(once).toContain(`\n${chart}\n`);
    expect(once).not.toMatch(/\bold\b/);
  });
});

describe(problemsOf, () => {
  it('given a page that names every test of its promises, then there is none', () => {
    expect(problemsOf(page, { tests, runs: [run('S7.1', 'kcp')] })).toEqual([]);
  });

  it.each<{ given: string; text: string; runs?: readonly Judged[]; expected: string }>([
    { given: 'a test that is none', text: page.replace('S7.1', 'S9.99'), expected: 'S9.99 is no test' },
    { given: 'a test that never ran', text: page, runs: [], expected: 'S7.1 has never run: npm run e2e -- --filter S7.1 ' },
    { given: 'a promise without a section', text: page.replace('## 6.', '## 66.'), expected: 'there is no section "## 6."' },
    { given: 'a promise without a test', text: page.replace('| S7.1 | old |', ''), expected: 'promise 1 names no test' },
    {
      given: 'a test of a promise that is not named',
      text: page.replaceAll('S7.1', 'S7.2'),
      runs: [run('S7.2', 'kcp')],
      expected: 'S7.1 shows promise 1 and is not named',
    },
  ])('given $given, then that is told', ({ text, runs = [run('S7.1', 'kcp')], expected }) => {
    expect(problemsOf(text, { tests, runs }).join('\n')).toContain(expected);
  });
});

describe(sayTheSame, () => {
  it.each([
    { given: 'a mark that came since, and wider columns', other: '| a | _stale_ 2026 |\n| ---- | ------- |', expected: true },
    { given: 'another date', other: '| a | 2025 |\n| --- | --- |', expected: false },
    { given: 'another result', other: '| a | **failed** 2026 |\n| --- | --- |', expected: false },
  ])('given $given, then $expected', ({ other, expected }) => {
    expect(sayTheSame('| a | 2026 |\n| --- | --- |', other)).toBe(expected);
  });
});

describe(shownOn, () => {
  it('given runs of tests that the page does not name, then they are not shown', () => {
    expect(shownOn(page, [run('S7.1', 'kcp'), run('S7.2', 'kcp'), run('conformance', 'kcp')])).toEqual([run('S7.1', 'kcp')]);
    expect(shownOn('| conformance | x |', [run('conformance', 'kcp')])).toHaveLength(1);
  });
});

describe(chartLine, () => {
  const note = { backend: 'kcp', kcp: '0.32.3', on, minutes: 120, deletes: 144_000 };

  it.each([
    {
      given: 'its commit',
      more: { commit },
      state: 'fresh',
      expected: 'is of 2026-01-02, commit 0123456789: 144000 deletes in 120 min on kcp, kcp 0.32.3.',
    },
    { given: 'no commit', more: {}, state: 'stale', expected: 'is of _stale_ 2026-01-02, commit not noted: ' },
  ] as const)('given $given, then the line says so', ({ more, state, expected }) => {
    expect(chartLine({ ...note, ...more }, { state })).toContain(expected);
  });
});
