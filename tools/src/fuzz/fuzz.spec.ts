import { describe, expect, it } from '@jest/globals';
import { Chance } from './chance.js';
import { fuzz, TARGETS } from './fuzz.js';
import { mutate } from './mutate.js';

describe(fuzz, () => {
  it.each(Object.keys(TARGETS))('given 500 bad inputs for %s, then every promise is kept', async (name) => {
    expect(await fuzz({ names: [name], seed: 1, seconds: 0 })).toEqual(new Map([[name, 500]]));
  });

  it('given a target that breaks its promise, then the failure says how to repeat it', async () => {
    const broken = { ...TARGETS, review: () => Promise.reject(new Error('let through')) };

    await expect(fuzz({ names: ['review'], seed: 7, seconds: 0, targets: broken })).rejects.toThrow(
      'review broke its promise, repeat it by: npm run fuzz -- --only review --seed 7 --seconds 0',
    );
  });
});

describe(mutate, () => {
  it('given the same seed, then the same input', () => {
    const value = { a: [1, { b: 'c' }], d: null };

    expect(mutate(value, new Chance(5))).toEqual(mutate(value, new Chance(5)));
  });
});
