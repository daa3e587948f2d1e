import { describe, expect, it } from '@jest/globals';
import { resourceOf } from './guard-entries.js';

describe(resourceOf, () => {
  it.each([
    { resource: 'vpcs.network.example.com', expected: { group: 'network.example.com', resource: 'vpcs' } },
    { resource: 'configmaps', expected: { group: '', resource: 'configmaps' } },
  ])('given $resource, then it is $expected', ({ resource, expected }) => {
    expect(resourceOf({ resource })).toEqual(expected);
  });
});
