// Refuses with 501 the objects on which a real kcp would act and this server would not. A quota that is not enforced, or a webhook that is never called,
// would be worse than none.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { notEmulated } from '../http/api-status.js';
import { arrayAt, recordAt, stringAt, stringsAt, valueAt, type JsonRecord } from '../json/json.js';
import { unsupportedFunction } from '../machinery/resources/condition-language.js';
import type { AdmissionPlugin } from './admission-chain.js';
import { SCHEMA_GAPS } from './schema-gaps.js';

interface Gap {
  readonly sentence: string;
  readonly touches: (object: KubeObject) => boolean;
}

const any = (): boolean => true;
const carries =
  (...annotations: readonly string[]) =>
  ({ metadata }: KubeObject): boolean =>
    annotations.some((key) => metadata.annotations?.[key] !== undefined);
const hasCondition =
  (isOne: (expression: string) => boolean) =>
  (object: KubeObject): boolean =>
    arrayAt(object, 'webhooks').some((webhook) =>
      arrayAt(webhook, 'matchConditions').some((condition) => isOne(stringAt(condition, 'expression') ?? '')),
    );
const isSelective = (constraints: JsonRecord): boolean =>
  ['namespaceSelector', 'objectSelector'].some((field) => Object.keys(recordAt(constraints, field)).length > 0) ||
  arrayAt(constraints, 'excludeResourceRules').length > 0 ||
  arrayAt(constraints, 'resourceRules').some((rule) => arrayAt(rule, 'resourceNames').length > 0);
const BEYOND_REQUEST = /\b(?:authorizer|namespaceObject)\b/;

const GAPS: Readonly<Record<string, readonly Gap[]>> = {
  '/resourcequotas': [{ sentence: 'the enforcement of ResourceQuotas', touches: any }],
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': [
    { sentence: 'mutating webhooks', touches: (object) => arrayAt(object, 'webhooks').length > 0 },
  ],
  'admissionregistration.k8s.io/validatingwebhookconfigurations': [
    {
      sentence: 'match conditions that ask the authorizer or for the namespace object',
      touches: hasCondition((expression) => BEYOND_REQUEST.test(expression)),
    },
    {
      sentence: 'match conditions that call functions beyond those of plain CEL',
      touches: hasCondition((expression) => unsupportedFunction(expression) !== undefined),
    },
  ],
  'admissionregistration.k8s.io/validatingadmissionpolicies': [
    {
      sentence: 'policies with parameters, variables, audit annotations or computed messages',
      touches: (object) =>
        valueAt(object, 'spec', 'paramKind') !== undefined ||
        ['variables', 'auditAnnotations'].some((field) => arrayAt(object, 'spec', field).length > 0) ||
        arrayAt(object, 'spec', 'validations').some((one) => valueAt(one, 'messageExpression') !== undefined),
    },
    {
      sentence: 'policies about single names or selected objects',
      touches: (object) => isSelective(recordAt(object, 'spec', 'matchConstraints')),
    },
    {
      sentence: 'expressions that ask the authorizer or for the namespace object, or call functions beyond those of plain CEL',
      touches: (object) =>
        ['matchConditions', 'validations']
          .flatMap((field) => arrayAt(object, 'spec', field))
          .map((one) => stringAt(one, 'expression') ?? '')
          .some((expression) => BEYOND_REQUEST.test(expression) || unsupportedFunction(expression) !== undefined),
    },
  ],
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': [
    {
      sentence: 'policies that are bound with parameters, to some objects, or to warn or audit',
      touches: (object) =>
        ['paramRef', 'matchResources'].some((field) => valueAt(object, 'spec', field) !== undefined) ||
        stringsAt(valueAt(object, 'spec'), 'validationActions').some((action) => action !== 'Deny'),
    },
  ],
  'rbac.authorization.k8s.io/clusterroles': [
    { sentence: 'the aggregation of ClusterRoles', touches: (object) => valueAt(object, 'aggregationRule') !== undefined },
  ],
  'apiextensions.k8s.io/customresourcedefinitions': SCHEMA_GAPS,
  'apis.kcp.io/apiresourceschemas': SCHEMA_GAPS,
  'apis.kcp.io/apiexports': [
    {
      sentence: 'exports of virtual resources',
      touches: (object) => arrayAt(object, 'spec', 'resources').some((one) => recordAt(one, 'storage')['virtual'] !== undefined),
    },
  ],
  'apis.kcp.io/apiexportendpointslices': [
    { sentence: 'endpoint slices of a partition', touches: (object) => stringAt(object, 'spec', 'partition') !== undefined },
  ],
  'core.kcp.io/logicalclusters': [
    { sentence: 'inactive logical clusters', touches: carries('core.kcp.io/inactive', 'internal.kcp.io/inactive') },
    { sentence: 'required groups', touches: carries('authorization.kcp.io/required-groups') },
  ],
  'tenancy.kcp.io/workspaces': [
    { sentence: 'mounted workspaces', touches: (object) => valueAt(object, 'spec', 'mount') !== undefined },
    { sentence: 'required groups', touches: carries('authorization.kcp.io/required-groups') },
  ],
  'tenancy.kcp.io/workspacetypes': [
    {
      sentence: 'default bindings that are maintained (defaultAPIBindingLifecycle: Maintain)',
      touches: (object) => stringAt(object, 'spec', 'defaultAPIBindingLifecycle') === 'Maintain',
    },
    {
      sentence: 'authentication per workspace',
      touches: (object) => arrayAt(object, 'spec', 'authenticationConfigurations').length > 0,
    },
  ],
  'tenancy.kcp.io/workspaceauthenticationconfigurations': [{ sentence: 'authentication per workspace', touches: any }],
  'topology.kcp.io/partitions': [{ sentence: 'partitions', touches: any }],
  'topology.kcp.io/partitionsets': [{ sentence: 'partitions', touches: any }],
};

/** A sentence about the first feature that an object asks for and this server lacks; undefined: there is none. */
export function gapIn(group: string, resource: string, object: KubeObject): string | undefined {
  const key = `${group}/${resource}`;
  const gaps = Object.hasOwn(GAPS, key) ? (GAPS[key] ?? []) : [];
  return gaps.find(({ touches }) => touches(object))?.sentence;
}

/** Refuses such objects when they are created or changed. */
export function notCovered(): AdmissionPlugin {
  return {
    validate: ({ definition, object }) => {
      const sentence = object === undefined ? undefined : gapIn(definition.group, definition.resource, object);
      if (sentence !== undefined) throw notEmulated(sentence);
      return [];
    },
  };
}
