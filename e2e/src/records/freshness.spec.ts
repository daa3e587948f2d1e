import { describe, expect, it } from '@jest/globals';
import type { Since } from './checkout.js';
import { judge, MOST_COMMITS } from './freshness.js';
import type { RunRecord } from './run-record.js';

const pass = { test: 'S1.1', backend: 'kcp', kcp: '0.32.3', state: 'passed', on: '2026-01-11T00:00:00Z', commit: 'c' } as const;
const skip = { ...pass, on: '2026-01-12T00:00:00Z', state: 'skipped', why: 'needs kubectl' } as const;

describe(judge, () => {
  it.each<{ given: string; records: readonly RunRecord[]; since: Since; expected: object }>([
    { given: 'a pass of this commit', records: [pass], since: { commits: 0 }, expected: { state: 'fresh' } },
    { given: 'as many commits as may be', records: [pass], since: { commits: MOST_COMMITS }, expected: { state: 'fresh' } },
    {
      given: 'one commit more',
      records: [pass],
      since: { commits: MOST_COMMITS + 1 },
      expected: { state: 'stale', why: 'older than 31 commits to what it covers' },
    },
    {
      given: 'a later skip',
      records: [pass, skip],
      since: { commits: 0 },
      expected: { state: 'stale', why: expect.stringContaining('needs kubectl') },
    },
    {
      given: 'a pass without date and commit',
      records: [{ test: 'S1.1', backend: 'kcp', kcp: '0.32.3', state: 'passed' }],
      since: { commits: 0 },
      expected: { state: 'stale', why: 'without date and commit' },
    },
    {
      given: 'a pass of changed files',
      records: [{ ...pass, dirty: true }],
      since: { commits: 0 },
      expected: { state: 'stale', why: 'made from files that no commit holds' },
    },
    {
      given: 'a kcp that does not say which it is',
      records: [{ ...pass, kcp: 'unknown' }],
      since: { commits: 0 },
      expected: { state: 'stale', why: 'made on a kcp of an unknown version' },
    },
    {
      given: 'a commit that was never part of this history',
      records: [pass],
      since: { unknown: 'commit' },
      expected: { state: 'stale', why: 'its commit is in no history here' },
    },
    { given: 'a history that is cut off', records: [pass], since: { unknown: 'history' }, expected: { state: 'cannot-tell' } },
    { given: 'a failure', records: [{ ...pass, state: 'failed' }], since: { commits: 0 }, expected: { state: 'failed' } },
  ])('given $given, then it is $expected', ({ records, since, expected }) => {
    const judged = judge(records, () => since);

    expect(judged).toHaveLength(1);
    expect(judged[0]?.freshness).toMatchObject(expected);
  });
});
