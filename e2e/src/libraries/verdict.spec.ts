import { describe, expect, it } from '@jest/globals';
import { judge, type Told, type Truth } from './verdict.js';

const right = { lost: [], doubled: [], different: [] };

describe(judge, () => {
  it.each([
    {
      given: 'a list and every write behind it',
      told: [replaced({ a: 1 }), applied('a', 2), applied('b', 3), deleted('b', 4), applied('a', 5)],
      truth: truthOf({ a: 5 }, { writes: [applied('a', 2), applied('b', 3), applied('a', 5)], removed: ['b'] }),
      expected: right,
    },
    {
      given: 'writes in a gap that a list closed',
      told: [replaced({ a: 1 }), applied('a', 2), replaced({ a: 5 }), applied('a', 6)],
      truth: truthOf({ a: 6 }, { writes: [applied('a', 2), applied('a', 3), applied('b', 4), applied('a', 5)], removed: ['b'] }),
      expected: right,
    },
    {
      given: 'an object that came and went behind a list, and was never told of',
      told: [replaced({ a: 1 }), applied('a', 4)],
      truth: truthOf({ a: 4 }, { writes: [applied('b', 2), applied('a', 4)], removed: ['b'] }),
      expected: { ...right, lost: ['b@2'] },
    },
    {
      given: 'a write that was left out between two events',
      told: [replaced({ a: 1 }), applied('a', 2), applied('a', 4)],
      truth: truthOf({ a: 4 }, { writes: [applied('a', 2), applied('a', 3), applied('a', 4)] }),
      expected: { ...right, lost: ['a@3'] },
    },
    {
      given: 'a write that was left out before an event, and a list only later',
      told: [replaced({ a: 1 }), applied('a', 4), replaced({ a: 4 })],
      truth: truthOf({ a: 4 }, { writes: [applied('a', 3), applied('a', 4)] }),
      expected: { ...right, lost: ['a@3'] },
    },
    {
      given: 'a list that is older than the write it should cover',
      told: [replaced({ a: 1 }), replaced({ a: 2 }), applied('b', 5)],
      truth: truthOf({ a: 3, b: 5 }, { writes: [applied('a', 3), applied('b', 5)] }),
      expected: { lost: ['a@3'], doubled: [], different: ['a'] },
    },
    {
      given: 'an event that was told twice',
      told: [replaced({}), applied('a', 2), applied('a', 2)],
      truth: truthOf({ a: 2 }, { writes: [applied('a', 2)] }),
      expected: { ...right, doubled: ['applied a@2'] },
    },
    {
      given: 'an event that a list had told already',
      told: [replaced({ a: 2 }), applied('a', 2)],
      truth: truthOf({ a: 2 }, {}),
      expected: { ...right, doubled: ['applied a@2'] },
    },
    {
      given: 'the end of what was not there',
      told: [replaced({}), deleted('a', 2)],
      truth: truthOf({}, { removed: ['a'] }),
      expected: { ...right, doubled: ['deleted a@2'] },
    },
    {
      given: 'an end that was not told',
      told: [replaced({ a: 1 })],
      truth: truthOf({}, { removed: ['a'] }),
      expected: { ...right, different: ['a'] },
    },
  ])('given $given, then that is the verdict', ({ told, truth, expected }) => {
    expect(judge(told, truth)).toEqual(expected);
  });
});

function replaced(objects: Readonly<Record<string, number>>): Told {
  return { atMs: 0, kind: 'replaced', objects: new Map(Object.entries(objects)) };
}

function applied(object: string, revision: number): Told & { readonly kind: 'applied' | 'deleted' } {
  return { atMs: 0, kind: 'applied', object, revision };
}

function deleted(object: string, revision: number): Told {
  return { atMs: 0, kind: 'deleted', object, revision };
}

function truthOf(
  objects: Readonly<Record<string, number>>,
  { writes = [], removed = [] }: { readonly writes?: Truth['accepted']; readonly removed?: readonly string[] },
): Truth {
  return { accepted: writes, removed: new Set(removed), objects: new Map(Object.entries(objects)) };
}
