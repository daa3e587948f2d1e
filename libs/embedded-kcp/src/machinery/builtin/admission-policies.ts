import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, recordAt, stringAt, stringsAt, valueAt } from '../../json/json.js';
import { conditionProblem } from '../resources/condition-language.js';
import type { ResourceDefinition } from '../resources/resource-definition.js';
import { AGE } from '../resources/table.js';
import { defineBuiltin } from './define-builtin.js';

/** ValidatingAdmissionPolicies, and the bindings that put them in force. */
export const ADMISSION_POLICIES: readonly ResourceDefinition[] = [
  defineBuiltin({
    group: 'admissionregistration.k8s.io',
    resource: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    namespaced: false,
    columns: [
      {
        name: 'Validations',
        type: 'integer',
        description: 'Validations indicates the number of validation rules defined in this configuration',
        value: (policy) => arrayAt(policy, 'spec', 'validations').length,
      },
      {
        name: 'ParamKind',
        type: 'string',
        description: 'ParamKind specifies the kind of resources used to parameterize this policy',
        value: () => '<unset>',
      },
      AGE,
    ],
    rules: { hasGeneration: true, onCreate: withDefaults, onUpdate: withDefaults, check: checkPolicy },
  }),
  defineBuiltin({
    group: 'admissionregistration.k8s.io',
    resource: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    namespaced: false,
    columns: [
      {
        name: 'PolicyName',
        type: 'string',
        description: 'PolicyName indicates the policy definition which the policy binding binded to',
        value: (binding) => stringAt(binding, 'spec', 'policyName') ?? '',
      },
      {
        name: 'ParamRef',
        type: 'string',
        description: 'ParamRef indicates the param resource which sets the configration param',
        value: () => '<unset>',
      },
      AGE,
    ],
    rules: { hasGeneration: true, check: checkBinding },
  }),
];

function withDefaults(policy: KubeObject): KubeObject {
  const constraints = recordAt(policy, 'spec', 'matchConstraints');
  const resourceRules = arrayAt(constraints, 'resourceRules').map((rule) => ({ scope: '*', ...recordAt(rule) }));
  const matchConstraints = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, ...constraints, resourceRules };
  return { ...policy, spec: { failurePolicy: 'Fail', ...recordAt(policy, 'spec'), matchConstraints } };
}

function checkPolicy(policy: KubeObject): readonly StatusCause[] {
  const expressions = [
    ...arrayAt(policy, 'spec', 'matchConditions').map((each, at) => ({ each, field: `spec.matchConditions[${at}].expression` })),
    ...arrayAt(policy, 'spec', 'validations').map((each, at) => ({ each, field: `spec.validations[${at}].expression` })),
  ];
  return expressions.flatMap(({ each, field }) => {
    const expression = stringAt(each, 'expression') ?? '';
    if (expression.trim() === '') return [{ reason: 'FieldValueRequired', field, message: 'Required value' }];
    const problem = conditionProblem(expression);
    return problem === undefined
      ? []
      : [{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(expression)}: ${problem}` }];
  });
}

function checkBinding(binding: KubeObject): readonly StatusCause[] {
  const required = (field: string): StatusCause => ({ reason: 'FieldValueRequired', field, message: 'Required value' });
  return [
    ...((stringAt(binding, 'spec', 'policyName') ?? '') === '' ? [required('spec.policyName')] : []),
    ...(stringsAt(valueAt(binding, 'spec'), 'validationActions').length === 0 ? [required('spec.validationActions')] : []),
  ];
}
