import { describe, expect, it } from '@jest/globals';
import { isLeftByOriginal } from './adopt-original.js';

const original = { name: 'dependency-controller.dependencies.opendefense.cloud', rules: [{ operations: ['DELETE'], resources: ['vpcs'] }] };

describe(isLeftByOriginal, () => {
  it.each<{ given: string; webhooks: unknown; expected: boolean }>([
    { given: 'its one entry', webhooks: [original], expected: true },
    { given: 'no entries', webhooks: [], expected: false },
    { given: 'no list', webhooks: undefined, expected: false },
    { given: 'another name', webhooks: [{ ...original, name: 'x.example.com' }], expected: false },
    { given: 'a second entry of somebody', webhooks: [original, { ...original, name: 'x.example.com' }], expected: false },
    { given: 'updates too', webhooks: [{ ...original, rules: [{ operations: ['DELETE', 'UPDATE'] }] }], expected: false },
    { given: 'any operation', webhooks: [{ ...original, rules: [{ operations: ['*'] }] }], expected: false },
    {
      given: 'updates in a second rule',
      webhooks: [{ ...original, rules: [{ operations: ['DELETE'] }, { operations: ['UPDATE'] }] }],
      expected: false,
    },
    { given: 'a rule that is none', webhooks: [{ ...original, rules: [null] }], expected: false },
    { given: 'no rules', webhooks: [{ ...original, rules: [] }], expected: false },
    { given: 'garbage', webhooks: [null, 7], expected: false },
  ])('given $given, then it is $expected', ({ webhooks, expected }) => {
    expect(isLeftByOriginal({ metadata: {}, webhooks })).toBe(expected);
  });
});
