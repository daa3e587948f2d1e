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
  it('given the webhook, then a ClusterRole named after the installation reads, and the webhook alone is bound to it', () => {
    const [role, binding, ...others] = readerManifests(subjects, { kind: 'listed', types: [] }, 'home');

    expect(role?.metadata.name).toBe('dep-ctrl:read-dependents:home');
    expect(verbs(role)).toEqual(['access', 'get', 'list']);
    expect(binding).toMatchObject({ metadata: { name: 'dep-ctrl:read-dependents:home' }, subjects: subjects.webhook });
    expect(others).toEqual([]);
  });
});

describe(resolverManifests, () => {
  it('given the controller, then it may read, enter and ask, and nothing is granted to the webhook', () => {
    const [role, binding, ...others] = resolverManifests(subjects);

    expect(verbs(role)).toEqual(['access', 'create', 'get', 'list', 'watch']);
    expect(role?.['rules']).toContainEqual({ apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] });
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
