// Builds the schemas of resources that stand in the source, in a form that reads like the type.
import type { JsonRecord } from '../../json/json.js';

/** A string. */
export const text = { type: 'string' } as const;
/** An integer. */
export const integer = { type: 'integer' } as const;
/** A boolean. */
export const flag = { type: 'boolean' } as const;
/** A point in time. */
export const time = { type: 'string', format: 'date-time' } as const;
/** Anything. */
export const anything = { 'x-kubernetes-preserve-unknown-fields': true } as const;
/** An object with any fields. */
export const anyObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** One of some words. */
export function oneOf(...values: readonly string[]): JsonRecord {
  return { type: 'string', enum: values };
}

/** An object. A name that ends in `!` is required. */
export function object(fields: Readonly<Record<string, JsonRecord>>, extra: JsonRecord = {}): JsonRecord {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace(/!$/, ''), schema]));
  const required = Object.keys(fields)
    .filter((name) => name.endsWith('!'))
    .map((name) => name.slice(0, -1));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), ...extra };
}

/** A list. With keys it is a list of type map. */
export function list(items: JsonRecord, ...keys: readonly string[]): JsonRecord {
  return { type: 'array', items, ...(keys.length === 0 ? {} : { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }) };
}

/** A map from strings. */
export function mapOf(values: JsonRecord): JsonRecord {
  return { type: 'object', additionalProperties: values };
}

/** A schema with further keywords. */
export function also(schema: JsonRecord, extra: JsonRecord): JsonRecord {
  return { ...schema, ...extra };
}

/** A CEL rule of a schema. */
export function rule(expression: string, message: string): JsonRecord {
  return { 'x-kubernetes-validations': [{ rule: expression, message }] };
}

/** A label selector. */
export const labelSelector = object({
  matchLabels: mapOf(text),
  matchExpressions: list(object({ 'key!': text, 'operator!': text, values: list(text) })),
});

/** The conditions of kcp's own types. */
export const conditions = list(
  object({ 'type!': text, 'status!': text, severity: text, 'lastTransitionTime!': time, reason: text, message: text }),
);

/** A whole resource: apiVersion, kind and metadata around its own fields. */
export function resource(fields: Readonly<Record<string, JsonRecord>>): JsonRecord {
  return object({ apiVersion: text, kind: text, metadata: { type: 'object' }, ...fields });
}
