import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_DURATIONS,
  decideWrite,
  leads,
  pauseMs,
  seeLease,
  steppedDown,
  wrote,
  type ElectionState,
  type LeaseView,
} from './election-step.js';

const lease = (change: Partial<LeaseView> = {}): LeaseView => ({
  resourceVersion: '7',
  holder: 'other',
  durationMs: 15_000,
  transitions: 0,
  ...change,
});
const seenAt = (sinceMs: number, change: Partial<LeaseView> = {}): ElectionState => ({ seen: { lease: lease(change), sinceMs } });

describe(seeLease, () => {
  it.each<{ given: string; before: ElectionState; sees: LeaseView | undefined; after: ElectionState }>([
    { given: 'the first lease', before: {}, sees: lease(), after: seenAt(100) },
    { given: 'no lease at first', before: {}, sees: undefined, after: { isMissing: true } },
    { given: 'a lease that did not change', before: seenAt(50), sees: lease(), after: seenAt(50) },
    {
      given: 'a lease that was written since',
      before: seenAt(50),
      sees: lease({ resourceVersion: '8' }),
      after: seenAt(100, { resourceVersion: '8' }),
    },
    { given: 'that the lease is missing', before: seenAt(50), sees: undefined, after: { ...seenAt(50), isMissing: true } },
    { given: 'a lease that was missing', before: { ...seenAt(50), isMissing: true }, sees: lease(), after: seenAt(50) },
    {
      given: 'the lease of a leader',
      before: { ...seenAt(50), renewedMs: 40 },
      sees: lease({ resourceVersion: '8' }),
      after: { ...seenAt(100, { resourceVersion: '8' }), renewedMs: 40 },
    },
  ])('given $given, then the time counts from when it was first seen like that', ({ before, sees, after }) => {
    expect(seeLease(before, sees, 100)).toStrictEqual(after);
  });
});

describe(decideWrite, () => {
  const mine = lease({ holder: 'me' });
  const released = lease({ holder: '' });

  it.each<{ given: string; state: ElectionState; atMs: number; expected: ReturnType<typeof decideWrite> }>([
    { given: 'nothing seen', state: {}, atMs: 0, expected: { do: 'create' } },
    { given: 'a lease of another', state: seenAt(1_000), atMs: 15_999, expected: { do: 'stand-by' } },
    { given: 'one that ran out', state: seenAt(1_000), atMs: 16_000, expected: { do: 'take', from: lease() } },
    {
      given: 'a released one',
      state: { seen: { lease: released, sinceMs: 1_000 } },
      atMs: 1_000,
      expected: { do: 'take', from: released },
    },
    { given: 'our own', state: { seen: { lease: mine, sinceMs: 1_000 } }, atMs: 1_000, expected: { do: 'renew', from: mine } },
    {
      given: 'our own that ran out',
      state: { seen: { lease: mine, sinceMs: 1_000 } },
      atMs: 90_000,
      expected: { do: 'renew', from: mine },
    },
    { given: 'a missing one of another', state: { ...seenAt(1_000), isMissing: true }, atMs: 15_999, expected: { do: 'stand-by' } },
    { given: 'a missing one that ran out', state: { ...seenAt(1_000), isMissing: true }, atMs: 16_000, expected: { do: 'create' } },
    {
      given: 'our own that is missing',
      state: { seen: { lease: mine, sinceMs: 1_000 }, isMissing: true },
      atMs: 1_000,
      expected: { do: 'create' },
    },
  ])('given $given at $atMs ms, then the next write is $expected.do', ({ state, atMs, expected }) => {
    expect(decideWrite(state, 'me', atMs)).toEqual(expected);
  });
});

describe(leads, () => {
  const leading: ElectionState = { ...seenAt(1_000, { holder: 'me' }), renewedMs: 900 };

  it.each<{ given: string; state: ElectionState; atMs: number; expected: boolean }>([
    { given: 'a renewal within the deadline', state: leading, atMs: 10_899, expected: true },
    { given: 'a renewal as old as the deadline', state: leading, atMs: 10_900, expected: false },
    { given: 'the lease of another', state: { ...seenAt(1_000), renewedMs: 900 }, atMs: 1_000, expected: false },
    { given: 'our lease of an earlier term', state: seenAt(1_000, { holder: 'me' }), atMs: 1_000, expected: false },
    { given: 'no lease', state: { renewedMs: 900 }, atMs: 1_000, expected: false },
    { given: 'that we stepped down', state: steppedDown(leading), atMs: 1_000, expected: false },
  ])('given $given, then this candidate leads: $expected', ({ state, atMs, expected }) => {
    expect(leads(state, 'me', atMs, DEFAULT_DURATIONS)).toBe(expected);
  });

  it('given a write that succeeded, then the term counts from when it was sent, not from when it was answered', () => {
    const state = wrote({}, lease({ holder: 'me' }), 900, 5_000);

    expect(state).toEqual({ ...seenAt(5_000, { holder: 'me' }), renewedMs: 900 });
    expect([leads(state, 'me', 10_899, DEFAULT_DURATIONS), leads(state, 'me', 10_900, DEFAULT_DURATIONS)]).toEqual([true, false]);
    expect(steppedDown(state)).toStrictEqual(seenAt(5_000, { holder: 'me' }));
  });
});

describe(pauseMs, () => {
  it.each<{ given: string; state: ElectionState; random: number; expected: number }>([
    { given: 'a leader', state: { ...seenAt(0), renewedMs: 0 }, random: 0.5, expected: 2_000 },
    { given: 'nothing seen', state: {}, random: 0.5, expected: 2_500 },
    { given: 'nothing seen, and another draw', state: {}, random: 0, expected: 2_000 },
    { given: 'a lease that lasts', state: seenAt(14_000), random: 0.5, expected: 2_500 },
    { given: 'a lease that runs out before', state: seenAt(1_000), random: 0.5, expected: 1_000 },
    { given: 'a lease that runs out now', state: seenAt(0), random: 0.5, expected: 2_500 },
    { given: 'a lease that ran out', state: seenAt(-1_000), random: 0.5, expected: 2_500 },
  ])('given $given, then the next look is after $expected ms', ({ state, random, expected }) => {
    expect(pauseMs(state, random, 15_000, DEFAULT_DURATIONS)).toBe(expected);
  });
});
