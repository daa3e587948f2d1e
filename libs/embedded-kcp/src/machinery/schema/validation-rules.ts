// x-kubernetes-validations: CEL rules in schemas. `self` and `oldSelf` are bound with integers as CEL ints, where the schema says so.
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { isRecord, stringAt, valueAt, type JsonRecord } from '../../json.js';
import type { StatusCause } from '../../http/api-status.js';
import { additionalOf, fieldOf, itemsOf, listMapKeys, propertiesOf } from './structural-schema.js';

type Path = readonly (string | number)[];

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');
const programs = new Map<string, ParseResult>();

const ruled = new WeakMap<JsonRecord, boolean>();

/** Whether a schema has any rules, at any depth. */
export function hasRules(schema: JsonRecord): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const additional = additionalOf(schema);
  const below = [...Object.values(propertiesOf(schema)), itemsOf(schema), isRecord(additional) ? additional : undefined];
  const found = rulesOf(schema).length > 0 || below.some((one) => one !== undefined && hasRules(one));
  ruled.set(schema, found);
  return found;
}

/** Which rules of a schema a value breaks. `previous` is undefined on a create; then rules that compare with it do not apply. */
export function checkRules(schema: JsonRecord, value: unknown, previous: unknown, path: Path = []): readonly StatusCause[] {
  if (value === undefined || value === null) return [];
  const own = rulesOf(schema).flatMap((rule) => checkRule(rule, schema, value, previous, path));
  if (Array.isArray(value)) return [...own, ...checkItems(schema, value, previous, path)];
  if (!isRecord(value)) return own;
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  const below = Object.entries(value).flatMap(([key, field]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : isRecord(additional) ? additional : undefined;
    return property === undefined ? [] : checkRules(property, field, valueAt(previous, key), [...path, key]);
  });
  return [...own, ...below];
}

// Items of a list that is a map are compared with their former selves by key; items of other lists have no former self.
function checkItems(schema: JsonRecord, value: readonly unknown[], previous: unknown, path: Path): readonly StatusCause[] {
  const items = itemsOf(schema);
  if (items === undefined) return [];
  const keys = listMapKeys(schema);
  const before = Array.isArray(previous) && keys.length > 0 ? (previous as readonly unknown[]) : [];
  return value.flatMap((item, index) => {
    const former = before.find((one) => keys.every((key) => valueAt(one, key) === valueAt(item, key)));
    return checkRules(items, item, former, [...path, index]);
  });
}

interface Rule {
  readonly rule: string;
  readonly text: string;
  readonly reason: string;
}

function rulesOf(schema: JsonRecord): readonly Rule[] {
  const found = schema['x-kubernetes-validations'];
  if (!Array.isArray(found)) return [];
  return found.filter(isRecord).map((one) => {
    const rule = stringAt(one, 'rule') ?? 'true';
    return { rule, text: stringAt(one, 'message') ?? `failed rule: ${rule}`, reason: stringAt(one, 'reason') ?? 'FieldValueInvalid' };
  });
}

function checkRule(
  { rule, text, reason }: Rule,
  schema: JsonRecord,
  value: unknown,
  previous: unknown,
  path: Path,
): readonly StatusCause[] {
  const isTransition = /\boldSelf\b/.test(rule);
  if (isTransition && previous === undefined) return [];
  const field = path.length === 0 ? '<nil>' : fieldOf(path);
  const label = reason === 'FieldValueForbidden' ? 'Forbidden' : 'Invalid value';
  try {
    const holds: unknown = programOf(rule)({ self: toCel(schema, value), ...(isTransition ? { oldSelf: toCel(schema, previous) } : {}) });
    return holds === true ? [] : [{ reason, message: `${label}: ${text}`, field }];
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: rule evaluation error: ${why}`, field }];
  }
}

/** Why a rule cannot be evaluated: it is no CEL, or it uses a function that this server does not have. */
export function celProblem(rule: string): { readonly kind: 'syntax' | 'unknown-function'; readonly why: string } | undefined {
  const firstLine = (text: string): string => text.split('\n')[0] ?? '';
  try {
    const { valid, error } = programOf(rule).check();
    return valid ? undefined : { kind: 'unknown-function', why: firstLine(error?.message ?? '') };
  } catch (error) {
    return { kind: 'syntax', why: firstLine(error instanceof Error ? error.message : String(error)) };
  }
}

function programOf(rule: string): ParseResult {
  const known = programs.get(rule);
  if (known !== undefined) return known;
  const program = environment.parse(rule);
  programs.set(rule, program);
  return program;
}

function toCel(schema: JsonRecord, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema) ?? {};
    return value.map((item) => toCel(items, item));
  }
  if (!isRecord(value)) return typeof value === 'number' && schema['type'] === 'integer' ? BigInt(value) : value;
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, toCel(properties[key] ?? (isRecord(additional) ? additional : {}), field)]),
  );
}
