import { describe, expect, it } from '@jest/globals';
import { SmallLists } from './small-lists.js';

const KIB = 1024;
type Seen = readonly ['table' | 'objects', number, 'last' | 'more-follows'];

describe(SmallLists, () => {
  it.each<{ given: string; seen: readonly Seen[]; isSmall: boolean }>([
    { given: 'a list that nobody has read', seen: [], isSmall: false },
    { given: 'a short Table', seen: [['table', 8 * KIB, 'last']], isSmall: true },
    { given: 'a longer Table', seen: [['table', 8 * KIB + 1, 'last']], isSmall: false },
    { given: 'a Table of several pages', seen: [['table', 1, 'more-follows']], isSmall: false },
    { given: 'few bytes of objects', seen: [['objects', 64 * KIB, 'last']], isSmall: true },
    { given: 'many bytes of objects', seen: [['objects', 64 * KIB + 1, 'last']], isSmall: false },
    { given: 'objects on several pages', seen: [['objects', 1, 'more-follows']], isSmall: false },
    {
      given: 'a short Table of objects that are large',
      seen: [
        ['table', 1, 'last'],
        ['objects', 65 * KIB, 'last'],
        ['table', 1, 'last'],
      ],
      isSmall: false,
    },
    {
      given: 'a list that was large and has few objects now',
      seen: [
        ['objects', 65 * KIB, 'last'],
        ['table', 9 * KIB, 'last'],
        ['table', 1, 'last'],
      ],
      isSmall: true,
    },
    {
      given: 'a list that was small and has many objects now',
      seen: [
        ['objects', 1, 'last'],
        ['table', 9 * KIB, 'last'],
      ],
      isSmall: false,
    },
  ])('given $given, then whether it is small is $isSmall', ({ seen, isSmall }) => {
    const lists = new SmallLists();

    for (const [form, byteLength, end] of seen) {
      if (form === 'table') lists.sawTable('list', { byteLength, last: end === 'last' });
      else lists.sawObjects('list', { byteLength, last: end === 'last' });
    }

    expect([lists.isSmall('list'), lists.isSmall('other')]).toEqual([isSmall, false]);
  });

  it('given more lists than are remembered, then the one that was read longest ago is forgotten', () => {
    const lists = new SmallLists();
    for (let list = 0; list < 1_000; list += 1) lists.sawObjects(String(list), { byteLength: 1, last: true });
    lists.sawObjects('0', { byteLength: 1, last: true });

    lists.sawObjects('1000', { byteLength: 1, last: true });

    expect(['0', '1', '2', '1000'].map((list) => lists.isSmall(list))).toEqual([true, false, true, true]);
  });
});
