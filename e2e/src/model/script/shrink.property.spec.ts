import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shrink } from './shrink.js';

const forEver = (): boolean => true;

describe(shrink, () => {
  it('finds exactly the items that it takes, wherever they are', async () => {
    const cases = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cases, async (needed) => {
        const items = Array.from({ length: 31 }, (_, n) => n);
        const fails = (some: readonly number[]): Promise<boolean> => Promise.resolve(needed.every((each) => some.includes(each)));

        expect(await shrink(items, { fails, goesOn: forEver })).toEqual([...needed].sort((one, other) => one - other));
      }),
    );
  });

  it('leaves a part that fails, and of which nothing can be left out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 }), async (items) => {
        // Fails where at least half of what it began with adds up: many different parts do.
        const total = items.reduce((sum, each) => sum + each, 0);
        const isEnough = (some: readonly number[]): boolean => some.reduce((sum, each) => sum + each, 0) * 2 >= total;
        const left = await shrink(items, { fails: (some) => Promise.resolve(isEnough(some)), goesOn: forEver });

        expect(isEnough(left)).toBe(true);
        expect(left.some((_, n) => isEnough(left.filter((__, other) => other !== n)))).toBe(false);
      }),
    );
  });

  it('given no time, then it leaves all of it', async () => {
    expect(await shrink([1, 2, 3], { fails: () => Promise.resolve(true), goesOn: () => false })).toEqual([1, 2, 3]);
  });
});
