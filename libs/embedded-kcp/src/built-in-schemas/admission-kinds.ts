import { conditionSchema, kind, labelSelectorSchema } from './object-metadata.js';
import {
  as,
  atomic,
  bytes,
  define,
  integer,
  listAppliedByKey,
  listByKey,
  listOf,
  object,
  setOf,
  text,
  texts,
  type Properties,
  type Schema,
} from './schema-notation.js';

const ADMISSION = 'io.k8s.api.admissionregistration.v1';

const ruleFields: Properties = {
  apiGroups: texts('Groups of the resources; * is all.'),
  apiVersions: texts('Versions of the resources; * is all.'),
  operations: texts('CREATE, UPDATE, DELETE, CONNECT or *.'),
  resources: texts('Resources, with /subresource where one is meant; * is all.'),
  scope: text('Cluster, Namespaced or *.', { default: '*' }),
};

const matchConditions = listByKey(
  'CEL conditions that must all hold for the webhook or policy to be asked.',
  'name',
  define(
    `${ADMISSION}.MatchCondition`,
    object('A CEL condition.', { name: text('Name of the condition.'), expression: text('CEL that is true or false.') }, [
      'name',
      'expression',
    ]),
  ),
);

const clientConfig = define(
  `${ADMISSION}.WebhookClientConfig`,
  object('Where the webhook is.', {
    url: text('https URL of the webhook.'),
    caBundle: bytes('PEM that verifies the certificate of the webhook, base64.'),
    service: define(
      `${ADMISSION}.ServiceReference`,
      object(
        'A Kubernetes service.',
        {
          namespace: text('Namespace of the service.'),
          name: text('Name of the service.'),
          path: text('Path of the request.'),
          port: integer('Port of the service.', { default: 443 }),
        },
        ['namespace', 'name'],
      ),
    ),
  }),
);

const webhookFields: Properties = {
  name: text('Fully qualified name, unique in the configuration.'),
  clientConfig: as('Where the webhook is.', clientConfig),
  rules: listOf(
    'What the webhook is asked about.',
    define(`${ADMISSION}.RuleWithOperations`, object('Operations on resources.', ruleFields)),
  ),
  failurePolicy: text('Fail or Ignore: what to do when the webhook cannot be asked.', { default: 'Fail' }),
  matchPolicy: text('Exact or Equivalent: whether other versions of a resource match too.', { default: 'Equivalent' }),
  namespaceSelector: as('Only for objects in these namespaces.', labelSelectorSchema, { default: {} }),
  objectSelector: as('Only for objects with these labels.', labelSelectorSchema, { default: {} }),
  sideEffects: text('None or NoneOnDryRun.'),
  timeoutSeconds: integer('How long to wait for an answer, 1 to 30.', { default: 10 }),
  admissionReviewVersions: texts('Versions of AdmissionReview that the webhook reads.'),
  matchConditions,
};

const webhookRequired = ['name', 'clientConfig', 'sideEffects', 'admissionReviewVersions'];
const reinvocationPolicy = text('Never or IfNeeded: whether to ask again after others changed the object.', { default: 'Never' });

const matchResources = define(
  `${ADMISSION}.MatchResources`,
  atomic(
    object('What a policy is about.', {
      namespaceSelector: as('Only for objects in these namespaces.', labelSelectorSchema, { default: {} }),
      objectSelector: as('Only for objects with these labels.', labelSelectorSchema, { default: {} }),
      resourceRules: listOf('What it is about.', namedRule('resourceNames are the only objects meant.')),
      excludeResourceRules: listOf(
        'What it is not about, whatever the other rules say.',
        namedRule('resourceNames are the only objects meant.'),
      ),
      matchPolicy: text('Exact or Equivalent.', { default: 'Equivalent' }),
    }),
  ),
);

function namedRule(description: string): Schema {
  return define(
    `${ADMISSION}.NamedRuleWithOperations`,
    atomic(object(description, { resourceNames: texts('Names of objects; empty is all.'), ...ruleFields })),
  );
}

const paramKind = define(
  `${ADMISSION}.ParamKind`,
  atomic(
    object('Kind of the parameters of a policy.', {
      apiVersion: text('API version of the parameters.'),
      kind: text('Kind of the parameters.'),
    }),
  ),
);

const variable = define(
  `${ADMISSION}.Variable`,
  atomic(object('A named CEL expression.', { name: text('Name of the variable.'), expression: text('CEL.') }, ['name', 'expression'])),
);

const policyFields: Properties = {
  paramKind: as('Kind of the parameters.', paramKind),
  matchConstraints: as('What the policy is about.', matchResources),
  failurePolicy: text('Fail or Ignore: what to do when an expression fails.', { default: 'Fail' }),
  matchConditions,
};

const bindingFields: Properties = {
  policyName: text('Name of the policy.'),
  paramRef: define(
    `${ADMISSION}.ParamRef`,
    atomic(
      object('The parameters.', {
        name: text('Name of the parameters.'),
        namespace: text('Namespace of the parameters.'),
        selector: as('Selects parameters.', labelSelectorSchema),
        parameterNotFoundAction: text('Allow or Deny, when there are none.'),
      }),
    ),
  ),
  matchResources: as('What the binding is about.', matchResources),
};

