import { describe, expect, it } from '@jest/globals';
import { listedTypes, mergeTypes, readAccessIn, readRules, typesWithout, type ReadAccess } from './read-rules.js';

const VMS = { group: 'b.io', resource: 'vms' };
const NETS = { group: 'b.io', resource: 'nets' };
const DISKS = { group: 'a.io', resource: 'disks' };
const ENTER = { nonResourceURLs: ['/'], verbs: ['access'] };
const ALWAYS = [
  ENTER,
  { apiGroups: ['apis.kcp.io'], resources: ['apibindings', 'apiexports', 'apiresourceschemas'], verbs: ['get', 'list'] },
  { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] },
];

describe(readRules, () => {
  it.each<{ given: string; access: ReadAccess; expected: readonly object[] }>([
    {
      given: 'the wildcard, then everything may be read and nothing written',
      access: { kind: 'wildcard' },
      expected: [ENTER, { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
    },
    { given: 'no types, then only what kcp says about itself', access: { kind: 'listed', types: [] }, expected: ALWAYS },
    {
      given: 'types, then they too, sorted and once',
      access: { kind: 'listed', types: [VMS, DISKS, NETS, VMS] },
      expected: [
        ...ALWAYS,
        { apiGroups: ['a.io'], resources: ['disks'], verbs: ['get', 'list'] },
        { apiGroups: ['b.io'], resources: ['nets', 'vms'], verbs: ['get', 'list'] },
      ],
    },
  ])('given $given', ({ access, expected }) => {
    expect(readRules(access)).toEqual(expected);
  });
});

describe(readAccessIn, () => {
  const reading = (apiGroups: readonly string[], resources: readonly string[], more: object = {}): object => ({
    apiGroups,
    resources,
    verbs: ['get', 'list'],
    ...more,
  });

  it.each<{ given: string; rules: readonly object[] | undefined; expected: ReadAccess }>([
    { given: 'no rules', rules: undefined, expected: { kind: 'listed', types: [] } },
    { given: 'what is always read', rules: ALWAYS, expected: { kind: 'listed', types: [] } },
    {
      given: 'the list of an earlier version, which did not read exports and logical clusters',
      rules: [ENTER, reading(['apis.kcp.io'], ['apibindings', 'apiresourceschemas']), reading(['b.io'], ['vms'])],
      expected: { kind: 'listed', types: [VMS] },
    },
    { given: 'the wildcard', rules: [ENTER, reading(['*'], ['*'])], expected: { kind: 'wildcard' } },
    { given: 'the wildcard beside a list', rules: [reading(['b.io'], ['vms']), reading(['*'], ['*'])], expected: { kind: 'wildcard' } },
    { given: 'a wildcard with every verb', rules: [reading(['*'], ['*'], { verbs: ['*'] })], expected: { kind: 'wildcard' } },
    { given: 'a wildcard that may only get', rules: [reading(['*'], ['*'], { verbs: ['get'] })], expected: { kind: 'listed', types: [] } },
    {
      given: 'every type of one group, and one type of every group',
      rules: [reading(['b.io'], ['*']), reading(['*'], ['vms'])],
      expected: {
        kind: 'listed',
        types: [
          { group: '*', resource: 'vms' },
          { group: 'b.io', resource: '*' },
        ],
      },
    },
    {
      given: 'rules that lack groups or resources',
      rules: [{ verbs: ['*'] }, { apiGroups: ['*'], verbs: ['list'] }, { resources: ['*'], verbs: ['list'] }],
      expected: { kind: 'listed', types: [] },
    },
    {
      given: 'one rule for several groups and resources',
      rules: [reading(['a.io', 'b.io'], ['disks', 'vms'])],
      expected: { kind: 'listed', types: [DISKS, { group: 'a.io', resource: 'vms' }, { group: 'b.io', resource: 'disks' }, VMS] },
    },
    {
      given: 'single objects, and another type of a group that is always read',
      rules: [reading(['b.io'], ['vms'], { resourceNames: ['one'] }), reading(['core.kcp.io'], ['shards'])],
      expected: { kind: 'listed', types: [{ group: 'core.kcp.io', resource: 'shards' }] },
    },
  ])('given $given, then it says so', ({ rules, expected }) => {
    expect(readAccessIn({ metadata: { name: 'role' }, rules })).toEqual(expected);
  });
});

describe(listedTypes, () => {
  it.each<{ given: string; access: ReadAccess | undefined; expected: readonly object[] }>([
    { given: 'a list, then its types', access: { kind: 'listed', types: [VMS, DISKS] }, expected: [VMS, DISKS] },
    { given: 'the wildcard, then none', access: { kind: 'wildcard' }, expected: [] },
    { given: 'no access, then none', access: undefined, expected: [] },
  ])('given $given', ({ access, expected }) => {
    expect(listedTypes(access)).toEqual(expected);
  });
});

describe(mergeTypes, () => {
  it.each([
    { given: 'nothing', lists: [], expected: [] },
    { given: 'one list', lists: [[VMS, DISKS]], expected: [DISKS, VMS] },
    { given: 'the same type in two lists', lists: [[VMS], [VMS, NETS]], expected: [NETS, VMS] },
    {
      given: 'a group that begins as another does',
      lists: [[{ group: 'b.io-x', resource: 'vms' }], [VMS]],
      expected: [{ group: 'b.io-x', resource: 'vms' }, VMS],
    },
  ])('given $given, then each type is there once', ({ lists, expected }) => {
    expect(mergeTypes(...lists)).toEqual(expected);
  });
});

describe(typesWithout, () => {
  it('given types of which one is in the second list, then it is left out', () => {
    expect(typesWithout([VMS, DISKS, NETS], [DISKS, { group: 'a.io', resource: 'vms' }])).toEqual([VMS, NETS]);
  });
});
