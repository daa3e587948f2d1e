import { describe, expect, it } from '@jest/globals';
import { FewObjects, type FirstPage } from './few-objects.js';

const KIB = 1024;

describe(FewObjects, () => {
  it.each<[string, readonly FirstPage[], boolean]>([
    ['nothing', [], false],
    ['a Table of 4 KiB', [table(4 * KIB)], true],
    ['a larger Table', [table(4 * KIB + 1)], false],
    ['a small page of a Table after which more rows follow', [{ ...table(100), last: false }], false],
    ['objects of 64 KiB', [objects(64 * KIB)], true],
    ['larger objects', [objects(64 * KIB + 1)], false],
    ['a small page of objects after which more follow', [{ ...objects(100), last: false }], false],
    ['a Table of few rows, and then their large objects', [table(100), objects(65 * KIB)], false],
    ['large objects, and then a Table of few rows', [objects(65 * KIB), table(100)], false],
    ['large objects, of which few are left', [objects(65 * KIB), objects(100)], true],
    ['few objects, and then a Table of many rows that somebody else read', [objects(100), table(5 * KIB)], true],
  ])('given %s, then the objects are few: %#', (_given, pages, expected) => {
    const few = new FewObjects();

    for (const page of pages) few.note('list', page);

    expect([few.has('list'), few.has('other')]).toEqual([expected, false]);
  });

  it('given more lists than it remembers, then it forgets the one that was noted first', () => {
    const few = new FewObjects();

    for (let list = 0; list < 10_001; list += 1) few.note(String(list), table(100));

    expect([few.has('0'), few.has('1'), few.has('10000')]).toEqual([false, true, true]);
  });
});

function table(byteLength: number): FirstPage {
  return { form: 'table', byteLength, last: true };
}

function objects(byteLength: number): FirstPage {
  return { form: 'objects', byteLength, last: true };
}