const validatingPolicy = kind(`${ADMISSION}.ValidatingAdmissionPolicy`, 'ValidatingAdmissionPolicy accepts or refuses writes by CEL.', {
  spec: define(
    `${ADMISSION}.ValidatingAdmissionPolicySpec`,
    object('The policy.', {
      ...policyFields,
      validations: listOf(
        'What must hold.',
        define(
          `${ADMISSION}.Validation`,
          object(
            'A CEL expression that must be true.',
            {
              expression: text('CEL.'),
              message: text('What to say when it does not hold.'),
              messageExpression: text('CEL that makes the message.'),
              reason: text('Reason of the refusal.'),
            },
            ['expression'],
          ),
        ),
      ),
      auditAnnotations: listOf(
        'What to write into the audit log.',
        define(
          `${ADMISSION}.AuditAnnotation`,
          object('A key and its value.', { key: text('The key.'), valueExpression: text('CEL that makes the value.') }, [
            'key',
            'valueExpression',
          ]),
        ),
      ),
      variables: listByKey('Named expressions for the others.', 'name', variable),
    }),
  ),
  status: define(
    `${ADMISSION}.ValidatingAdmissionPolicyStatus`,
    object('What was found out about the policy.', {
      observedGeneration: integer('Generation that was looked at.', { format: 'int64' }),
      typeChecking: define(
        `${ADMISSION}.TypeChecking`,
        object('Problems of types.', {
          expressionWarnings: listOf(
            'Expressions that do not fit.',
            define(
              `${ADMISSION}.ExpressionWarning`,
              object('A problem.', { fieldRef: text('Where the expression is.'), warning: text('What is wrong.') }, [
                'fieldRef',
                'warning',
              ]),
            ),
          ),
        }),
      ),
      conditions: listAppliedByKey('Aspects of the state.', 'type', conditionSchema),
    }),
  ),
});

const mutatingPolicy = kind(`${ADMISSION}.MutatingAdmissionPolicy`, 'MutatingAdmissionPolicy changes writes by CEL.', {
  spec: define(
    `${ADMISSION}.MutatingAdmissionPolicySpec`,
    object('The policy.', {
      ...policyFields,
      variables: listOf('Named expressions for the others.', variable),
      mutations: listOf(
        'The changes.',
        define(
          `${ADMISSION}.Mutation`,
          object(
            'A change.',
            {
              patchType: text('ApplyConfiguration or JSONPatch.'),
              applyConfiguration: define(
                `${ADMISSION}.ApplyConfiguration`,
                object('Fields to apply.', { expression: text('CEL that makes them.') }),
              ),
              jsonPatch: define(`${ADMISSION}.JSONPatch`, object('Operations.', { expression: text('CEL that makes them.') })),
            },
            ['patchType'],
          ),
        ),
      ),
      reinvocationPolicy,
    }),
  ),
});

/** The kinds of admissionregistration.k8s.io/v1. */
export const admissionKinds: Readonly<Record<string, Schema>> = {
  ValidatingWebhookConfiguration: kind(
    `${ADMISSION}.ValidatingWebhookConfiguration`,
    'ValidatingWebhookConfiguration lists webhooks that accept or refuse writes.',
    {
      webhooks: listByKey(
        'The webhooks.',
        'name',
        define(`${ADMISSION}.ValidatingWebhook`, object('A webhook.', webhookFields, webhookRequired)),
      ),
    },
  ),
  MutatingWebhookConfiguration: kind(
    `${ADMISSION}.MutatingWebhookConfiguration`,
    'MutatingWebhookConfiguration lists webhooks that may change writes.',
    {
      webhooks: listByKey(
        'The webhooks.',
        'name',
        define(`${ADMISSION}.MutatingWebhook`, object('A webhook.', { ...webhookFields, reinvocationPolicy }, webhookRequired)),
      ),
    },
  ),
  ValidatingAdmissionPolicy: validatingPolicy,
  ValidatingAdmissionPolicyBinding: kind(
    `${ADMISSION}.ValidatingAdmissionPolicyBinding`,
    'ValidatingAdmissionPolicyBinding puts a policy in force.',
    {
      spec: define(
        `${ADMISSION}.ValidatingAdmissionPolicyBindingSpec`,
        object('What is in force.', { ...bindingFields, validationActions: setOf('Deny, Warn or Audit.', { type: 'string' }) }, [
          'policyName',
          'validationActions',
        ]),
      ),
    },
    ['spec'],
  ),
  MutatingAdmissionPolicy: mutatingPolicy,
  MutatingAdmissionPolicyBinding: kind(
    `${ADMISSION}.MutatingAdmissionPolicyBinding`,
    'MutatingAdmissionPolicyBinding puts a policy in force.',
    {
      spec: define(`${ADMISSION}.MutatingAdmissionPolicyBindingSpec`, object('What is in force.', bindingFields)),
    },
  ),
};
