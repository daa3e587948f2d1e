import { describe, expect, it } from '@jest/globals';
import { ageText, leaseView } from './lease-view.js';

const RENEWED = '2026-11-23T11:00:00.000000Z';
const NOW = Date.parse(RENEWED) + 15_000;

const leaseOf = (spec: object | undefined, annotations?: Readonly<Record<string, string>>) => ({
  metadata: { name: 'a', ...(annotations !== undefined && { annotations }) },
  ...(spec !== undefined && { spec }),
});

describe(leaseView, () => {
  it('given a lease, then it says who leads, in which version and since when', () => {
    const lease = leaseOf(
      { holderIdentity: 'me', renewTime: RENEWED, leaseDurationSeconds: 15 },
      { 'dependencies.opendefense.cloud/version': '1.2.3' },
    );

    expect(leaseView(lease, NOW)).toEqual({ holder: 'me', version: '1.2.3', renewedAt: RENEWED, ageText: '15 s', isFresh: true });
  });

  it.each([
    {
      given: 'one that is as old as it may be',
      spec: { renewTime: RENEWED, leaseDurationSeconds: 15 },
      nowMs: NOW,
      isFresh: true,
      age: '15 s',
    },
    {
      given: 'one that is older',
      spec: { renewTime: RENEWED, leaseDurationSeconds: 15 },
      nowMs: NOW + 1,
      isFresh: false,
      age: '15 s',
    },
    { given: 'one of a clock that is ahead', spec: { renewTime: RENEWED, leaseDurationSeconds: 15 }, nowMs: 0, isFresh: true, age: '0 s' },
    { given: 'one without a duration', spec: { renewTime: RENEWED }, nowMs: NOW, isFresh: false, age: '15 s' },
    { given: 'one that nobody renewed', spec: { leaseDurationSeconds: 15 }, nowMs: NOW, isFresh: false, age: 'unknown time' },
    { given: 'one without a spec', spec: undefined, nowMs: NOW, isFresh: false, age: 'unknown time' },
  ])('given $given, then whether its holder leads is $isFresh', ({ spec, nowMs, isFresh, age }) => {
    expect(leaseView(leaseOf(spec), nowMs)).toMatchObject({ holder: '', version: undefined, isFresh, ageText: age });
  });

  it('given no lease, then nobody leads', () => {
    expect(leaseView(undefined, NOW)).toBeUndefined();
  });
});

describe(ageText, () => {
  it.each([
    { seconds: 0, expected: '0 s' },
    { seconds: 119.4, expected: '119 s' },
    { seconds: 120, expected: '2 min' },
    { seconds: 7_199, expected: '120 min' },
    { seconds: 7_200, expected: '2 h' },
    { seconds: 172_799, expected: '48 h' },
    { seconds: 172_800, expected: '2 d' },
    { seconds: 7_776_000, expected: '90 d' },
    { seconds: Number.POSITIVE_INFINITY, expected: 'unknown time' },
    { seconds: Number.NaN, expected: 'unknown time' },
  ])('given $seconds s, then people say $expected', ({ seconds, expected }) => {
    expect(ageText(seconds * 1_000)).toBe(expected);
  });
});
