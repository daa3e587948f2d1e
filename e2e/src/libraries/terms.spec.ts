import { describe, expect, it } from '@jest/globals';
import { overlaps, termsOf } from './terms.js';

describe(termsOf, () => {
  it.each([
    { given: 'nobody who leads', record: 'stands 1\nstands 2\n', expected: [] },
    { given: 'one term', record: 'stands 1\nleads 2\nleads 3\nstands 4\n', expected: [[2n, 3n]] },
    {
      given: 'two terms',
      record: 'leads 1\nstands 2\nleads 3\nstands 4\n',
      expected: [
        [1n, 1n],
        [3n, 3n],
      ],
    },
    { given: 'a process that was killed while it wrote', record: 'leads 1\nleads 2\nlea', expected: [[1n, 2n]] },
    { given: 'an empty record', record: '', expected: [] },
  ])('given $given, then those are the terms', ({ record, expected }) => {
    expect(termsOf('a', record).map(({ from, to }) => [from, to])).toEqual(expected);
  });
});

describe(overlaps, () => {
  const a = { who: 'a', from: 1n, to: 5n };

  it.each([
    { given: 'terms one after the other', terms: [a, { who: 'b', from: 6n, to: 9n }], expected: 0 },
    { given: 'terms that share a moment', terms: [a, { who: 'b', from: 5n, to: 9n }], expected: 1 },
    { given: 'a term within another', terms: [{ who: 'b', from: 2n, to: 3n }, a], expected: 1 },
    { given: 'two records of the same process', terms: [a, { who: 'a', from: 5n, to: 9n }], expected: 0 },
  ])('given $given, then that many overlap', ({ terms, expected }) => {
    expect(overlaps(terms)).toHaveLength(expected);
  });
});
