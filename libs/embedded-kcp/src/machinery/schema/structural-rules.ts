// Checks that a schema is structural: it gives the type of every value exactly once. In the words of Kubernetes.
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, isRecord, recordAt, stringAt, type JsonRecord } from '../../json/json.js';
import { isEmbedded, isIntOrString, itemsOf, keepsUnknown, propertiesOf } from './structural-schema.js';
import { schemasIn, type SchemaPlace } from './walk-schema.js';

/** The problems that keep a schema from being structural. `at`: the field of the schema. */
export function structuralProblems(root: JsonRecord, at: string): readonly StatusCause[] {
  return [...schemasIn(root)].flatMap((place) => [
    ...typeProblems(place, `${at}${place.path}`),
    ...objectProblems(place, `${at}${place.path}`),
    ...combinationProblems(place.schema, `${at}${place.path}`),
  ]);
}

/** A field that is missing. */
export function required(field: string, why: string): StatusCause {
  return { reason: 'FieldValueRequired', message: `Required value: ${why}`, field };
}

/** A field that may not be there. */
export function forbidden(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field };
}

/** A value that is wrong. */
export function wrong(field: string, value: unknown, why: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field };
}

/** A value that is none of the supported ones. */
export function unsupported(field: string, value: string, supported: readonly string[]): StatusCause {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`, field };
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const WHERE = { root: 'at the root', field: 'for specified object fields', item: 'for specified array items' } as const;

function typeProblems({ schema, role }: SchemaPlace, at: string): readonly StatusCause[] {
  if (schema['$ref'] !== undefined) return [];
  const type = stringAt(schema, 'type') ?? '';
  const mayBeOpen = role !== 'root' && (isIntOrString(schema) || keepsUnknown(schema));
  if (type === '') return mayBeOpen ? [] : [required(`${at}.type`, `must not be empty ${WHERE[role]}`)];
  if (!TYPES.includes(type)) return [unsupported(`${at}.type`, type, TYPES)];
  if (role === 'root' && type !== 'object') return [wrong(`${at}.type`, type, 'must be object at the root')];
  const isOpenList = type === 'array' && schema['items'] === undefined;
  return isOpenList ? [required(`${at}.items`, 'must be specified')] : [];
}

function objectProblems({ schema, role }: SchemaPlace, at: string): readonly StatusCause[] {
  const isLoose = isEmbedded(schema) && !keepsUnknown(schema) && Object.keys(propertiesOf(schema)).length === 0;
  const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  return [
    ...(isLoose ? [required(`${at}.properties`, why)] : []),
    ...(role === 'root' || isEmbedded(schema) ? identityProblems(propertiesOf(schema), at) : []),
  ];
}

// What a schema may say of the fields that every object has.
function identityProblems(properties: Readonly<Record<string, JsonRecord>>, at: string): readonly StatusCause[] {
  const strings = ['apiVersion', 'kind'].flatMap((name) => {
    const type = Object.hasOwn(properties, name) ? stringAt(properties[name], 'type') : 'string';
    return type === 'string' ? [] : [wrong(`${at}.properties[${name}].type`, type ?? '', 'must be string')];
  });
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
  if (metadata === undefined) return strings;
  const field = `${at}.properties[metadata]`;
  if (metadata['type'] !== 'object') return [...strings, wrong(`${field}.type`, metadata['type'] ?? '', 'must be object')];
  const speaksOf = Object.keys(propertiesOf(metadata)).filter((name) => name !== 'name' && name !== 'generateName');
  const saysMore = Object.keys(metadata).some((key) => !['type', 'description', 'properties'].includes(key));
  if (speaksOf.length === 0 && !saysMore) return strings;
  return [...strings, forbidden(field, 'must not specify anything other than name and generateName, but metadata is implicitly specified')];
}

const COMBINATIONS = ['allOf', 'anyOf', 'oneOf'] as const;

// What belongs to the schema itself and not into its combinations.
const OUTSIDE: Readonly<Record<string, string>> = {
  type: 'must be empty to be structural',
  title: 'must be empty to be structural',
  description: 'must be empty to be structural',
  default: 'must be undefined to be structural',
  additionalProperties: 'must be undefined to be structural',
  nullable: 'must be false to be structural',
  'x-kubernetes-preserve-unknown-fields': 'must be false to be structural',
  'x-kubernetes-embedded-resource': 'must be false to be structural',
  'x-kubernetes-int-or-string': 'must be false to be structural',
};

function combinationProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const listed = COMBINATIONS.flatMap((key) =>
    arrayAt(schema, key)
      .filter(isRecord)
      .map((one, index) => ({ one, field: `${at}.${key}[${index}]` })),
  );
  const negated = isRecord(schema['not']) ? [{ one: recordAt(schema, 'not'), field: `${at}.not` }] : [];
  return [...listed, ...negated].flatMap(({ one, field }) =>
    isIntOrString(schema) && isTypeChoice(one) ? [] : nestedProblems(one, field),
  );
}

// `anyOf: [{type: integer}, {type: string}]`, alone or as the first of allOf, is how int-or-string is told to other readers.
function isTypeChoice(one: JsonRecord): boolean {
  const isType = (schema: unknown): boolean => ['integer', 'string'].includes(stringAt(schema, 'type') ?? '');
  return Object.keys(one).length === 1 && (isType(one) || arrayAt(one, 'anyOf').some(isType));
}

function nestedProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const own = Object.entries(OUTSIDE)
    .filter(([key]) => schema[key] !== undefined && schema[key] !== false && schema[key] !== '')
    .map(([key, why]) => forbidden(`${at}.${key}`, why));
  const items = itemsOf(schema);
  const below = Object.entries(propertiesOf(schema)).flatMap(([name, one]) => nestedProblems(one, `${at}.properties[${name}]`));
  return [...own, ...below, ...(items === undefined ? [] : nestedProblems(items, `${at}.items`)), ...combinationProblems(schema, at)];
}
