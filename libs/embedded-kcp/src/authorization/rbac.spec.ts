import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { effectiveUsers, isLocalServiceAccount } from '../authentication/effective-users.js';
import { ruleAllows } from './rbac.js';

const cluster = (name: string): LogicalClusterName => name as LogicalClusterName;

describe(ruleAllows, () => {
  const get = { kind: 'resource', verb: 'get', group: 'x.io', resource: 'things', name: 't' } as const;

  it.each([
    { given: 'everything', rule: { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, wanted: get, expected: true },
    { given: 'the right words', rule: { verbs: ['get'], apiGroups: ['x.io'], resources: ['things'] }, wanted: get, expected: true },
    { given: 'another verb', rule: { verbs: ['list'], apiGroups: ['x.io'], resources: ['things'] }, wanted: get, expected: false },
    { given: 'another group', rule: { verbs: ['get'], apiGroups: [''], resources: ['things'] }, wanted: get, expected: false },
    {
      given: 'another name',
      rule: { verbs: ['get'], apiGroups: ['x.io'], resources: ['things'], resourceNames: ['u'] },
      wanted: get,
      expected: false,
    },
    {
      given: 'the resource without its subresource',
      rule: { verbs: ['get'], apiGroups: ['x.io'], resources: ['things'] },
      wanted: { ...get, subresource: 'status' },
      expected: false,
    },
    {
      given: 'the subresource of everything',
      rule: { verbs: ['get'], apiGroups: ['x.io'], resources: ['*/status'] },
      wanted: { ...get, subresource: 'status' },
      expected: true,
    },
    {
      given: 'access on /',
      rule: { verbs: ['access'], nonResourceURLs: ['/'] },
      wanted: { kind: 'path', verb: 'access', path: '/' },
      expected: true,
    },
    {
      given: 'paths below one',
      rule: { verbs: ['get'], nonResourceURLs: ['/apis/*'] },
      wanted: { kind: 'path', verb: 'get', path: '/apis/x.io' },
      expected: true,
    },
    {
      given: 'resources only',
      rule: { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      wanted: { kind: 'path', verb: 'get', path: '/' },
      expected: false,
    },
  ] as const)('given $given, then $expected', ({ rule, wanted, expected }) => {
    expect(ruleAllows(rule, wanted)).toBe(expected);
  });
});

describe(effectiveUsers, () => {
  const account = {
    username: 'system:serviceaccount:ns:x',
    groups: ['system:serviceaccounts', 'system:authenticated'],
    extra: { 'authentication.kcp.io/cluster-name': ['home'] },
  };

  it('given a ServiceAccount at home, then it is itself', () => {
    expect(effectiveUsers(account, cluster('home'))).toEqual([account]);
    expect(isLocalServiceAccount(account, cluster('home'))).toBe(true);
  });

  it('given a ServiceAccount elsewhere, then it has its global name and none of its groups', () => {
    expect(effectiveUsers(account, cluster('away'))).toEqual([
      { username: 'system:kcp:serviceaccount:home:ns:x', groups: ['system:authenticated', 'system:cluster:home'] },
    ]);
    expect(isLocalServiceAccount(account, cluster('away'))).toBe(false);
  });

  it.each([
    ['cluster:a', 'alice'],
    ['cluster:a,cluster:b', 'alice'],
    ['cluster:b', 'system:anonymous'],
  ])('given the scope %s in cluster a, then the user is %s', (scope, expected) => {
    const user = { username: 'alice', groups: [], extra: { 'authentication.kcp.io/scopes': [scope] } };

    expect(effectiveUsers(user, cluster('a'))[0]?.username).toBe(expected);
  });

  it('given a warrant, then its user counts as well', () => {
    const warrant = JSON.stringify({ user: 'kcp', groups: ['system:kcp:admin'] });
    const user = { username: 'alice', groups: [], extra: { 'authorization.kcp.io/warrant': [warrant, 'garbage'] } };

    expect(effectiveUsers(user, cluster('a')).map(({ username }) => username)).toEqual(['alice', 'kcp']);
  });
});
