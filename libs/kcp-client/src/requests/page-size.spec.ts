import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterFitting, afterTooLarge, firstPageSize } from './page-size.js';

const MAX_BYTES = 4_000_000;
/** More than any list here has. */
const MOST_PAGES = 10_000;

/** Reads objects of these sizes page by page, as a server would send them. */
function read(sizes: readonly number[], most: number, fitting?: number): { asked: readonly number[]; tooLarge: number; isWhole: boolean } {
  const asked: number[] = [];
  let [size, at, tooLarge] = [firstPageSize(most, fitting), 0, 0];
  for (;;) {
    asked.push(size.limit);
    if (asked.length > MOST_PAGES) throw new Error('the list has no end');
    const page = sizes.slice(at, at + size.limit);
    const bytes = page.reduce((sum, each) => sum + each, 1);
    if (bytes > MAX_BYTES) {
      const smaller = afterTooLarge(size);
      if (smaller === undefined) return { asked, tooLarge, isWhole: false };
      tooLarge += 1;
      size = smaller;
      continue;
    }
    at += page.length;
    if (at >= sizes.length) return { asked, tooLarge, isWhole: true };
    size = afterFitting(size, { bytes, maxBytes: MAX_BYTES });
  }
}

describe('the size of pages', () => {
  it.each([
    { given: 'objects of which all fit', sizes: Array<number>(2_500).fill(1_000), expected: [1_000, 1_000, 1_000] },
    {
      given: 'objects of which just as many fit as are asked for',
      sizes: Array<number>(2_500).fill(3_900),
      expected: [1_000, 1_000, 1_000],
    },
    { given: "four objects near etcd's limit", sizes: Array<number>(4).fill(1_400_000), expected: [1_000, 1, 2, 2] },
    { given: 'objects of 10 KB', sizes: Array<number>(1_000).fill(10_000), expected: [1_000, 1, 250, 299, 299, 299] },
    {
      given: 'objects of which some are larger',
      sizes: [...Array<number>(6).fill(1_400_000), 10, 10, 10],
      expected: [1_000, 1, 2, 2, 2, 4],
    },
    {
      given: 'a first object that is smaller than the others',
      sizes: [100, ...Array<number>(4).fill(1_400_000)],
      expected: [1_000, 1, 250, 1, 2, 2],
    },
    {
      given: 'many small objects behind large ones, then more again are asked for',
      sizes: [...Array<number>(4).fill(1_400_000), ...Array<number>(4_000).fill(100)],
      expected: [1_000, 1, 2, 2, 4, 250, 500, 1_000, 1_000, 1_000, 1_000],
    },
    {
      given: 'many small objects before large ones, then few pages are thrown away at their border',
      sizes: [...Array<number>(1_200).fill(100), ...Array<number>(4).fill(1_400_000)],
      expected: [1_000, 1_000, 1, 250, 1, 63, 126, 252, 1, 63, 1, 16, 1, 4, 8, 1, 2, 4, 1, 2],
    },
    { given: 'an object that is too large by itself', sizes: [MAX_BYTES + 1], expected: [1_000, 1] },
  ])('given $given, then pages of these sizes are asked for', ({ sizes, expected }) => {
    expect(read(sizes, 1_000).asked).toEqual(expected);
  });

  it.each([
    { given: "four objects near etcd's limit", sizes: Array<number>(4).fill(1_400_000), expected: [2, 2] },
    { given: 'many small objects', sizes: Array<number>(3_000).fill(100), expected: [2, 1_000, 1_000, 1_000] },
  ])('given $given of which two are known to fit, then pages of these sizes are asked for', ({ sizes, expected }) => {
    expect(read(sizes, 1_000, 2).asked).toEqual(expected);
  });

  it('given objects of any sizes, then each is read, and not many pages are thrown away', () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 1_500_000 })), { maxLength: 300 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 1_000 }), (some, most) => {
        const { asked, tooLarge, isWhole } = read(some, most);

        expect(isWhole).toBe(true);
        expect(tooLarge).toBeLessThanOrEqual(Math.ceil(asked.length / 2));
      }),
    );
  });
});
