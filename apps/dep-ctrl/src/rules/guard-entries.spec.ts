import { describe, expect, it } from '@jest/globals';
import { guardEntries, resourceOf } from './guard-entries.js';
import { entry, guard } from './spec-support/objects.js';

describe(guardEntries, () => {
  it('given a status with entries and garbage between them, then the entries are read', () => {
    const { object } = guard();
    const versioned = entry({ uid: 'u', generation: 2 });
    const garbage = [
      null,
      {},
      { ...entry(), cluster: 'A/B' },
      { ...entry(), enforcement: 'Maybe' },
      { ...versioned, uid: 7 },
      { ...versioned, generation: '2' },
    ];

    expect(guardEntries({ ...object, status: { rules: [entry(), ...garbage, versioned] } })).toEqual([entry(), versioned]);
  });

  it.each([undefined, null, 7, {}, { rules: 'x' }])('given status %j, then there are none', (status) => {
    expect(guardEntries({ metadata: {}, status })).toEqual([]);
  });
});

describe(resourceOf, () => {
  it.each([
    ['vpcs.network.example.com', { resource: 'vpcs', group: 'network.example.com' }],
    ['secrets', { resource: 'secrets', group: '' }],
  ])('given %s, then the first dot parts resource and group', (resource, expected) => {
    expect(resourceOf(entry({ resource }))).toEqual(expected);
  });
});
