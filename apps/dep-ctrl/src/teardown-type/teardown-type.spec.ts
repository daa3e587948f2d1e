import { describe, expect, it } from '@jest/globals';
import { teardownAccessIn, teardownPermissions, teardownType, terminatingUrls } from './teardown-type.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const SUBNETS = { group: 'network.example.com', resource: 'subnets' };
const VMS = { group: 'compute.example.com', resource: 'virtualmachines' };
const BINDINGS = { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['get', 'list'] };

describe(teardownPermissions, () => {
  const clearing = (group: string, ...resources: readonly string[]): object => ({
    apiGroups: [group],
    resources,
    verbs: ['get', 'list', 'delete', 'patch'],
  });

  it.each([
    { given: 'nothing bound', access: { kind: 'listed', types: [] }, expected: [BINDINGS] },
    {
      given: 'types of two providers',
      access: { kind: 'listed', types: [VPCS, VMS, SUBNETS] },
      expected: [BINDINGS, clearing(VMS.group, VMS.resource), clearing(VPCS.group, SUBNETS.resource, VPCS.resource)],
    },
    { given: 'everything, which no rule ever says', access: { kind: 'wildcard' }, expected: [BINDINGS] },
  ] as const)('given $given, then each type is named, and nothing else may be touched', ({ access, expected }) => {
    expect(teardownPermissions(access)).toEqual(expected);
  });
});

describe(teardownAccessIn, () => {
  it('given the type as it was made, then it is what it was made for', () => {
    const access = { kind: 'listed', types: [VMS, VPCS] } as const;

    expect(teardownAccessIn(teardownType(access))).toEqual(access);
  });

  it('given a type without permissions, then nothing', () => {
    expect(teardownAccessIn({ metadata: { name: 'a' }, spec: { terminator: true } })).toEqual({ kind: 'listed', types: [] });
  });
});

describe(terminatingUrls, () => {
  it('given both kinds of each shard, then those of dying workspaces', () => {
    const virtualWorkspaces = ['initializing', 'terminating'].map((type) => ({
      type,
      url: `https://shard/services/${type}workspaces/a:b`,
    }));

    expect(terminatingUrls({ metadata: { name: 'a' }, status: { virtualWorkspaces } })).toEqual([
      'https://shard/services/terminatingworkspaces/a:b',
    ]);
  });

  it('given a type of a moment ago, then none', () => {
    expect(terminatingUrls({ metadata: { name: 'a' } })).toEqual([]);
  });
});
