import { describe, expect, it } from '@jest/globals';
import { extendsOurs } from './extending-types.js';

describe(extendsOurs, () => {
  const homes = new Set(['root:dep-ctrl', 'abc']);
  const universal = { name: 'universal', path: 'root' };

  it.each([
    {
      given: 'our type by the path of its workspace',
      extended: [universal, { name: 'dependency-ordered', path: 'root:dep-ctrl' }],
      expected: true,
    },
    { given: 'our type by the cluster of its workspace', extended: [{ name: 'dependency-ordered', path: 'abc' }], expected: true },
    { given: 'a type of another installation', extended: [{ name: 'dependency-ordered', path: 'root:other' }], expected: false },
    { given: 'another type of our workspace', extended: [{ name: 'other', path: 'root:dep-ctrl' }], expected: false },
    { given: 'no type', extended: undefined, expected: false },
    { given: 'what is no list', extended: 'dependency-ordered', expected: false },
  ])('given $given, then it is $expected', ({ extended, expected }) => {
    expect(extendsOurs({ metadata: { name: 'tenant' }, spec: { extend: { with: extended } } }, homes)).toBe(expected);
  });
});
