import { describe, expect, it } from '@jest/globals';
import { growthIn } from './growth.js';
import type { ProcessSample, Sample } from './sample.js';

const usual: ProcessSample = { residentMb: 100, heapMb: 40, handles: 20, files: 30, lagMs: 5 };

describe(growthIn, () => {
  it.each<{ given: string; webhook: (second: number) => Partial<ProcessSample>; expected: readonly string[] }>([
    { given: 'a level process', webhook: () => ({}), expected: [] },
    { given: 'one that warms up', webhook: (second) => ({ heapMb: second < 20 ? second * 10 : 200 }), expected: [] },
    {
      given: 'one that leaks memory',
      webhook: (second) => ({ heapMb: 40 + second * 3 }),
      expected: ['webhook: heapMb grew from 130 to 190'],
    },
    {
      given: 'one that leaks sockets',
      webhook: (second) => ({ files: 30 + 6 * second }),
      expected: ['webhook: files grew from 210 to 330'],
    },
  ])('given $given, then it is told: $expected', ({ webhook, expected }) => {
    const samples = Array.from({ length: 60 }, (_, second): Sample => ({
      second,
      webhook: { ...usual, ...webhook(second) },
      controller: usual,
      deletes: 20,
      medianMs: 5,
      slowestMs: 20,
    }));

    expect(growthIn(samples)).toEqual(expected);
  });
});
