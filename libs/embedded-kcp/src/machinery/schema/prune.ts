import { objectMetaSchema } from '../../built-in-schemas/object-metadata.js';
import { isRecord, type JsonRecord } from '../../json/json.js';
import { additionalOf, fieldOf, isEmbedded, itemsOf, keepsUnknown, propertiesOf } from './structural-schema.js';

type Path = readonly (string | number)[];

/** An object without the fields that its schema does not know, and the names of those fields. */
export interface Pruned {
  readonly value: unknown;
  readonly unknown: readonly string[];
}

/** Drops the fields that a schema does not know. The metadata of objects is known to every schema, and so are apiVersion and kind. */
export function prune(schema: JsonRecord, value: unknown): Pruned {
  const unknown: string[] = [];
  return { value: pruneValue(schema, value, [], unknown, true), unknown };
}

function pruneValue(schema: JsonRecord, value: unknown, path: Path, unknown: string[], isObject: boolean): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return value;
    return mapUnlessSame(value as readonly unknown[], (item, index) =>
      pruneValue(items, item, [...path, index], unknown, isEmbedded(items)),
    );
  }
  return isRecord(value) ? pruneRecord(schema, value, path, unknown, isObject) : value;
}

function pruneRecord(schema: JsonRecord, value: JsonRecord, path: Path, unknown: string[], isObject: boolean): JsonRecord {
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  const kept: Record<string, unknown> = {};
  let changed = false;
  for (const [key, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : isRecord(additional) ? additional : undefined;
    if (isObject && key === 'metadata') {
      kept[key] = pruneValue(objectMetaSchema, field, [...path, key], unknown, false);
      changed ||= kept[key] !== field;
    } else if (isObject && (key === 'apiVersion' || key === 'kind')) kept[key] = field;
    else if (known !== undefined) {
      kept[key] = pruneValue(known, field, [...path, key], unknown, isEmbedded(known));
      changed ||= kept[key] !== field;
    } else if (additional === true || keepsUnknown(schema)) kept[key] = field;
    else {
      unknown.push(fieldOf([...path, key]));
      changed = true;
    }
  }
  return changed ? kept : value;
}

// Most objects have nothing to prune: they come back as they were, without a copy.
function mapUnlessSame(values: readonly unknown[], map: (value: unknown, index: number) => unknown): readonly unknown[] {
  const mapped = values.map(map);
  return mapped.every((value, index) => value === values[index]) ? values : mapped;
}
