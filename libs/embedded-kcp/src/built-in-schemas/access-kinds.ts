import { kind, labelSelectorSchema } from './object-metadata.js';
import { atomic, define, listOf, mapOf, object, text, texts, truth, type Properties, type Schema } from './schema-notation.js';

const RBAC = 'io.k8s.api.rbac.v1';
const AUTHORIZATION = 'io.k8s.api.authorization.v1';

// Without rules they are null.
const rules = {
  nullable: true,
  ...listOf(
    'What is allowed.',
    define(
      `${RBAC}.PolicyRule`,
      object(
        'Verbs on resources, or on paths that are no resources.',
        {
          verbs: texts('Verbs; * is all.'),
          apiGroups: texts('Groups of the resources; * is all.'),
          resources: texts('Resources; * is all.'),
          resourceNames: texts('Names of objects; empty is all.'),
          nonResourceURLs: texts('Paths that are no resources; * at the end is any rest.'),
        },
        ['verbs'],
      ),
    ),
  ),
};

const bindingFields: Properties = {
  subjects: listOf(
    'Whom the role is given to.',
    define(
      `${RBAC}.Subject`,
      atomic(
        object(
          'A user, a group or a service account.',
          {
            kind: text('User, Group or ServiceAccount.'),
            apiGroup: text('rbac.authorization.k8s.io for users and groups, empty for service accounts.'),
            name: text('Name of the subject.'),
            namespace: text('Namespace of a service account.'),
          },
          ['kind', 'name'],
        ),
      ),
    ),
  ),
  roleRef: define(
    `${RBAC}.RoleRef`,
    atomic(
      object(
        'The role; it cannot be changed.',
        {
          apiGroup: text('Group of the role.', { default: 'rbac.authorization.k8s.io' }),
          kind: text('Role or ClusterRole.'),
          name: text('Name of the role.'),
        },
        ['kind', 'name'],
      ),
    ),
  ),
};

/** The kinds of rbac.authorization.k8s.io/v1. */
export const rbacKinds: Readonly<Record<string, Schema>> = {
  Role: kind(`${RBAC}.Role`, 'Role is a set of rules for one namespace.', { rules }),
  RoleBinding: kind(`${RBAC}.RoleBinding`, 'RoleBinding gives a role to subjects in one namespace.', bindingFields, ['roleRef']),
  ClusterRole: kind(`${RBAC}.ClusterRole`, 'ClusterRole is a set of rules for the whole workspace.', {
    rules,
    aggregationRule: define(
      `${RBAC}.AggregationRule`,
      object('Collects the rules of other roles.', { clusterRoleSelectors: listOf('Selects the roles.', labelSelectorSchema) }),
    ),
  }),
  ClusterRoleBinding: kind(
    `${RBAC}.ClusterRoleBinding`,
    'ClusterRoleBinding gives a role to subjects in the whole workspace.',
    bindingFields,
    ['roleRef'],
  ),
};

function selectorAttributes(name: string): Schema {
  const requirement = object('A requirement.', { key: text('What is compared.'), operator: text('How.'), values: texts('With what.') }, [
    'key',
    'operator',
  ]);
  return define(
    `${AUTHORIZATION}.${name}`,
    object('The selector of a list.', { rawSelector: text('As in the query.'), requirements: listOf('Parsed.', requirement) }),
  );
}

const attributes: Properties = {
  resourceAttributes: define(
    `${AUTHORIZATION}.ResourceAttributes`,
    object('A request for a resource.', {
      namespace: text('Namespace; empty is all or none.'),
      verb: text('Verb; * is all.'),
      group: text('Group; * is all.'),
      version: text('Version; * is all.'),
      resource: text('Resource; * is all.'),
      subresource: text('Subresource.'),
      name: text('Name; empty is all.'),
      fieldSelector: selectorAttributes('FieldSelectorAttributes'),
      labelSelector: selectorAttributes('LabelSelectorAttributes'),
    }),
  ),
  nonResourceAttributes: define(
    `${AUTHORIZATION}.NonResourceAttributes`,
    object('A request for a path that is no resource.', { path: text('Path.'), verb: text('Verb.') }),
  ),
};

/** Further facts about a user. */
export const extra: Schema = mapOf('Further facts about the user.', { type: 'array', items: { type: 'string' } });

const reviewFields: Properties = {
  spec: define(
    `${AUTHORIZATION}.SubjectAccessReviewSpec`,
    object('The question.', {
      ...attributes,
      user: text('Whom it is about.'),
      groups: texts('Groups of the user.'),
      uid: text('UID of the user.'),
      extra,
    }),
  ),
  status: reviewStatus(),
};

function reviewStatus(): Schema {
  return define(
    `${AUTHORIZATION}.SubjectAccessReviewStatus`,
    object(
      'The answer.',
      {
        allowed: truth('Whether it is allowed.'),
        denied: truth('Whether it is refused whatever else allows it.'),
        reason: text('Why.'),
        evaluationError: text('What went wrong on the way.'),
      },
      ['allowed'],
    ),
  );
}

function grantedRule(name: string, fields: readonly string[]): Schema {
  const properties = [...fields, 'verbs'].map((field) => [field, texts('What is granted; * is all.')]);
  return define(`${AUTHORIZATION}.${name}`, object('A rule.', Object.fromEntries(properties) as Properties, ['verbs']));
}

/** The kinds of authorization.k8s.io/v1: questions that are answered and not stored. */
export const authorizationKinds: Readonly<Record<string, Schema>> = {
  SubjectAccessReview: kind(`${AUTHORIZATION}.SubjectAccessReview`, 'SubjectAccessReview asks what a user may do.', reviewFields, ['spec']),
  LocalSubjectAccessReview: kind(
    `${AUTHORIZATION}.LocalSubjectAccessReview`,
    'LocalSubjectAccessReview asks what a user may do in one namespace.',
    reviewFields,
    ['spec'],
  ),
  SelfSubjectAccessReview: kind(
    `${AUTHORIZATION}.SelfSubjectAccessReview`,
    'SelfSubjectAccessReview asks what the caller may do.',
    { spec: define(`${AUTHORIZATION}.SelfSubjectAccessReviewSpec`, object('The question.', attributes)), status: reviewStatus() },
    ['spec'],
  ),
  SelfSubjectRulesReview: kind(
    `${AUTHORIZATION}.SelfSubjectRulesReview`,
    'SelfSubjectRulesReview lists what the caller may do in a namespace.',
    {
      spec: define(`${AUTHORIZATION}.SelfSubjectRulesReviewSpec`, object('The question.', { namespace: text('The namespace.') })),
      status: define(
        `${AUTHORIZATION}.SubjectRulesReviewStatus`,
        object(
          'The answer.',
          {
            resourceRules: listOf('On resources.', grantedRule('ResourceRule', ['apiGroups', 'resources', 'resourceNames'])),
            nonResourceRules: listOf('On paths that are no resources.', grantedRule('NonResourceRule', ['nonResourceURLs'])),
            incomplete: truth('Whether rules may be missing.'),
            evaluationError: text('What went wrong on the way.'),
          },
          ['resourceRules', 'nonResourceRules', 'incomplete'],
        ),
      ),
    },
    ['spec'],
  ),
};
