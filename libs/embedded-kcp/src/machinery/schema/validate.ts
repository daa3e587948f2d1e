// Validation against a structural schema, with the texts that kube-apiserver gives. A general JSON schema validator would need each
// of its errors translated; the structural subset is smaller than that translation.
import { isRecord, sameJson, stringsAt, valueAt, type JsonRecord } from '../../json/json.js';
import { oncePer } from '../../json/once-per.js';
import type { StatusCause } from '../../http/api-status.js';
import { hasFormat } from './formats.js';
import { additionalOf, fieldOf, isIntOrString, itemsOf, listMapKeys, propertiesOf } from './structural-schema.js';

type Path = readonly (string | number)[];
type Check = (schema: JsonRecord, value: unknown, path: Path, before: unknown) => readonly StatusCause[];

/**
 * The problems of a value, in the order in which they are found. A part of the value that is as it was `before` has none: the schema may have become
 * stricter since.
 */
export function validate(schema: JsonRecord, value: unknown, path: Path = [], before?: unknown): readonly StatusCause[] {
  const causes = check(schema, value, path, before);
  return causes.length > 0 && before !== undefined && sameJson(value, before) ? NONE : causes;
}

function check(schema: JsonRecord, value: unknown, path: Path, before: unknown): readonly StatusCause[] {
  const wrongType = checkType(schema, value, path);
  if (wrongType.length > 0 || (value === null && schema['nullable'] === true)) return wrongType;
  const causes: StatusCause[] = [];
  for (const each of checksOf(schema)) causes.push(...each(schema, value, path, before));
  return causes;
}

// Which checks can have anything to say: for most of the schemas inside a schema that is none.
const checksOf = oncePer((schema: JsonRecord): readonly Check[] =>
  KEYWORDS.filter(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined)).map(([each]) => each),
);

const KEYWORDS: readonly (readonly [Check, readonly string[]])[] = [
  [checkEnum, ['enum']],
  [checkString, ['minLength', 'maxLength', 'pattern', 'format']],
  [checkNumber, ['minimum', 'maximum', 'multipleOf']],
  [checkObject, ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
  [checkArray, ['items', 'minItems', 'maxItems', 'x-kubernetes-list-type']],
  [checkCombinations, ['allOf', 'anyOf', 'oneOf', 'not']],
];

const NONE: readonly StatusCause[] = [];

function checkType(schema: JsonRecord, value: unknown, path: Path): readonly StatusCause[] {
  const type = schema['type'];
  if (value === null && schema['nullable'] === true) return NONE;
  if (isIntOrString(schema) && (typeof value === 'string' || Number.isInteger(value))) return NONE;
  if (typeof type !== 'string' || isType(type, value)) return NONE;
  const found = typeName(value);
  const text = `Invalid value: ${quote(found)}: ${fieldOf(path)} in body must be of type ${type}: ${quote(found)}`;
  return [{ reason: 'FieldValueTypeInvalid', message: text, field: printed(path) }];
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkEnum(schema: JsonRecord, value: unknown, path: Path): readonly StatusCause[] {
  const allowed = schema['enum'];
  if (!Array.isArray(allowed) || allowed.some((one) => sameJson(one, value))) return NONE;
  const supported = allowed.map((one) => JSON.stringify(one)).join(', ');
  return [cause('FieldValueNotSupported', path, `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`)];
}

function checkString(schema: JsonRecord, value: unknown, path: Path): readonly StatusCause[] {
  if (typeof value !== 'string') return [];
  const causes: StatusCause[] = [];
  const [least, most, pattern, format] = [schema['minLength'], schema['maxLength'], schema['pattern'], schema['format']];
  // Kubernetes counts code points; counting them is worth it only if the schema sets a bound.
  const length = least === undefined && most === undefined ? 0 : Array.from(value).length;
  if (typeof least === 'number' && length < least) causes.push(invalid(path, value, `should be at least ${least} chars long`));
  if (typeof most === 'number' && length > most) {
    causes.push(cause('FieldValueTooLong', path, `Too long: may not be more than ${most} bytes`));
  }
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) causes.push(invalid(path, value, `should match '${pattern}'`));
  if (typeof format === 'string' && !hasFormat(value, format)) {
    causes.push(invalid(path, value, `must be of type ${format}: ${quote(value)}`));
  }
  return causes;
}

function checkNumber(schema: JsonRecord, value: unknown, path: Path): readonly StatusCause[] {
  if (typeof value !== 'number') return [];
  const causes: StatusCause[] = [];
  const [least, most, multiple] = [schema['minimum'], schema['maximum'], schema['multipleOf']];
  const [aboveLeast, belowMost] = [schema['exclusiveMinimum'] === true, schema['exclusiveMaximum'] === true];
  if (typeof least === 'number' && (aboveLeast ? value <= least : value < least)) {
    causes.push(invalid(path, value, `should be greater than ${aboveLeast ? '' : 'or equal to '}${least}`));
  }
  if (typeof most === 'number' && (belowMost ? value >= most : value > most)) {
    causes.push(invalid(path, value, `should be less than ${belowMost ? '' : 'or equal to '}${most}`));
  }
  if (typeof multiple === 'number' && value % multiple !== 0) causes.push(invalid(path, value, `should be a multiple of ${multiple}`));
  return causes;
}

function checkObject(schema: JsonRecord, value: unknown, path: Path, before: unknown): readonly StatusCause[] {
  if (!isRecord(value)) return [];
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  const count = Object.keys(value).length;
  const [least, most] = [schema['minProperties'], schema['maxProperties']];
  const causes: StatusCause[] = stringsAt(schema, 'required')
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => cause('FieldValueRequired', [...path, key], 'Required value'));
  if (typeof least === 'number' && count < least) causes.push(invalid(path, value, `should have at least ${least} properties`));
  if (typeof most === 'number' && count > most)
    causes.push(cause('FieldValueTooMany', path, `Too many: ${count}: must have at most ${most} items`));
  for (const [key, field] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : isRecord(additional) ? additional : undefined;
    if (property !== undefined) causes.push(...validate(property, field, [...path, key], valueAt(before, key)));
  }
  return causes;
}

