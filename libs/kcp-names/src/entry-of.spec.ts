import { describe, expect, it } from '@jest/globals';
import { entryOf, pruneEntry } from './index.js';

describe(entryOf, () => {
  it('given a key without an entry, then one is made and kept; given one with an entry, then that one is answered', () => {
    const map = new Map<string, string[]>();

    entryOf(map, 'a', () => []).push('first');
    entryOf(map, 'a', () => ['made anew']).push('second');

    expect(map).toEqual(new Map([['a', ['first', 'second']]]));
  });
});

describe(pruneEntry, () => {
  it.each([
    { given: 'an entry that keeps something', key: 'a', taken: 1, expected: { a: [2], b: [1] } },
    { given: 'an entry of which the last thing is taken', key: 'b', taken: 1, expected: { a: [1, 2] } },
    { given: 'an entry that does not hold it', key: 'b', taken: 3, expected: { a: [1, 2], b: [1] } },
    { given: 'a key without an entry', key: 'c', taken: 1, expected: { a: [1, 2], b: [1] } },
  ])('given $given, then no empty entry is left', ({ key, taken, expected }) => {
    const map = new Map([
      ['a', new Set([1, 2])],
      ['b', new Set([1])],
    ]);

    pruneEntry(map, key, (entry) => entry.delete(taken));

    expect(Object.fromEntries([...map].map(([name, entry]) => [name, [...entry]]))).toEqual(expected);
  });
});
