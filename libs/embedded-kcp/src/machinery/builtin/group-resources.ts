// Built-ins outside the core group.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, recordAt, stringAt } from '../../json/json.js';
import type { ResourceColumn, ResourceDefinition } from '../resources/resource-definition.js';
import { AGE } from '../resources/table.js';
import { ADMISSION_POLICIES } from './admission-policies.js';
import { crdRules } from './crd-rules.js';
import { defineBuiltin } from './define-builtin.js';
import { WEBHOOK_CONFIGURATIONS } from './webhook-configurations.js';

const RBAC = 'rbac.authorization.k8s.io';

const CREATED_AT: ResourceColumn = {
  name: 'Created At',
  type: 'date',
  value: ({ metadata }) => metadata.creationTimestamp ?? '<unknown>',
};

const rbacRules = { names: 'path', allowsUnconditionalUpdate: true, allowsCreateOnUpdate: true } as const;

const roles = (['ClusterRole', 'Role'] as const).map((kind) =>
  defineBuiltin({
    group: RBAC,
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: kind === 'Role',
    columns: [CREATED_AT],
    rules: { ...rbacRules, onCreate: withRules, onUpdate: withRules },
  }),
);

// Protobuf, in which kcp stores roles, has no empty list.
function withRules(role: KubeObject): KubeObject {
  return arrayAt(role, 'rules').length === 0 ? { ...role, rules: null } : role;
}

function subjectsOf(kind: string, print: (one: unknown) => string): ResourceColumn['value'] {
  return (binding) =>
    arrayAt(binding, 'subjects')
      .filter((one) => stringAt(one, 'kind') === kind)
      .map(print)
      .join(', ');
}

const nameOf = (one: unknown): string => stringAt(one, 'name') ?? '';
const bindingColumns: readonly ResourceColumn[] = [
  {
    name: 'Role',
    type: 'string',
    value: (binding) => `${stringAt(binding, 'roleRef', 'kind') ?? ''}/${stringAt(binding, 'roleRef', 'name') ?? ''}`,
  },
  AGE,
  { name: 'Users', type: 'string', priority: 1, value: subjectsOf('User', nameOf) },
  { name: 'Groups', type: 'string', priority: 1, value: subjectsOf('Group', nameOf) },
  {
    name: 'ServiceAccounts',
    type: 'string',
    priority: 1,
    value: subjectsOf('ServiceAccount', (one) => `${stringAt(one, 'namespace') ?? ''}/${nameOf(one)}`),
  },
];

const bindings = (['ClusterRoleBinding', 'RoleBinding'] as const).map((kind) =>
  defineBuiltin({
    group: RBAC,
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: kind === 'RoleBinding',
    columns: bindingColumns,
    rules: { ...rbacRules, onCreate: withApiGroups, onUpdate: withApiGroups, check: checkRoleRef },
  }),
);

// Subjects without an apiGroup get the one of their kind.
function withApiGroups(binding: KubeObject): KubeObject {
  const subjects = arrayAt(binding, 'subjects').map((one) => {
    const kind = stringAt(one, 'kind');
    return { ...(kind === 'User' || kind === 'Group' ? { apiGroup: RBAC } : {}), ...recordAt(one) };
  });
  const ref = { apiGroup: RBAC, ...recordAt(binding, 'roleRef') };
  return { ...binding, ...(subjects.length === 0 ? {} : { subjects }), roleRef: ref };
}

function checkRoleRef(
  binding: KubeObject,
  previous: KubeObject | undefined,
): readonly { readonly reason: string; readonly message: string; readonly field: string }[] {
  const same = (key: string): boolean => stringAt(binding, 'roleRef', key) === stringAt(previous, 'roleRef', key);
  if (previous === undefined || (same('kind') && same('name'))) return [];
  const ref = JSON.stringify(binding['roleRef']);
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${ref}: cannot change roleRef`, field: 'roleRef' }];
}

const leases = defineBuiltin({
  group: 'coordination.k8s.io',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
  columns: [
    {
      name: 'Holder',
      type: 'string',
      description: 'holderIdentity contains the identity of the holder of a current lease.',
      value: '.spec.holderIdentity',
    },
    AGE,
  ],
  rules: { allowsCreateOnUpdate: true },
});

const events = defineBuiltin({
  group: 'events.k8s.io',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  shortNames: ['ev'],
  columns: [{ name: 'Reason', type: 'string', value: '.reason' }, AGE],
  rules: { allowsUnconditionalUpdate: true, allowsCreateOnUpdate: true },
});

const createOnly = { verbs: ['create'] } as const;

/** Reviews: answered when they are created, never stored. */
export const REVIEW_RESOURCES: readonly ResourceDefinition[] = [
  defineBuiltin({
    group: 'authorization.k8s.io',
    resource: 'subjectaccessreviews',
    kind: 'SubjectAccessReview',
    namespaced: false,
    ...createOnly,
  }),
  defineBuiltin({
    group: 'authorization.k8s.io',
    resource: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    namespaced: false,
    ...createOnly,
  }),
  defineBuiltin({
    group: 'authorization.k8s.io',
    resource: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    namespaced: false,
    ...createOnly,
  }),
  defineBuiltin({
    group: 'authorization.k8s.io',
    resource: 'localsubjectaccessreviews',
    kind: 'LocalSubjectAccessReview',
    namespaced: true,
    ...createOnly,
  }),
  defineBuiltin({
    group: 'authentication.k8s.io',
    resource: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    namespaced: false,
    ...createOnly,
  }),
  defineBuiltin({ group: 'authentication.k8s.io', resource: 'tokenreviews', kind: 'TokenReview', namespaced: false, ...createOnly }),
];

const crds = defineBuiltin({
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  hasStatus: true,
  columns: [CREATED_AT],
  rules: crdRules,
});

/** Built-ins that are stored and take part in everything. */
export const GROUP_RESOURCES: readonly ResourceDefinition[] = [
  ...roles,
  ...bindings,
  leases,
  events,
  crds,
  ...WEBHOOK_CONFIGURATIONS,
  ...ADMISSION_POLICIES,
];
