import { describe, expect, it } from '@jest/globals';
import { ReadyKeys } from './ready-keys.js';

const always = (): boolean => true;

/** Keys as `group/name`. */
function ready(...keys: readonly string[]): ReadyKeys<string> {
  const made = new ReadyKeys<string>((key) => key.split('/')[0] ?? '');
  for (const key of keys) made.add(key);
  return made;
}

describe(ReadyKeys, () => {
  it('given keys of two groups, then the groups take turns, and the keys of one keep their order', () => {
    const keys = ready('a/1', 'a/2', 'a/3', 'b/1', 'b/2');

    const taken = Array.from({ length: 6 }, () => keys.take(always, always));

    expect(taken).toEqual(['a/1', 'b/1', 'a/2', 'b/2', 'a/3', undefined]);
  });

  it('given a key that is added again, then it is there once, in its old place', () => {
    const keys = ready('a/1', 'a/2', 'a/1');

    expect([keys.size, [...keys]]).toEqual([2, ['a/1', 'a/2']]);
    expect([keys.has('a/1'), keys.has('a/3'), keys.has('b/1')]).toEqual([true, false, false]);
  });

  it('given a key that was taken, then it is not there any more, and can come again', () => {
    const keys = ready('a/1');

    keys.take(always, always);
    expect([keys.size, keys.has('a/1'), [...keys]]).toEqual([0, false, []]);
    keys.add('a/1');

    expect([keys.size, keys.take(always, always)]).toEqual([1, 'a/1']);
  });

  it('given a group without a key, then it has no turn until it has one again', () => {
    const keys = ready('a/1', 'b/1');

    keys.take(always, always);
    keys.add('c/1');
    keys.add('a/2');

    expect([...keys]).toEqual(['b/1', 'c/1', 'a/2']);
  });

  it('given a key that may not run now, then the next one is taken and it stays', () => {
    const keys = ready('a/1', 'a/2');

    expect(keys.take((key) => key !== 'a/1', always)).toBe('a/2');
    expect([[...keys], keys.size]).toEqual([['a/1'], 1]);
    expect(keys.take(() => false, always)).toBeUndefined();
  });

  it('given a group that is closed, then another group is taken from, and the turn of the closed one stays', () => {
    const keys = ready('a/1', 'b/1', 'b/2');

    expect(keys.take(always, (group) => group !== 'a')).toBe('b/1');
    expect(keys.take(always, always)).toBe('a/1');
  });
});
