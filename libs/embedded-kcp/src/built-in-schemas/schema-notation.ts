// A short notation for structural schemas, so that the built-in kinds read as the tables they are. Every schema that Kubernetes
// names is marked with that name: OpenAPI documents refer to it instead of repeating it.
import type { JsonRecord } from '../json/json.js';

/** Marks a schema with the name it has in OpenAPI documents. Symbols stay out of JSON. */
export const DEFINITION: unique symbol = Symbol('definition');

/** A structural schema, perhaps one that has a name of its own. */
export type Schema = JsonRecord & { readonly [DEFINITION]?: string };

/** Properties of an object by name. */
export type Properties = Readonly<Record<string, Schema>>;

/** A string. */
export function text(description: string, more: JsonRecord = {}): Schema {
  return { description, type: 'string', ...more };
}

/** One of some strings. */
export function oneOf(description: string, values: readonly string[], more: JsonRecord = {}): Schema {
  return text(description, { enum: values, ...more });
}

/** A 32-bit integer. */
export function integer(description: string, more: JsonRecord = {}): Schema {
  return { description, type: 'integer', format: 'int32', ...more };
}

/** True or false. */
export function truth(description: string): Schema {
  return { description, type: 'boolean' };
}

/** A point in time, RFC 3339. */
export function moment(description: string): Schema {
  return text(description, { format: 'date-time' });
}

/** Base64. */
export function bytes(description: string): Schema {
  return text(description, { format: 'byte' });
}

/** A number with a unit: a string, or a plain number. */
export function quantity(description: string): Schema {
  return { description, 'x-kubernetes-int-or-string': true };
}

/** Any JSON. */
export function anything(description: string): Schema {
  return { description, 'x-kubernetes-preserve-unknown-fields': true };
}

/** A list that is replaced as a whole. */
export function listOf(description: string, items: Schema): Schema {
  return { description, type: 'array', items, 'x-kubernetes-list-type': 'atomic' };
}

/** A list of strings that is replaced as a whole. */
export function texts(description: string): Schema {
  return listOf(description, { type: 'string' });
}

/** A list in which every value is there once; patches add to it. */
export function setOf(description: string, items: Schema): Schema {
  return { description, type: 'array', items, 'x-kubernetes-list-type': 'set' };
}

/** A list whose items are identified by one field, for server-side apply alone: other patches replace it. */
export function listAppliedByKey(description: string, key: string, items: Schema): Schema {
  return { description, type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] };
}

/** A list whose items are identified by one field, for every patch. */
export function listByKey(description: string, key: string, items: Schema): Schema {
  return { ...listAppliedByKey(description, key, items), 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': key };
}

/** Values by name. */
export function mapOf(description: string, values: Schema): Schema {
  return { description, type: 'object', additionalProperties: values };
}

/** Strings by name. */
export function textMap(description: string): Schema {
  return mapOf(description, { type: 'string' });
}

/** An object with these fields and no others. */
export function object(description: string, properties: Properties, required: readonly string[] = []): Schema {
  return { description, type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** Fields that are owned and replaced together. */
export function atomic(schema: Schema): Schema {
  return { ...schema, 'x-kubernetes-map-type': 'atomic' };
}

/** A schema under the name that Kubernetes gives it. */
export function define(name: string, schema: Schema): Schema {
  return { ...schema, [DEFINITION]: name };
}

/** A named schema, described in the place where it is used. */
export function as(description: string, schema: Schema, more: JsonRecord = {}): Schema {
  return { ...schema, description, ...more };
}
