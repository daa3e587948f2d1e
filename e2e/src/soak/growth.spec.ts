import { describe, expect, it } from '@jest/globals';
import { growthIn } from './growth.js';
import type { ProcessSample, Sample } from './sample.js';

const usual: ProcessSample = { residentMb: 150, heapMb: 40, handles: 20, files: 30, connections: 0, lagMs: 12, lagP99Ms: 3 };
const HOUR_S = 3_600;
const LONG_MIN = 30;

type Webhook = (second: number) => Partial<ProcessSample>;

/** One sample a second; the controller stays as it is. */
function samplesOf(minutes: number, webhook: Webhook): readonly Sample[] {
  return Array.from({ length: minutes * 60 }, (_, at): Sample => ({
    second: at + 1,
    webhook: { ...usual, ...webhook(at + 1) },
    controller: usual,
    deletes: 20,
    medianMs: 5,
    slowestMs: 20,
  }));
}

/** A rise by so much an hour, with the sawtooth of a heap on top: up for ten seconds, and down again. */
const rising = (from: number, perHour: number, saw = 0) => {
  return (second: number): number => from + (perHour * second) / HOUR_S + (saw * (second % 10)) / 10;
};

/** Connections come by five a minute, and each counts as a file and a handle. */
function connected(second: number, last = Infinity): Partial<ProcessSample> {
  const connections = Math.floor((5 * Math.min(second, last)) / 60);
  return { connections, handles: 20 + connections, files: 30 + connections };
}

