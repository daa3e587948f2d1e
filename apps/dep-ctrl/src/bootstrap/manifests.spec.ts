import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { OWN_SECRETS, homeManifests, readerManifests, resolverManifests, type RoleSubjects } from './manifests.js';

const nobody: RoleSubjects = { controller: [], webhook: [], ownSecrets: [] };
const subjects: RoleSubjects = {
  controller: [{ kind: 'User', name: 'c' }],
  webhook: [{ kind: 'ServiceAccount', name: 'w', namespace: 'default' }],
  ownSecrets: [],
};

describe(homeManifests, () => {
  it('given nobody, then there are roles to grant and no bindings', () => {
    expect(kinds(homeManifests(nobody))).toEqual(['ClusterRole', 'ClusterRole', 'ClusterRole', 'Role', 'Role', 'Secret', 'Secret']);
  });

  it('given a user and a ServiceAccount, then each is bound the way RBAC names it', () => {
    const bindings = homeManifests(subjects).filter((object) => object.kind === 'ClusterRoleBinding');

    expect(bindings.map((binding) => binding['subjects'])).toEqual([
      [{ kind: 'User', name: 'c', apiGroup: 'rbac.authorization.k8s.io' }],
      [{ kind: 'ServiceAccount', name: 'w', namespace: 'default' }],
    ]);
  });

  it('given the webhook, then it may only read the content of the export', () => {
    const webhook = homeManifests(subjects).find((object) => object.kind === 'ClusterRole' && object.metadata.name === 'dep-ctrl:webhook');

    expect(verbs(webhook)).toEqual(['access', 'get', 'list', 'watch']);
  });

  it('given the Secrets, then nobody may create or list any', () => {
    const secrets = homeManifests(subjects).find((object) => object.metadata.name === 'dep-ctrl:own-secrets');

    expect(secrets?.['rules']).toEqual([{ apiGroups: [''], resources: ['secrets'], resourceNames: OWN_SECRETS, verbs: ['get', 'update'] }]);
  });
});

describe(readerManifests, () => {
  it('given the wildcard, then everything may be read and nothing written', () => {
    const [role] = readerManifests(subjects, { kind: 'wildcard' });

    expect(role?.['rules']).toEqual([
      { nonResourceURLs: ['/'], verbs: ['access'] },
      { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
    ]);
  });

  it('given types, then only they, bindings and schemas may be read, sorted and once', () => {
    const vms = { group: 'b.io', resource: 'vms' };
    const [role] = readerManifests(subjects, {
      kind: 'listed',
      types: [vms, { group: 'a.io', resource: 'disks' }, { group: 'b.io', resource: 'nets' }, vms],
    });

    expect(role?.['rules']).toEqual([
      { nonResourceURLs: ['/'], verbs: ['access'] },
      { apiGroups: ['apis.kcp.io'], resources: ['apibindings', 'apiresourceschemas'], verbs: ['get', 'list'] },
      { apiGroups: ['a.io'], resources: ['disks'], verbs: ['get', 'list'] },
      { apiGroups: ['b.io'], resources: ['nets', 'vms'], verbs: ['get', 'list'] },
    ]);
  });
});

describe(resolverManifests, () => {
  it('given the controller, then it may read and enter, and nothing is granted to the webhook', () => {
    const [role, binding, ...others] = resolverManifests(subjects);

    expect(verbs(role)).toEqual(['access', 'get', 'list', 'watch']);
    expect(binding?.['subjects']).toEqual([{ kind: 'User', name: 'c', apiGroup: 'rbac.authorization.k8s.io' }]);
    expect(others).toEqual([]);
  });
});

function kinds(objects: readonly KubeObject[]): readonly (string | undefined)[] {
  return objects.map((object) => object.kind);
}

function verbs(role: KubeObject | undefined): readonly string[] {
  const rules = role?.['rules'] as readonly { readonly verbs: readonly string[] }[];
  return [...new Set(rules.flatMap((rule) => rule.verbs))].toSorted();
}
