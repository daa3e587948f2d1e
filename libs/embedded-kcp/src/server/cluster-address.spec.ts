import { describe, expect, it } from '@jest/globals';
import { isPath, splitCluster } from './cluster-address.js';

describe(splitCluster, () => {
  const anybody = { username: 'me', groups: [] };
  const account = { ...anybody, extra: { 'authentication.kcp.io/cluster-name': ['2c7ohl4h8q1x0n9k'] } };
  it.each([
    { given: 'a cluster and more', path: '/clusters/root:a/api/v1', user: anybody, expected: { cluster: 'root:a', path: '/api/v1' } },
    { given: 'a cluster alone', path: '/clusters/root', user: anybody, expected: { cluster: 'root', path: '' } },
    { given: 'all clusters', path: '/clusters/*/apis', user: anybody, expected: { cluster: '*', path: '/apis' } },
    { given: 'no cluster', path: '/api/v1', user: anybody, expected: { cluster: '', path: '/api/v1' } },
    { given: 'a ServiceAccount', path: '/api/v1', user: account, expected: { cluster: '2c7ohl4h8q1x0n9k', path: '/api/v1' } },
    { given: 'a ServiceAccount elsewhere', path: '/clusters/root/api', user: account, expected: { cluster: 'root', path: '/api' } },
  ])('given $given, then cluster and path are told apart', ({ path, user, expected }) => {
    expect(splitCluster(path, user)).toEqual(expected);
  });
});

describe(isPath, () => {
  it.each([
    { text: 'root', expected: true },
    { text: 'root:team-a:2nd', expected: true },
    { text: 'root:', expected: false },
    { text: 'root:A', expected: false },
    { text: 'root/a', expected: false },
  ])('given $text, then it is one: $expected', ({ text, expected }) => {
    expect(isPath(text)).toBe(expected);
  });
});
