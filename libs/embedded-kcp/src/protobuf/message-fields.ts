// The protobuf form of the kinds that kubectl creates by itself (`kubectl create configmap`, `create token`, `auth can-i`). Field
// numbers are part of the API and never change; names are those of the JSON form.

/** The type of a field. */
export type FieldType =
  | 'text'
  | 'bytes'
  | 'truth'
  | 'integer'
  | 'time'
  | 'quantity'
  | { readonly message: Fields }
  | { readonly list: FieldType }
  | { readonly map: FieldType };

/** The fields of a message by number. */
export type Fields = Readonly<Record<number, readonly [name: string, type: FieldType]>>;

const texts: FieldType = { list: 'text' };
const textMap: FieldType = { map: 'text' };
const nested = (fields: Fields): FieldType => ({ message: fields });
const many = (fields: Fields): FieldType => ({ list: { message: fields } });

const ownerReference: Fields = {
  1: ['kind', 'text'],
  3: ['name', 'text'],
  4: ['uid', 'text'],
  5: ['apiVersion', 'text'],
  6: ['controller', 'truth'],
  7: ['blockOwnerDeletion', 'truth'],
};

const metadata: Fields[number] = [
  'metadata',
  nested({
    1: ['name', 'text'],
    2: ['generateName', 'text'],
    3: ['namespace', 'text'],
    5: ['uid', 'text'],
    6: ['resourceVersion', 'text'],
    7: ['generation', 'integer'],
    8: ['creationTimestamp', 'time'],
    9: ['deletionTimestamp', 'time'],
    10: ['deletionGracePeriodSeconds', 'integer'],
    11: ['labels', textMap],
    12: ['annotations', textMap],
    13: ['ownerReferences', many(ownerReference)],
    14: ['finalizers', texts],
  }),
];

const objectReference: Fields = {
  1: ['kind', 'text'],
  2: ['namespace', 'text'],
  3: ['name', 'text'],
  4: ['uid', 'text'],
  5: ['apiVersion', 'text'],
  6: ['resourceVersion', 'text'],
  7: ['fieldPath', 'text'],
};

const requirement = (key: string): Fields => ({ 1: [key, 'text'], 2: ['operator', 'text'], 3: ['values', texts] });

const policyRule: Fields = {
  1: ['verbs', texts],
  2: ['apiGroups', texts],
  3: ['resources', texts],
  4: ['resourceNames', texts],
  5: ['nonResourceURLs', texts],
};

const labelSelector: Fields = { 1: ['matchLabels', textMap], 2: ['matchExpressions', many(requirement('key'))] };
const role: Fields = {
  1: metadata,
  2: ['rules', many(policyRule)],
  3: ['aggregationRule', nested({ 1: ['clusterRoleSelectors', many(labelSelector)] })],
};
const roleBinding: Fields = {
  1: metadata,
  2: ['subjects', many({ 1: ['kind', 'text'], 2: ['apiGroup', 'text'], 3: ['name', 'text'], 4: ['namespace', 'text'] })],
  3: ['roleRef', nested({ 1: ['apiGroup', 'text'], 2: ['kind', 'text'], 3: ['name', 'text'] })],
};

const accessAttributes: Fields = {
  1: [
    'resourceAttributes',
    nested({
      1: ['namespace', 'text'],
      2: ['verb', 'text'],
      3: ['group', 'text'],
      4: ['version', 'text'],
      5: ['resource', 'text'],
      6: ['subresource', 'text'],
      7: ['name', 'text'],
    }),
  ],
  2: ['nonResourceAttributes', nested({ 1: ['path', 'text'], 2: ['verb', 'text'] })],
};
const accessReview: Fields = {
  1: metadata,
  2: [
    'spec',
    nested({
      ...accessAttributes,
      3: ['user', 'text'],
      4: ['groups', texts],
      5: ['extra', { map: nested({ 1: ['items', texts] }) }],
      6: ['uid', 'text'],
    }),
  ],
};

/** The fields of each kind that is read. */
export const MESSAGES: Readonly<Record<string, Fields>> = {
  ConfigMap: { 1: metadata, 2: ['data', textMap], 3: ['binaryData', { map: 'bytes' }], 4: ['immutable', 'truth'] },
  Secret: { 1: metadata, 2: ['data', { map: 'bytes' }], 3: ['type', 'text'], 4: ['stringData', textMap], 5: ['immutable', 'truth'] },
  Namespace: { 1: metadata, 2: ['spec', nested({ 1: ['finalizers', texts] })] },
  ServiceAccount: {
    1: metadata,
    2: ['secrets', many(objectReference)],
    3: ['imagePullSecrets', many({ 1: ['name', 'text'] })],
    4: ['automountServiceAccountToken', 'truth'],
  },
  ResourceQuota: {
    1: metadata,
    2: [
      'spec',
      nested({
        1: ['hard', { map: 'quantity' }],
        2: ['scopes', texts],
        3: ['scopeSelector', nested({ 1: ['matchExpressions', many(requirement('scopeName'))] })],
      }),
    ],
  },
  Role: role,
  ClusterRole: role,
  RoleBinding: roleBinding,
  ClusterRoleBinding: roleBinding,
  TokenRequest: {
    1: metadata,
    2: [
      'spec',
      nested({
        1: ['audiences', texts],
        3: ['boundObjectRef', nested({ 1: ['kind', 'text'], 2: ['apiVersion', 'text'], 3: ['name', 'text'], 4: ['uid', 'text'] })],
        4: ['expirationSeconds', 'integer'],
      }),
    ],
  },
  TokenReview: { 1: metadata, 2: ['spec', nested({ 1: ['token', 'text'], 2: ['audiences', texts] })] },
  SelfSubjectReview: { 1: metadata },
  SelfSubjectAccessReview: { 1: metadata, 2: ['spec', nested(accessAttributes)] },
  SelfSubjectRulesReview: { 1: metadata, 2: ['spec', nested({ 1: ['namespace', 'text'] })] },
  SubjectAccessReview: accessReview,
  LocalSubjectAccessReview: accessReview,
};