describe(growthIn, () => {
  it.each<{ given: string; minutes: number; webhook: Webhook; expected: readonly unknown[] }>([
    { given: 'a level process', minutes: LONG_MIN, webhook: () => ({}), expected: [] },
    {
      given: 'memory that breathes by 20 MB and rises by 5 MB an hour',
      minutes: LONG_MIN,
      webhook: (second) => ({ residentMb: rising(150, 5, 20)(second) }),
      expected: [],
    },
    {
      given: 'memory that takes 50 MB in its first five minutes',
      minutes: LONG_MIN,
      webhook: (second) => ({ residentMb: 150 + Math.min(second, 300) / 6 }),
      expected: [],
    },
    {
      given: 'memory that rises by 12 MB an hour',
      minutes: LONG_MIN,
      webhook: (second) => ({ residentMb: rising(150, 12)(second) }),
      expected: ['webhook: resident MB may rise by 12.0 an hour (12.0 ± 0.0), less than 10 is wanted'],
    },
    {
      given: 'memory that rises by 5 MB an hour',
      minutes: 120,
      webhook: (second) => ({ residentMb: rising(150, 5)(second) }),
      expected: ['webhook: resident MB may rise by 5.0 an hour (5.0 ± 0.0), less than 4 is wanted'],
    },
    {
      given: 'memory that takes 10 MB while V8 compiles, in half an hour',
      minutes: 120,
      webhook: (second) => ({ residentMb: 150 + Math.min(second, 1_800) / 180 }),
      expected: [],
    },
    {
      given: 'memory that takes 10 MB in half an hour, and goes on',
      minutes: 120,
      webhook: (second) => ({ residentMb: 150 + Math.min(second, 1_800) / 180 + rising(0, 5)(second) }),
      expected: ['webhook: resident MB may rise by 5.0 an hour (5.0 ± 0.0), less than 4 is wanted'],
    },
    {
      given: 'a heap that rises by 12 MB an hour below its sawtooth',
      minutes: LONG_MIN,
      webhook: (second) => ({ heapMb: rising(40, 12, 30)(second) }),
      expected: ['webhook: heap MB may rise by 12.1 an hour (12.0 ± 0.1), less than 10 is wanted'],
    },
    {
      given: 'memory that swings so widely that nobody can tell',
      minutes: LONG_MIN,
      webhook: (second) => ({ residentMb: 150 + (Math.floor(second / 420) % 2) * 30 }),
      expected: [expect.stringMatching(/^webhook: resident MB may rise by [1-9]\d+\.\d an hour \(-?\d+\.\d ± [1-9]\d+\.\d\), /)],
    },
    {
      given: 'one socket in a hundred seconds that is never closed',
      minutes: LONG_MIN,
      webhook: (second) => ({ files: 30 + Math.floor(second / 100) }),
      expected: [expect.stringMatching(/^webhook: files besides connections may rise by 3[67]\.\d an hour/)],
    },
    {
      given: 'one timer in a hundred seconds that is never cleared',
      minutes: LONG_MIN,
      webhook: (second) => ({ handles: 20 + Math.floor(second / 100) }),
      expected: [expect.stringMatching(/^webhook: handles besides connections may rise by 3[67]\.\d an hour/)],
    },
    {
      given: 'an event loop that is later by a millisecond every two minutes',
      minutes: LONG_MIN,
      webhook: (second) => ({ lagP99Ms: 3 + second / 120 }),
      expected: ['webhook: event loop p99 ms may rise by 30.0 an hour (30.0 ± 0.0), less than 20 is wanted'],
    },
    { given: 'connections that are level after two minutes', minutes: LONG_MIN, webhook: (second) => connected(second, 120), expected: [] },
    {
      given: 'connections that are never closed',
      minutes: LONG_MIN,
      webhook: (second) => connected(second),
      expected: [expect.stringMatching(/^webhook: connections may rise by 30\d\.\d an hour/)],
    },
    {
      given: 'memory that rises by a third of a MB a second',
      minutes: 2,
      webhook: (second) => ({ residentMb: 150 + second / 3 }),
      expected: [],
    },
    {
      given: 'memory that rises by 2 MB a second',
      minutes: 2,
      webhook: (second) => ({ residentMb: 150 + second * 2 }),
      expected: ['webhook: resident MB rose by 106 from the first third to the last, more than 80'],
    },
    {
      given: 'memory that rises by 10 MB a second, below a sawtooth of 60',
      minutes: 0.5,
      webhook: (second) => ({ residentMb: 150 + second * 10 + (second % 3) * 30 }),
      expected: [expect.stringMatching(/^webhook: resident MB rose by 1[0-9]{2} from the first third to the last, more than 80$/)],
    },
    {
      given: 'memory that takes 51 MB within two minutes, and goes up and down by 38',
      minutes: 2,
      webhook: (second) => ({ residentMb: 150 + (second * 51) / 120 + (second % 2) * 38 }),
      expected: [],
    },
    {
      given: 'one that leaks five sockets a second',
      minutes: 0.5,
      webhook: (second) => ({ files: 30 + second * 5 }),
      expected: ['webhook: files besides connections rose by 65 from the first third to the last, more than 64'],
    },
    {
      given: 'one that opens all its connections to kcp late',
      minutes: 1,
      webhook: (second) => ({ files: second < 40 ? 30 : 94 }),
      expected: [],
    },
    { given: 'connections that are not old enough to be closed', minutes: 1, webhook: (second) => connected(second * 60), expected: [] },
  ])('given $given for $minutes min, then it is told: $expected', ({ minutes, webhook, expected }) => {
    expect(growthIn(samplesOf(minutes, webhook)).problems).toEqual(expected);
  });

  it('given a controller that leaks, then it is the controller that is named', () => {
    const samples = samplesOf(LONG_MIN, () => ({})).map((sample) => ({
      ...sample,
      controller: { ...usual, residentMb: 100 + sample.second / 60 },
    }));

    expect(growthIn(samples).problems).toEqual(['controller: resident MB may rise by 60.0 an hour (60.0 ± 0.0), less than 10 is wanted']);
  });

  it.each([
    { minutes: 0.5, expected: /too short to show slow growth/ },
    { minutes: 10, expected: /too short to show slow growth/ },
    { minutes: LONG_MIN, expected: /^25 min after 5.0 of warming up: long enough/ },
    { minutes: 120, expected: /^90 min after 30 of warming up: long enough/ },
  ])('given $minutes min, then it says what so long a run can show', ({ minutes, expected }) => {
    expect(growthIn(samplesOf(minutes, () => ({}))).shows).toMatch(expected);
  });

  it('given no sample, then nothing is told to have grown, nor to be level', () => {
    expect(growthIn([])).toMatchObject({ rises: [], problems: [], shows: expect.stringContaining('too short') });
  });
});
