import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atMost } from './at-most.js';

/** Works on numbers; notes how many ran at a time. */
class Work {
  readonly done: number[] = [];
  most = 0;
  #running = 0;
  readonly run = async (item: number): Promise<void> => {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await Promise.resolve();
    this.#running -= 1;
    this.done.push(item);
  };
}

describe(atMost, () => {
  it('law: works on each item once, and never on more at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.nat({ max: 20 }), async (limit, count) => {
        const items = Array.from({ length: count }, (_each, index) => index);
        const work = new Work();

        await atMost(limit, items, work.run);

        expect(work.done.toSorted((a, b) => a - b)).toEqual(items);
        expect(work.most).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('given a failure, then what runs is awaited, nothing new is begun, and the failure is thrown', async () => {
    const work = new Work();
    const failing = (item: number) => (item === 0 ? Promise.reject(new Error('no')) : work.run(item));

    await expect(atMost(2, [0, 1, 2, 3], failing)).rejects.toThrow('no');

    expect(work.done).toEqual([1]);
  });

  it.each([
    { given: 'it is over before it begins', over: 0, expected: [] },
    { given: 'it is over after an item', over: 1, expected: [0, 1] },
  ])('given that $given, then nothing new is begun', async ({ over, expected }) => {
    const work = new Work();

    await atMost(2, [0, 1, 2, 3], work.run, () => work.done.length >= over);

    expect(work.done).toEqual(expected);
  });
});
