import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { growthIn } from './growth.js';
import type { ProcessSample, Sample } from './sample.js';
import { slopeOf, type Point } from './slope.js';

const usual: ProcessSample = { residentMb: 150, heapMb: 40, handles: 20, files: 30, connections: 0, lagMs: 12, lagP99Ms: 3 };
const MINUTES = 30;

/** Numbers in [-0.5, 0.5), the same for the same seed. */
function noise(seed: number, count: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

function pointsOf(values: readonly number[]): readonly Point[] {
  return values.map((value, at) => ({ second: at * 60, value }));
}

const values = fc.array(fc.double({ min: -1_000, max: 1_000, noNaN: true }), { minLength: 8, maxLength: 60 });

describe(slopeOf, () => {
  it('given a line on top of anything, then the slope is steeper by just that line, and as sure as before', () => {
    fc.assert(
      fc.property(values, fc.double({ min: -100, max: 100, noNaN: true }), (some, perHour) => {
        const before = slopeOf(pointsOf(some));
        const after = slopeOf(pointsOf(some.map((value, at) => value + (perHour * at) / 60)));

        expect(after?.perHour).toBeCloseTo((before?.perHour ?? 0) + perHour, 3);
        expect(after?.margin).toBeCloseTo(before?.margin ?? 0, 3);
      }),
    );
  });

  it('given the same points in another order of magnitude, then slope and margin are of that order', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 1_000 }), (some, times) => {
        const before = slopeOf(pointsOf(some));
        const after = slopeOf(pointsOf(some.map((value) => value * times)));

        expect((after?.perHour ?? 0) / times).toBeCloseTo(before?.perHour ?? 0, 3);
        expect((after?.margin ?? 0) / times).toBeCloseTo(before?.margin ?? 0, 3);
      }),
    );
  });

  it.each([{ alike: 0 }, { alike: 0.5 }])(
    'given noise whose neighbours are alike by $alike, then 9 of 10 intervals hold the truth',
    ({ alike }) => {
      const held = Array.from({ length: 500 }, (_, seed) => {
        const some = noise(seed + 1, 45).reduce<number[]>((before, each) => [...before, alike * (before.at(-1) ?? 0) + each], []);
        const slope = slopeOf(pointsOf(some.slice(20)));
        return slope !== undefined && Math.abs(slope.perHour) <= slope.margin;
      });

      expect(held.filter(Boolean).length).toBeGreaterThan(450);
    },
  );
});

describe(growthIn, () => {
  it('given any noise of 8 MB and a leak of 25 MB an hour or more, then it fails; without a leak it passes', () => {
    const seeds = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(seeds, fc.double({ min: 25, max: 500, noNaN: true }), (seed, perHour) => {
        const breath = noise(seed, MINUTES * 60);
        const samples = (leak: number): readonly Sample[] =>
          breath.map((each, second) => ({
            ...{ second, controller: usual, deletes: 20, medianMs: 5, slowestMs: 20 },
            webhook: { ...usual, residentMb: 150 + each * 8 + (leak * second) / 3_600 },
          }));

        expect(growthIn(samples(0)).problems).toEqual([]);
        expect(growthIn(samples(perHour)).problems).toEqual([expect.stringMatching(/^webhook: resident MB may rise/)]);
      }),
      { numRuns: 50 },
    );
  });
});
