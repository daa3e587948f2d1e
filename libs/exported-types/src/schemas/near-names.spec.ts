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

  it('given as many names as are compared at most, then one that differs much comes before those that differ more', () => {
    const names = Array.from({ length: 63 }, (_, at) => `some-field-of-another-length-${String(at)}`);

    expect(printNear([...names, 'vpcReferences'], 'vpcReff')).toMatch(/^vpcReferences, .* and 59 more$/);
  });

  it.each([
    { given: 'a name that lacks as much as a typo leaves out', name: 'vpcR', expected: /^vpcR, (some-field-.*, ){3}some-field-/ },
    { given: 'a name that lacks more', name: 'vpc', expected: /^some-field-/ },
  ])('given $given behind very many others, then it comes first only if it may be a typo', ({ name, expected }) => {
    const names = Array.from({ length: 64 }, (_, at) => `some-field-of-another-length-${String(at)}`);

    expect(printNear([...names, name], 'vpcReff')).toMatch(expected);
  });

  it('given a typo in front of very many others, then it is told once', () => {
    const names = Array.from({ length: 64 }, (_, at) => `some-field-of-another-length-${String(at)}`);

    expect(printNear(['vpcRef', ...names], 'vpcReff')).toMatch(/^vpcRef, (some-field-[^,]*(, )?){4} and 60 more$/);
  });

  it('given very many names that are about as long, then only the first of them are compared, which bounds the time', () => {
    const names = Array.from({ length: 64 }, (_, at) => `field-${String(at)}`);

    expect(printNear([...names, 'vpcRef'], 'vpcReff')).not.toContain('vpcRef');
  });

  it('given names as long as kcp takes, then the text fits into a condition ten times', () => {
    const names = Array.from({ length: 10 }, (_, at) => `${String(at)}${'x'.repeat(252)}`);

    expect(printNear(names, 'x').length).toBeLessThan(1_100);
  });
});
