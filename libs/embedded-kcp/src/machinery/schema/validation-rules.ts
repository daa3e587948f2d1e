// x-kubernetes-validations: finds the rules that a value breaks, at every depth, in the words of Kubernetes.
import { isRecord, valueAt, type JsonRecord } from '../../json/json.js';
import type { StatusCause } from '../../http/api-status.js';
import { evaluateRule, messageOf, rulesOf, type CelRule } from './cel-rule.js';
import { readRulePath } from './rule-path.js';
import { additionalOf, itemsOf, listMapKeys, propertiesOf } from './structural-schema.js';

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

/** The rules of a schema that a value breaks. Without a previous value, rules that use `oldSelf` do not apply, unless they take it as an optional. */
export function checkRules(schema: JsonRecord, value: unknown, previous: unknown, field = ''): readonly StatusCause[] {
  if (value === undefined || value === null || !hasRules(schema)) return [];
  const own = rulesOf(schema).flatMap((rule) => checkRule(rule, schema, value, previous, field));
  if (Array.isArray(value)) return [...own, ...checkItems(schema, value, previous, field)];
  if (!isRecord(value)) return own;
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  const below = Object.entries(value).flatMap(([key, inner]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) return checkRules(property, inner, valueAt(previous, key), field === '' ? key : `${field}.${key}`);
    return isRecord(additional) ? checkRules(additional, inner, valueAt(previous, key), `${field}[${key}]`) : [];
  });
  return [...own, ...below];
}

// Items of a list that is a map are compared with their former selves by key; items of other lists have no former self.
function checkItems(schema: JsonRecord, value: readonly unknown[], previous: unknown, field: string): readonly StatusCause[] {
  const items = itemsOf(schema);
  if (items === undefined) return [];
  const keys = listMapKeys(schema);
  const before = Array.isArray(previous) && keys.length > 0 ? (previous as readonly unknown[]) : [];
  return value.flatMap((item, index) => {
    const former = before.find((one) => keys.every((key) => valueAt(one, key) === valueAt(item, key)));
    return checkRules(items, item, former, `${field}[${index}]`);
  });
}

function checkRule(rule: CelRule, schema: JsonRecord, value: unknown, previous: unknown, at: string): readonly StatusCause[] {
  if (rule.isTransition && previous === undefined && !rule.isOldOptional) return [];
  const answer = evaluateRule(rule, schema, value, previous);
  if (answer === 'holds') return [];
  const field = blamed(rule, schema, at);
  if (answer === 'broken') {
    return [{ reason: rule.reason, message: wordsFor(rule.reason, messageOf(rule, schema, value, previous), value), field }];
  }
  const what = JSON.stringify(schema['type'] ?? '');
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${what}: ${answer.failed} evaluating rule: ${rule.message}`, field }];
}

function blamed({ fieldPath }: CelRule, schema: JsonRecord, at: string): string {
  const below = fieldPath === undefined ? undefined : readRulePath(fieldPath, schema);
  const field = `${at}${below ?? ''}`.replace(/^\./, '');
  return field === '' ? '<nil>' : field;
}

function wordsFor(reason: string, message: string, value: unknown): string {
  const shown = typeof value === 'object' ? '' : JSON.stringify(value);
  switch (reason) {
    case 'FieldValueForbidden':
      return `Forbidden: ${message}`;
    case 'FieldValueRequired':
      return `Required value: ${message}`;
    case 'FieldValueDuplicate':
      return shown === '' ? 'Duplicate value' : `Duplicate value: ${shown}`;
    default:
      return shown === '' ? `Invalid value: ${message}` : `Invalid value: ${shown}: ${message}`;
  }
}
