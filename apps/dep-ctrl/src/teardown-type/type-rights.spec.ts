import { describe, expect, it } from '@jest/globals';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { followersIn } from './type-rights.js';

const home = logicalCluster('home');

describe(followersIn, () => {
  it.each([
    {
      given: 'a user',
      subject: { kind: 'User', name: 'c' },
      expected: { name: 'User c', asked: { user: 'c', groups: ['system:authenticated'] } },
    },
    {
      given: 'a group',
      subject: { kind: 'Group', name: 'operators' },
      expected: { name: 'Group operators', asked: { groups: ['operators', 'system:authenticated'] } },
    },
    {
      given: 'a ServiceAccount',
      subject: { kind: 'ServiceAccount', name: 'c', namespace: 'default' },
      expected: {
        name: 'ServiceAccount c',
        asked: {
          user: 'system:serviceaccount:default:c',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
          extra: { 'authentication.kcp.io/cluster-name': ['home'] },
        },
      },
    },
  ])('given $given, then kcp is asked about it as it knows it in its own workspace', ({ subject, expected }) => {
    expect(followersIn({ metadata: { name: 'a' }, subjects: [subject] }, home)).toEqual([expected]);
  });

  it('given a binding that names nobody, then nobody', () => {
    expect(followersIn({ metadata: { name: 'a' } }, home)).toEqual([]);
  });
});
