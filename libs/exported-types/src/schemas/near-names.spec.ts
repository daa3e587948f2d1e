import { describe, expect, it } from '@jest/globals';
import { printNear } from './near-names.js';

describe(printNear, () => {
  it.each([
    { given: 'nothing', names: [], expected: 'nothing' },
    { given: 'one name', names: ['cores'], expected: 'cores' },
    { given: 'a typo among others', names: ['cores', 'image', 'vpcRef'], expected: 'vpcRef, cores, image' },
    { given: 'another case', names: ['abcdef', 'VPCREFF'], expected: 'VPCREFF, abcdef' },
    { given: 'the same name twice', names: ['cores', 'cores'], expected: 'cores' },
    { given: 'more than five', names: ['a', 'b', 'c', 'd', 'e', 'vpcRef', 'f'], expected: 'vpcRef, c, e, f, a and 2 more' },
  ])('given $given, then $expected', ({ names, expected }) => {
    expect(printNear(names, 'vpcReff')).toBe(expected);
  });

  it('given as many names as a schema has room for, then the one with a typo is still found', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `some-field-of-another-length-${String(at)}`);

    expect(printNear([...names, 'vpcRef'], 'vpcReff')).toMatch(/^vpcRef, .* and 19996 more$/);
  });

  it('given names as long as kcp takes, then the text fits into a condition ten times', () => {
    const names = Array.from({ length: 10 }, (_, at) => `${String(at)}${'x'.repeat(252)}`);

    expect(printNear(names, 'x').length).toBeLessThan(1_100);
  });
});
