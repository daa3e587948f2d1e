// Built-in kinds are Go structs in a real kcp: a value of the wrong type does not even decode. This finds what Go would complain
// about first, in its words. Custom resources are checked by their schema instead.
import { DEFINITION, type Schema } from '../../built-in-schemas/schema-notation.js';
import { isRecord, recordAt, type JsonRecord } from '../../json/json.js';

interface Place {
  /** The name of the innermost struct. */
  readonly struct: string;
  /** The fields from the object on. */
  readonly path: readonly string[];
}

/** Why a value does not decode as a kind, or undefined when it does. */
export function decodeProblem(value: JsonRecord, schema: JsonRecord, kind: string): string | undefined {
  return problemOfFields(value, schema, { struct: kind, path: [] });
}

function problemOfFields(value: JsonRecord, schema: JsonRecord, place: Place): string | undefined {
  const properties = recordAt(schema, 'properties');
  for (const [field, item] of Object.entries(value)) {
    const below = Object.hasOwn(properties, field) ? recordAt(properties, field) : undefined;
    const problem = below === undefined ? undefined : problemOf(item, below, { struct: place.struct, path: [...place.path, field] });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(value: unknown, schema: JsonRecord, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' ? problemOfText(value, schema) : mismatch(value, schema, place);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch(value, schema, place);
    case 'integer':
      if (typeof value !== 'number') return mismatch(value, schema, place);
      return Number.isInteger(value) ? undefined : mismatch(value, schema, place, `number ${value}`);
    case 'array':
      return Array.isArray(value) ? firstProblem(value, recordAt(schema, 'items'), place) : mismatch(value, schema, place);
    case 'object':
      return isRecord(value) ? problemOfMap(value, schema, place) : mismatch(value, schema, place);
    default:
      return undefined;
  }
}

function problemOfMap(value: JsonRecord, schema: Schema, place: Place): string | undefined {
  const additional = schema['additionalProperties'];
  if (isRecord(additional)) return firstProblem(Object.values(value), additional, place);
  return problemOfFields(value, schema, { struct: structName(schema) ?? place.struct, path: place.path });
}

function firstProblem(values: readonly unknown[], schema: JsonRecord, place: Place): string | undefined {
  for (const value of values) {
    const problem = problemOf(value, schema, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function problemOfText(value: string, schema: JsonRecord): string | undefined {
  const unbroken = value.replaceAll(/[\r\n]/g, '');
  if (schema['format'] === 'byte' && (!BASE64.test(unbroken) || unbroken.length % 4 !== 0)) {
    const at = unbroken.search(/[^A-Za-z0-9+/]/);
    return `illegal base64 data at input byte ${at < 0 ? unbroken.length - (unbroken.length % 4) : at}`;
  }
  if (schema['format'] === 'date-time' && !RFC_3339.test(value)) {
    const quoted = JSON.stringify(value);
    return `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`;
  }
  return undefined;
}

function mismatch(value: unknown, schema: Schema, { struct, path }: Place, found = foundKind(value)): string {
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${path.join('.')} of type ${goType(schema)}`;
}

/** What Go's decoder calls the kind of a JSON value. */
export function foundKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function goType(schema: Schema): string {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'byte' ? '[]uint8' : 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return typeof schema['format'] === 'string' ? schema['format'] : 'int64';
    case 'array':
      return `[]${goType(recordAt(schema, 'items'))}`;
    default: {
      const additional = schema['additionalProperties'];
      return isRecord(additional) ? `map[string]${goType(additional)}` : `v1.${structName(schema) ?? 'Object'}`;
    }
  }
}

function structName(schema: Schema): string | undefined {
  return schema[DEFINITION]?.split('.').at(-1);
}
