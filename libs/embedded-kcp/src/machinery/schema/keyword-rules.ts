// Checks each keyword of a schema by itself, in the words of Kubernetes.
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, isRecord, recordAt, stringAt, stringsAt, valueAt, type JsonRecord } from '../../json/json.js';
import { celProblem, isOldOptional, namesOldSelf } from './cel-rule.js';
import { readRulePath } from './rule-path.js';
import { forbidden, required, unsupported, wrong } from './structural-rules.js';
import { itemsOf, propertiesOf } from './structural-schema.js';
import { schemasIn } from './walk-schema.js';

/** The problems of the keywords of a schema and of all schemas inside it. `at`: the field of the schema. */
export function keywordProblems(root: JsonRecord, at: string): readonly StatusCause[] {
  return [...schemasIn(root)].flatMap(({ schema, path, uncorrelatable }) => {
    const here = `${at}${path}`;
    return [
      ...shapeProblems(schema, here),
      ...listProblems(schema, here),
      ...patternProblems(schema, here),
      ...ruleProblems(schema, here, uncorrelatable === undefined ? undefined : `${at}${uncorrelatable}`),
    ];
  });
}

const NOT_SUPPORTED = ['$ref', 'additionalItems', 'definitions', 'dependencies', 'id', 'patternProperties'];

function shapeProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const has = (key: string): boolean => schema[key] !== undefined;
  const mapType = stringAt(schema, 'x-kubernetes-map-type');
  const isTwofold = isRecord(schema['additionalProperties']) && Object.keys(propertiesOf(schema)).length > 0;
  return [
    ...NOT_SUPPORTED.filter(has).map((key) => forbidden(`${at}.${key}`, `${key} is not supported`)),
    ...(schema['uniqueItems'] === true
      ? [forbidden(`${at}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic')]
      : []),
    ...(isTwofold ? [forbidden(`${at}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')] : []),
    ...(schema['type'] === 'null' ? [forbidden(`${at}.type`, 'type cannot be set to null, use nullable as an alternative')] : []),
    ...(Array.isArray(schema['items']) ? [forbidden(`${at}.items`, 'items must be a schema object and not an array')] : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [wrong(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...(mapType === undefined || ['atomic', 'granular'].includes(mapType)
      ? []
      : [unsupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])]),
  ];
}

function listProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const listType = stringAt(schema, 'x-kubernetes-list-type');
  const keys = stringsAt(schema, 'x-kubernetes-list-map-keys');
  const keysAt = `${at}.x-kubernetes-list-map-keys`;
  if (listType === undefined) {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    return keys.length === 0 ? [] : [required(`${at}.x-kubernetes-list-type`, why)];
  }
  const type = stringAt(schema, 'type') ?? '';
  if (!['atomic', 'set', 'map'].includes(listType))
    return [unsupported(`${at}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map'])];
  if (type !== 'array') return [wrong(`${at}.type`, type, 'must be array if x-kubernetes-list-type is specified')];
  const items = itemsOf(schema) ?? {};
  const isLooseSet = listType === 'set' && items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
  const atomicWhy = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (isLooseSet) return [wrong(`${at}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, atomicWhy)];
  if (listType !== 'map') return [];
  if (keys.length === 0) return [required(keysAt, 'must not be empty if x-kubernetes-list-type is map')];
  if (keys.some((key) => !Object.hasOwn(propertiesOf(items), key)))
    return [wrong(keysAt, keys, 'entries must all be names of item properties')];
  const isGiven = (key: string): boolean =>
    stringsAt(items, 'required').includes(key) || valueAt(items, 'properties', key, 'default') !== undefined;
  const keyWhy = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
  return keys.filter((key) => !isGiven(key)).map((key) => required(`${at}.items.properties[${key}].default`, keyWhy));
}

function patternProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const pattern = stringAt(schema, 'pattern');
  const why = pattern === undefined ? undefined : patternProblem(pattern);
  return why === undefined ? [] : [wrong(`${at}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`)];
}

// Kubernetes' expressions are those of RE2, which looks neither ahead nor behind nor back.
function patternProblem(pattern: string): string | undefined {
  const [strange] = /\(\?(?:=|!|<=|<!)/.exec(pattern) ?? [];
  if (strange !== undefined) return `error parsing regexp: invalid or unsupported Perl syntax: \`${strange}\``;
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return `error parsing regexp: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function ruleProblems(schema: JsonRecord, at: string, uncorrelatable: string | undefined): readonly StatusCause[] {
  return arrayAt(schema, 'x-kubernetes-validations').flatMap((one, index) => {
    const [rule = '', field] = [stringAt(one, 'rule'), `${at}.x-kubernetes-validations[${index}]`];
    if (rule.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
    const isPointless = recordAt(one)['optionalOldSelf'] !== undefined && !namesOldSelf(rule);
    return [
      ...compilationProblems(schema, one, field),
      ...pathProblems(schema, stringAt(one, 'fieldPath') ?? '', `${field}.fieldPath`),
      ...(isPointless
        ? [wrong(`${field}.optionalOldSelf`, recordAt(one)['optionalOldSelf'], 'may not be set if oldSelf is not used in rule')]
        : []),
      ...(uncorrelatable !== undefined && namesOldSelf(rule)
        ? [wrong(`${field}.rule`, rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`)]
        : []),
    ];
  });
}

// What a rule and its message make of a value; a message is looked at only where the rule is fine.
function compilationProblems(schema: JsonRecord, one: unknown, field: string): readonly StatusCause[] {
  const [rule = '', message = ''] = [stringAt(one, 'rule'), stringAt(one, 'messageExpression')];
  const wrongly = celProblem(rule, isOldOptional(one), { schema });
  if (wrongly !== undefined && wrongly.kind !== 'not-covered') {
    const why = wrongly.kind === 'wrong' ? `compilation failed: ${wrongly.why}` : 'cel expression must evaluate to a bool';
    return [wrongRule(`${field}.rule`, one, why)];
  }
  if (message === '') return [];
  if (message.trim() === '') return [required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified')];
  const told = celProblem(message, isOldOptional(one), { schema, wanted: 'string' });
  if (told === undefined || told.kind === 'not-covered') return [];
  const why = told.kind === 'wrong' ? `messageExpression compilation failed: ${told.why}` : 'messageExpression must evaluate to a string';
  return [wrongRule(`${field}.messageExpression`, one, why)];
}

function pathProblems(schema: JsonRecord, path: string, field: string): readonly StatusCause[] {
  if (path === '') return [];
  return [
    ...(path.trim() === '' ? [wrong(field, path, 'must be non-empty if specified')] : []),
    ...(path.includes('\n') ? [wrong(field, path, 'must not contain line breaks')] : []),
    ...(readRulePath(path, schema) === undefined ? [wrong(field, path, 'must be a valid path')] : []),
  ];
}

// Kubernetes shows a rule that does not compile as a whole, under the names of its own source.
function wrongRule(field: string, one: unknown, why: string): StatusCause {
  const shown = {
    Rule: stringAt(one, 'rule') ?? '',
    Message: stringAt(one, 'message') ?? '',
    MessageExpression: stringAt(one, 'messageExpression') ?? '',
    Reason: stringAt(one, 'reason') ?? null,
    FieldPath: stringAt(one, 'fieldPath') ?? '',
    OptionalOldSelf: recordAt(one)['optionalOldSelf'] ?? null,
  };
  return wrong(field, shown, why);
}
