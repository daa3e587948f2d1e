import { describe, expect, it } from '@jest/globals';
import { thinned, type ProcessSample, type Sample } from './sample.js';

const usual: ProcessSample = { residentMb: 100, heapMb: 40, handles: 20, files: 30, connections: 3, lagMs: 5, lagP99Ms: 2 };

describe(thinned, () => {
  it.each([
    { given: 'more samples than wanted', count: 10, most: 4, expected: [3, 6, 9, 10] },
    { given: 'as many as wanted', count: 3, most: 3, expected: [1, 2, 3] },
    { given: 'none', count: 0, most: 3, expected: [] },
  ])('given $given, then there are those of seconds $expected, and each is the worst of its share', ({ count, most, expected }) => {
    const samples = Array.from({ length: count }, (_, at): Sample => {
      const process = { ...usual, files: at + 1 };
      return { second: at + 1, webhook: process, controller: process, deletes: 1, medianMs: 5, slowestMs: 20 };
    });

    const thin = thinned(samples, most);

    expect(thin.map(({ second }) => second)).toEqual(expected);
    expect(thin.map(({ webhook }) => webhook.files)).toEqual(expected);
    expect(thin.reduce((sum, { deletes }) => sum + deletes, 0)).toBe(count);
  });
});
