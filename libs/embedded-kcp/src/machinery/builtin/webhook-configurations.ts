import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, recordAt, stringAt, stringsAt, valueAt } from '../../json/json.js';
import type { ResourceDefinition } from '../resources/resource-definition.js';
import { AGE } from '../resources/table.js';
import { conditionProblem } from '../resources/condition-language.js';
import { defineBuiltin } from './define-builtin.js';

const columns = [
  {
    name: 'Webhooks',
    type: 'integer',
    description: 'Webhooks indicates the number of webhooks registered in this configuration',
    value: (configuration: KubeObject) => arrayAt(configuration, 'webhooks').length,
  },
  AGE,
];

/** The two kinds of webhook configurations. */
export const WEBHOOK_CONFIGURATIONS: readonly ResourceDefinition[] = (
  ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const
).map((kind) =>
  defineBuiltin({
    group: 'admissionregistration.k8s.io',
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: false,
    columns,
    rules: { hasGeneration: true, onCreate: withDefaults, onUpdate: withDefaults, check: checkConfiguration },
  }),
);

function withDefaults(configuration: KubeObject): KubeObject {
  if (configuration['webhooks'] === undefined) return configuration;
  return {
    ...configuration,
    webhooks: arrayAt(configuration, 'webhooks').map((one) => ({
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      failurePolicy: 'Fail',
      timeoutSeconds: 10,
      ...recordAt(one),
      ...(valueAt(one, 'rules') === undefined ? {} : { rules: arrayAt(one, 'rules').map((rule) => ({ scope: '*', ...recordAt(rule) })) }),
    })),
  };
}

function checkConfiguration(configuration: KubeObject): readonly StatusCause[] {
  const names = new Set<string>();
  return arrayAt(configuration, 'webhooks').flatMap((one, index) => {
    const name = stringAt(one, 'name') ?? '';
    const duplicate = names.has(name)
      ? [cause('FieldValueDuplicate', `webhooks[${index}].name`, `Duplicate value: ${JSON.stringify(name)}`)]
      : [];
    names.add(name);
    return [...duplicate, ...checkWebhook(one, name, `webhooks[${index}]`)];
  });
}

function checkWebhook(one: unknown, name: string, at: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if (name.split('.').length < 3) {
    causes.push(
      cause(
        'FieldValueInvalid',
        `${at}.name`,
        `Invalid value: ${JSON.stringify(name)}: should be a domain with at least three segments separated by dots`,
      ),
    );
  }
  const sideEffects = stringAt(one, 'sideEffects');
  if (sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    const message =
      sideEffects === undefined
        ? 'Required value: must specify one of None, NoneOnDryRun'
        : `Unsupported value: ${JSON.stringify(sideEffects)}: supported values: "None", "NoneOnDryRun"`;
    causes.push(cause(sideEffects === undefined ? 'FieldValueRequired' : 'FieldValueNotSupported', `${at}.sideEffects`, message));
  }
  const versions = stringsAt(one, 'admissionReviewVersions');
  if (versions.length === 0)
    causes.push(cause('FieldValueRequired', `${at}.admissionReviewVersions`, 'Required value: must specify one of v1, v1beta1'));
  else if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    causes.push(
      cause(
        'FieldValueInvalid',
        `${at}.admissionReviewVersions`,
        `Invalid value: ${JSON.stringify(versions)}: must include at least one of v1, v1beta1`,
      ),
    );
  }
  const timeout = valueAt(one, 'timeoutSeconds');
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30)) {
    causes.push(
      cause('FieldValueInvalid', `${at}.timeoutSeconds`, `Invalid value: ${timeout}: the timeout value must be between 1 and 30 seconds`),
    );
  }
  return [...causes, ...checkWords(one, at), ...checkSelectors(one, at), ...checkClient(one, at), ...checkConditions(one, at)];
}

// Fields that take one of a few words.
function checkWords(one: unknown, at: string): readonly StatusCause[] {
  const word = (value: string | undefined, supported: readonly string[], field: string): readonly StatusCause[] => {
    if (value === undefined || supported.includes(value)) return [];
    const list = supported.map((each) => JSON.stringify(each)).join(', ');
    return [cause('FieldValueNotSupported', field, `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`)];
  };
  const rules = arrayAt(one, 'rules').flatMap((rule, index) => [
    ...stringsAt(rule, 'operations').flatMap((operation, nth) => word(operation, OPERATIONS, `${at}.rules[${index}].operations[${nth}]`)),
    ...word(stringAt(rule, 'scope'), ['*', 'Cluster', 'Namespaced'], `${at}.rules[${index}].scope`),
  ]);
  return [
    ...rules,
    ...word(stringAt(one, 'failurePolicy'), ['Fail', 'Ignore'], `${at}.failurePolicy`),
    ...word(stringAt(one, 'matchPolicy'), ['Equivalent', 'Exact'], `${at}.matchPolicy`),
  ];
}

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function checkSelectors(one: unknown, at: string): readonly StatusCause[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((selector) =>
    arrayAt(one, selector, 'matchExpressions').flatMap((expression, index) => {
      const operator = stringAt(expression, 'operator') ?? '';
      const field = `${at}.${selector}.matchExpressions[${index}].operator`;
      return SELECTOR_OPERATORS.includes(operator)
        ? []
        : [cause('FieldValueInvalid', field, `Invalid value: ${JSON.stringify(operator)}: not a valid selector operator`)];
    }),
  );
}

function checkClient(one: unknown, at: string): readonly StatusCause[] {
  const [url, service] = [stringAt(one, 'clientConfig', 'url'), valueAt(one, 'clientConfig', 'service')];
  if ((url === undefined) === (service === undefined)) {
    return [cause('FieldValueRequired', `${at}.clientConfig`, 'Required value: exactly one of url or service is required')];
  }
  if (url === undefined) return [];
  const wrong = (why: string): readonly StatusCause[] => [cause('FieldValueInvalid', `${at}.clientConfig.url`, `Invalid value: ${why}`)];
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return wrong(`${JSON.stringify(url)}: url must be a valid URL; desired format: https://host[/path]`);
  if (parsed.protocol !== 'https:')
    return wrong(
      `${JSON.stringify(parsed.protocol.slice(0, -1))}: 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    );
  if (parsed.username !== '' || parsed.password !== '')
    return wrong(`${JSON.stringify(parsed.username)}: user information is not permitted in the URL; desired format: https://host[/path]`);
  if (parsed.hash !== '')
    return wrong(`${JSON.stringify(parsed.hash.slice(1))}: fragments are not permitted in the URL; desired format: https://host[/path]`);
  if (parsed.search !== '')
    return wrong(
      `${JSON.stringify(parsed.search.slice(1))}: query parameters are not permitted in the URL; desired format: https://host[/path]`,
    );
  return [];
}

function checkConditions(one: unknown, at: string): readonly StatusCause[] {
  return arrayAt(one, 'matchConditions').flatMap((condition, index) => {
    const field = `${at}.matchConditions[${index}].expression`;
    const expression = stringAt(condition, 'expression') ?? '';
    if (expression.trim() === '') return [cause('FieldValueRequired', field, 'Required value')];
    const problem = conditionProblem(expression);
    return problem === undefined ? [] : [cause('FieldValueInvalid', field, `Invalid value: ${JSON.stringify(expression)}: ${problem}`)];
  });
}

function cause(reason: string, field: string, message: string): StatusCause {
  return { reason, field, message };
}
