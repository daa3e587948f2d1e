import { describe, expect, it } from '@jest/globals';
import { chooseIdentities } from './identities.js';
import { apiObjects, OWN_LABELS, planBootstrap, planned, tokenSecretOf, typeOfKind, type PlannedObject } from './plan-bootstrap.js';

const accounts = chooseIdentities({ controllerUser: undefined, webhookUser: undefined });
const users = chooseIdentities({ controllerUser: 'c', webhookUser: 'w' });
const namesOf = (some: readonly PlannedObject[]) => some.map(({ object: { kind = '', metadata } }) => `${kind} ${metadata.name ?? ''}`);

describe(planBootstrap, () => {
  it('given ServiceAccounts, then each is made with its Secret before the rights that name it', () => {
    const { home } = planBootstrap(accounts, 'abc');

    expect(home.slice(0, 2).map(({ object }) => object)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'dep-ctrl-controller', namespace: 'default', labels: OWN_LABELS },
      },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/service-account-token',
        metadata: {
          name: 'dep-ctrl-controller-token',
          namespace: 'default',
          labels: OWN_LABELS,
          annotations: { 'kubernetes.io/service-account.name': 'dep-ctrl-controller' },
        },
      },
    ]);
    expect(namesOf(home)).toEqual(
      expect.arrayContaining(['ServiceAccount dep-ctrl-webhook', 'Secret dep-ctrl-all-token', 'ClusterRole dep-ctrl:webhook']),
    );
  });

  it('given users, then no ServiceAccount is made', () => {
    expect(namesOf(planBootstrap(users, 'abc').home).filter((each) => each.startsWith('ServiceAccount '))).toEqual([]);
  });

  it('given the logical cluster of dep-ctrl, then the rights on shards are named after it and are those of its ServiceAccounts', () => {
    const { shard, readerRole } = planBootstrap(accounts, 'abc');

    expect(readerRole).toMatch(/abc/);
    for (const { object } of shard) expect(object.metadata.name).toMatch(/abc/);
    expect(JSON.stringify(shard)).toContain('system:kcp:serviceaccount:abc:default:dep-ctrl-webhook');
    expect(namesOf(shard)).toContain(`ClusterRoleBinding ${readerRole}`);
  });

  it('given the ordered teardown and the protection, then their objects are of the types that kcp has for them', () => {
    const { teardown, protection } = planBootstrap(users, 'abc');
    const kinds = (some: readonly PlannedObject[]) => [...new Set(some.map(({ object }) => object.kind))].sort();

    expect(kinds(teardown)).toEqual(['ClusterRole', 'ClusterRoleBinding']);
    expect(kinds(protection)).toEqual(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
    expect(JSON.stringify(protection)).toContain('abc');
  });

  it('given all of it, then the schemas come before the export, and each object has our label', () => {
    const { api, home, shard, teardown, protection } = planBootstrap(accounts, 'abc');

    expect(api).toEqual(apiObjects());
    expect(api.map(({ object }) => object.kind)).toEqual(['APIResourceSchema', 'APIResourceSchema', 'APIExport']);
    for (const { object } of [...api, ...home, ...shard, ...teardown, ...protection])
      expect(object.metadata.labels).toMatchObject(OWN_LABELS);
  });
});

describe(typeOfKind, () => {
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };

  it.each([
    { kind: 'APIResourceSchema', expected: { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' } },
    { kind: 'APIExport', expected: { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' } },
    { kind: 'ClusterRole', expected: { ...rbac, resource: 'clusterroles' } },
    { kind: 'ClusterRoleBinding', expected: { ...rbac, resource: 'clusterrolebindings' } },
    { kind: 'Role', expected: { ...rbac, resource: 'roles' } },
    { kind: 'RoleBinding', expected: { ...rbac, resource: 'rolebindings' } },
    { kind: 'ServiceAccount', expected: { group: '', version: 'v1', resource: 'serviceaccounts' } },
    { kind: 'Secret', expected: { group: '', version: 'v1', resource: 'secrets' } },
    { kind: 'WorkspaceType', expected: { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' } },
  ])('given the kind $kind, then requests name its type', ({ kind, expected }) => {
    expect(typeOfKind(kind)).toEqual(expected);
  });

  it.each(['Pod', undefined])('given an object of kind %s, then no request is made for it', (kind) => {
    expect(() => typeOfKind(kind)).toThrow(`no request is known for objects of kind "${kind ?? ''}"`);
  });
});

it('given an object with a label, then our label is beside it', () => {
  const object = { kind: 'Secret', metadata: { name: 'a', labels: { theirs: 'kept' } } };

  expect(planned(object)).toEqual({
    type: { group: '', version: 'v1', resource: 'secrets' },
    object: { kind: 'Secret', metadata: { name: 'a', labels: { theirs: 'kept', ...OWN_LABELS } } },
  });
});

it('given a ServiceAccount, then its token is in a Secret that is named after it', () => {
  expect(tokenSecretOf('a')).toBe('a-token');
});
