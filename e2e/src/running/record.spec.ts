import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { BackendResult, Outcome } from './outcome.js';
import { addRecords, caseRecords, suiteRecord, type RunOf } from './record.js';

const stamp = { on: '2026-01-02T03:04:05Z', commit: 'abc' };
const run: RunOf = { stamp, buildOf: (backend) => (backend === 'kcp' ? 'b1' : undefined) };
const passed: Outcome = { state: 'passed', ms: 1_200 };
const failed: Outcome = { state: 'failed', ms: 3, problem: '' };
const skipped: Outcome = { state: 'skipped', why: 'needs kubectl' };

function ran(backend: string, outcomes: Readonly<Record<string, Outcome>>): BackendResult {
  return { backend, version: '0.32.3', seconds: 61.5, outcomes: new Map(Object.entries(outcomes)) };
}

const absent: BackendResult = { backend: 'kcp', outcomes: new Map([['S1', skipped]]), notExercised: { why: 'no kcp', broken: false } };

describe(caseRecords, () => {
  it('given a pass, a failure and a skip, then each is noted with date, commit, time and build', () => {
    expect(caseRecords(ran('kcp', { S1: passed, S2: failed, S3: skipped }), run)).toEqual([
      { test: 'S1', backend: 'kcp', kcp: '0.32.3', ...stamp, state: 'passed', seconds: 2, build: 'b1' },
      { test: 'S2', backend: 'kcp', kcp: '0.32.3', ...stamp, state: 'failed', seconds: 1, build: 'b1' },
      { test: 'S3', backend: 'kcp', kcp: '0.32.3', ...stamp, state: 'skipped', why: 'needs kubectl' },
    ]);
  });

  it('given what a case measured, then that is noted with it', () => {
    const figures = [
      { test: 'S1', says: 'a' },
      { test: 'S2', says: 'b' },
      { test: 'S1', says: 'c' },
    ];

    const extents = caseRecords({ ...ran('kcp', { S1: passed, S2: failed, S3: passed }), figures }, run).map((record) =>
      'extent' in record ? record.extent : undefined,
    );

    expect(extents).toEqual(['a; c', 'b', undefined]);
  });

  it('given a backend that this machine lacks, then nothing is noted', () => {
    expect(caseRecords(absent, run)).toEqual([]);
  });
});

describe(suiteRecord, () => {
  it.each<{ given: string; result: BackendResult; extent?: string; expected: object | undefined }>([
    { given: 'passes', result: ran('embedded', { S1: passed, S2: passed }), expected: { state: 'passed', extent: '2 cases', seconds: 62 } },
    { given: 'one failure', result: ran('kcp', { S1: passed, S2: failed }), expected: { state: 'failed', build: 'b1' } },
    { given: 'one skip', result: ran('kcp', { S1: passed, S2: skipped }), expected: { state: 'passed', extent: '1 cases, 1 skipped' } },
    { given: 'an extent', result: ran('kcp', { M1: passed }), extent: 'seeds 1 to 1', expected: { extent: 'seeds 1 to 1' } },
    { given: 'skips alone', result: ran('kcp', { S1: skipped }), expected: undefined },
    { given: 'no backend', result: absent, expected: undefined },
  ])('given $given, then $expected is noted', ({ result, extent, expected }) => {
    const record = suiteRecord('conformance', result, { ...run, ...(extent === undefined ? {} : { extent }) });

    if (expected === undefined) expect(record).toBeUndefined();
    else expect(record).toMatchObject({ test: 'conformance', kcp: '0.32.3', ...stamp, ...expected });
  });
});

describe(addRecords, () => {
  it('given a file with records of other tests, then they stay, and there is one line for each', () => {
    const dir = mkdtempSync(join(tmpdir(), 'records-'));
    const file = join(dir, 'runs.jsonl');

    addRecords(file, caseRecords(ran('kcp', { S1: passed }), run));
    addRecords(file, caseRecords(ran('kcp', { S10: passed, S2: passed }), run));

    const tests = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly test: string }).test);
    rmSync(dir, { recursive: true });
    expect(tests).toEqual(['S1', 'S2', 'S10']);
  });
});