function checkArray(schema: JsonRecord, value: unknown, path: Path, before: unknown): readonly StatusCause[] {
  if (!Array.isArray(value)) return [];
  const list = value as readonly unknown[];
  const [least, most, items] = [schema['minItems'], schema['maxItems'], itemsOf(schema)];
  const causes: StatusCause[] = [];
  if (typeof least === 'number' && list.length < least) causes.push(invalid(path, list.length, `should have at least ${least} items`));
  if (typeof most === 'number' && list.length > most) {
    causes.push(cause('FieldValueTooMany', path, `Too many: ${list.length}: must have at most ${most} items`));
  }
  const itemBefore = correlation(schema, before);
  if (items !== undefined) list.forEach((item, index) => causes.push(...validate(items, item, [...path, index], itemBefore(item))));
  return [...causes, ...duplicates(schema, list, path)];
}

/** Only items that have keys are known again. */
function correlation(schema: JsonRecord, before: unknown): (item: unknown) => unknown {
  const keys = listMapKeys(schema);
  if (keys.length === 0 || !Array.isArray(before)) return () => undefined;
  const byKey = new Map(before.map((item: unknown) => [JSON.stringify(keyOf(keys, item)), item]));
  return (item) => byKey.get(JSON.stringify(keyOf(keys, item)));
}

function keyOf(keys: readonly string[], item: unknown): unknown {
  return Object.fromEntries(keys.filter((key) => valueAt(item, key) !== undefined).map((key) => [key, valueAt(item, key)]));
}

function duplicates(schema: JsonRecord, list: readonly unknown[], path: Path): readonly StatusCause[] {
  const keys = listMapKeys(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' && keys.length === 0) return [];
  const identityOf = (item: unknown): unknown => (keys.length === 0 ? item : keyOf(keys, item));
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const identity = JSON.stringify(identityOf(item));
    const isFirst = !seen.has(identity);
    seen.add(identity);
    return isFirst ? [] : [cause('FieldValueDuplicate', [...path, index], `Duplicate value: ${identity}`)];
  });
}

function checkCombinations(schema: JsonRecord, value: unknown, path: Path, before: unknown): readonly StatusCause[] {
  const branches = (keyword: string): readonly JsonRecord[] => {
    const found = schema[keyword];
    return Array.isArray(found) ? found.filter(isRecord) : [];
  };
  const fits = (branch: JsonRecord): boolean => validate(branch, value, path).length === 0;
  const causes = branches('allOf').flatMap((branch) => validate(branch, value, path, before));
  const any = branches('anyOf');
  const one = branches('oneOf');
  const not = schema['not'];
  if (any.length > 0 && !any.some(fits)) causes.push(invalid(path, value, 'must validate at least one schema (anyOf)'));
  if (one.length > 0 && one.filter(fits).length !== 1) causes.push(invalid(path, value, 'must validate one and only one schema (oneOf)'));
  if (isRecord(not) && fits(not)) causes.push(invalid(path, value, 'must not validate the schema (not)'));
  return causes;
}

function invalid(path: Path, value: unknown, what: string): StatusCause {
  const shown = isRecord(value) ? '' : `${JSON.stringify(value)}: `;
  return cause('FieldValueInvalid', path, `Invalid value: ${shown}${fieldOf(path)} in body ${what}`);
}

function cause(reason: string, path: Path, message: string): StatusCause {
  return { reason, message, field: printed(path) };
}

function printed(path: Path): string {
  return path.length === 0 ? '<nil>' : fieldOf(path);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
