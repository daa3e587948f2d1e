import { describe, expect, it } from '@jest/globals';
import {
  isOwnType,
  TEARDOWN_ACCESS,
  teardownAccessIn,
  teardownEntry,
  teardownPermissions,
  teardownType,
  terminatingUrls,
} from './teardown-type.js';

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

describe(teardownType, () => {
  const type = teardownType({ kind: 'listed', types: [VPCS] });

  it('given what may be deleted, then workspaces of the type wait at their end, and can be used without a type of their own', () => {
    expect(type).toEqual({
      apiVersion: 'tenancy.kcp.io/v1alpha1',
      kind: 'WorkspaceType',
      metadata: { name: 'dependency-ordered', labels: { 'app.kubernetes.io/managed-by': 'dep-ctrl' } },
      spec: {
        terminator: true,
        extend: { with: [{ name: 'universal', path: 'root' }] },
        terminatorPermissions: teardownPermissions({ kind: 'listed', types: [VPCS] }),
      },
    });
    expect(teardownEntry('home1')).toBe('home1:dependency-ordered');
  });

  it('given the type as it was made, then it is known as its own and its permissions can be changed; another one is not', () => {
    const { kind, name, holding } = TEARDOWN_ACCESS;

    expect([kind, name, holding({ kind: 'listed', types: [VPCS] })]).toEqual(['WorkspaceType', 'dependency-ordered', type]);
    expect([isOwnType(type), isOwnType({ metadata: { labels: { a: 'b' } } }), isOwnType({ metadata: {} })]).toEqual([true, false, false]);
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

  it('given what has no address, then none', () => {
    const virtualWorkspaces = [null, 7, { type: 'terminating' }, { type: 'terminating', url: 7 }];

    expect(terminatingUrls({ metadata: { name: 'a' }, status: { virtualWorkspaces } })).toEqual([]);
  });

  it('given a type of a moment ago, then none', () => {
    expect(terminatingUrls({ metadata: { name: 'a' } })).toEqual([]);
  });
});
