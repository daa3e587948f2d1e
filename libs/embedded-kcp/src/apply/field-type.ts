// How the fields of an object are owned and merged, read from its schema: which values are leaves, which are merged field by field, and which keys identify
// an item of a list.
import { isRecord, recordAt, stringAt, stringsAt, type JsonRecord } from '../json/json.js';
import { keyElement, valueElement } from './path-element.js';
import type { PathElement } from './field-set.js';

/** A list: one leaf, or items that are identified by keys (none: by their value). */
export type ListType =
  | { readonly kind: 'list'; readonly atomic: true; readonly items: FieldType }
  | {
      readonly kind: 'list';
      readonly atomic: false;
      readonly keys: readonly string[];
      readonly items: FieldType;
      readonly keyDefaults: JsonRecord;
    };

/** A map or an object with named fields. `rest` is the type of fields that have no name in the schema; undefined: there may be none. */
export interface MapType {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly named: (field: string) => FieldType | undefined;
  readonly rest: FieldType | undefined;
}

/** The kinds of values that a scalar may hold. */
export interface ScalarType {
  readonly kind: 'scalar';
  readonly of: 'string' | 'boolean' | 'numeric' | 'untyped';
}

/** The forms that a value may have. A schema without a type allows several. */
export interface FieldType {
  readonly map?: MapType;
  readonly scalar?: ScalarType;
  readonly list?: ListType;
}

const UNTYPED_SCALAR: ScalarType = { kind: 'scalar', of: 'untyped' };

/** Anything, as one leaf. */
export const ANYTHING: FieldType = {
  scalar: UNTYPED_SCALAR,
  list: { kind: 'list', atomic: true, items: {} },
  map: { kind: 'map', atomic: true, named: () => undefined, rest: {} },
};

/** The type of fields that no schema names: any value, maps merged field by field. */
export const DEDUCED: FieldType = {
  scalar: UNTYPED_SCALAR,
  list: { kind: 'list', atomic: true, items: ANYTHING },
  map: {
    kind: 'map',
    atomic: false,
    named: () => undefined,
    get rest(): FieldType {
      return DEDUCED;
    },
  },
};

const compiled = new WeakMap<JsonRecord, FieldType>();
const compiledPreserving = new WeakMap<JsonRecord, FieldType>();

/** The type that a schema describes. `preserving`: a schema above this one keeps unknown fields. */
export function fieldTypeOf(schema: JsonRecord, preserving = false): FieldType {
  const cache = preserving ? compiledPreserving : compiled;
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const type = compile(schema, preserving || schema['x-kubernetes-preserve-unknown-fields'] === true);
  cache.set(schema, type);
  return type;
}

function compile(schema: JsonRecord, preserving: boolean): FieldType {
  switch (schema['type']) {
    case 'object':
      return { map: mapType(schema, preserving) };
    case 'array':
      return { list: listType(schema, preserving) };
    case 'integer':
    case 'number':
      return { scalar: { kind: 'scalar', of: 'numeric' } };
    case 'boolean':
      return { scalar: { kind: 'scalar', of: 'boolean' } };
    case 'string':
      return {
        scalar: stringAt(schema, 'format') === undefined || schema['format'] === 'byte' ? { kind: 'scalar', of: 'string' } : UNTYPED_SCALAR,
      };
    default:
      return { scalar: UNTYPED_SCALAR, list: listType(schema, preserving), map: mapType(schema, preserving) };
  }
}

function mapType(schema: JsonRecord, preserving: boolean): MapType {
  const properties = recordAt(schema, 'properties');
  return {
    kind: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    named: (field) => (Object.hasOwn(properties, field) ? fieldTypeOf(recordAt(properties, field), preserving) : undefined),
    get rest(): FieldType | undefined {
      const additional = schema['additionalProperties'];
      if (isRecord(additional)) return fieldTypeOf(additional, preserving);
      if (additional === false) return undefined;
      return additional === true || preserving || Object.keys(properties).length === 0 ? DEDUCED : undefined;
    },
  };
}

function listType(schema: JsonRecord, preserving: boolean): ListType {
  const itemSchema = recordAt(schema, 'items');
  const items = isRecord(schema['items']) ? fieldTypeOf(itemSchema, preserving) : ANYTHING;
  const keys = listKeys(schema);
  return keys === undefined
    ? { kind: 'list', atomic: true, items }
    : { kind: 'list', atomic: false, keys, items, keyDefaults: keyDefaults(itemSchema, keys) };
}

function listKeys(schema: JsonRecord): readonly string[] | undefined {
  const listKind = stringAt(schema, 'x-kubernetes-list-type');
  if (listKind === 'map') return stringsAt(schema, 'x-kubernetes-list-map-keys');
  if (listKind === 'set') return [];
  if (listKind !== undefined || stringAt(schema, 'x-kubernetes-patch-strategy')?.split(',').includes('merge') !== true) return undefined;
  const mergeKey = stringAt(schema, 'x-kubernetes-patch-merge-key');
  return mergeKey === undefined ? [] : [mergeKey];
}

function keyDefaults(itemSchema: JsonRecord, keys: readonly string[]): JsonRecord {
  const defaults = keys.map((key) => [key, recordAt(itemSchema, 'properties', key)['default']] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

/** The form that a value has under a type; for a value that does not fit, the form that the type would rather have. */
export function formOf({ map, scalar, list }: FieldType, value: unknown): MapType | ScalarType | ListType {
  const fitting = Array.isArray(value) ? list : isRecord(value) ? map : value === undefined || value === null ? undefined : scalar;
  return fitting ?? map ?? scalar ?? list ?? UNTYPED_SCALAR;
}

/** The type of a field of a map. */
export function typeOfField(type: MapType, field: string): FieldType {
  return type.named(field) ?? type.rest ?? ANYTHING;
}

/** The path element that identifies an item of a list, or the reason why there is none. */
export function elementOfItem(
  list: ListType & { readonly atomic: false },
  item: unknown,
): { readonly element: PathElement } | { readonly problem: string } {
  if (list.keys.length === 0) return elementOfSetItem(item);
  if (item === null || item === undefined) return { problem: 'associative list with keys may not have a null element' };
  if (!isRecord(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const known = list.keys.map((key) => [key, Object.hasOwn(item, key) ? item[key] : list.keyDefaults[key]] as const);
  const key = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  if (Object.keys(key).length > 0) return { element: keyElement(key) };
  const names = list.keys.map((name) => JSON.stringify(name)).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function elementOfSetItem(item: unknown): { readonly element: PathElement } | { readonly problem: string } {
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (isRecord(item)) return { problem: "associative list without keys has an element that's a map type" };
  if (item === null || item === undefined) return { problem: "associative list without keys has an element that's an explicit null" };
  return { element: valueElement(item) };
}
