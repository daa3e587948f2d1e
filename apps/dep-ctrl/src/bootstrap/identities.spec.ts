import { describe, expect, it } from '@jest/globals';
import { chooseIdentities, foreignSubjects, homeSubjects, serviceAccounts } from './identities.js';

const user = (name: string) => ({ kind: 'User', name });
const account = (name: string) => ({ kind: 'ServiceAccount', name, namespace: 'default' });

describe(chooseIdentities, () => {
  it.each([
    {
      given: 'no user',
      users: { controllerUser: undefined, webhookUser: undefined },
      accounts: ['dep-ctrl-controller', 'dep-ctrl-webhook', 'dep-ctrl-all'],
      home: {
        controller: [account('dep-ctrl-controller'), account('dep-ctrl-all')],
        webhook: [account('dep-ctrl-webhook'), account('dep-ctrl-all')],
        ownSecrets: [account('dep-ctrl-all')],
      },
    },
    {
      given: 'two users',
      users: { controllerUser: 'c', webhookUser: 'w' },
      accounts: [],
      home: { controller: [user('c')], webhook: [user('w')], ownSecrets: [] },
    },
    {
      given: 'one user for both',
      users: { controllerUser: 'u', webhookUser: 'u' },
      accounts: [],
      home: { controller: [user('u')], webhook: [user('u')], ownSecrets: [user('u')] },
    },
    {
      given: 'a user for the webhook only',
      users: { controllerUser: undefined, webhookUser: 'w' },
      accounts: ['dep-ctrl-controller'],
      home: { controller: [account('dep-ctrl-controller')], webhook: [user('w')], ownSecrets: [] },
    },
  ])('given $given, then each role is bound to whom it should be', ({ users, accounts, home }) => {
    const identities = chooseIdentities(users);

    expect(serviceAccounts(identities)).toEqual(accounts);
    expect(homeSubjects(identities)).toEqual(home);
  });
});

describe(foreignSubjects, () => {
  it('given a ServiceAccount, then other workspaces know it as a user with its cluster in the name', () => {
    const { webhook } = foreignSubjects(chooseIdentities({ controllerUser: 'c', webhookUser: undefined }), 'abc');

    expect(webhook).toEqual([user('system:kcp:serviceaccount:abc:default:dep-ctrl-webhook')]);
  });
});
