import { isRecord, type JsonRecord } from '../../json/json.js';
import { additionalOf, itemsOf, propertiesOf } from './structural-schema.js';

/** Fills in the defaults of a schema. An explicit null counts as missing where the field has a default and may not be null. */
export function applyDefaults(schema: JsonRecord, value: unknown): unknown {
  if (Array.isArray(value)) return ofItems(itemsOf(schema), value);
  return isRecord(value) ? ofFields(schema, value) : value;
}

function ofItems(schema: JsonRecord | undefined, items: readonly unknown[]): readonly unknown[] {
  if (schema === undefined) return items;
  const filled = items.map((item) => applyDefaults(schema, item));
  return filled.some((item, index) => item !== items[index]) ? filled : items;
}

// What needs no default comes back as it was, without a copy.
function ofFields(schema: JsonRecord, value: JsonRecord): JsonRecord {
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  const filled: [string, unknown][] = [];
  const fill = (key: string, property: JsonRecord): void => {
    const fallback = property['default'];
    const isMissing = !Object.hasOwn(value, key) || (value[key] === null && property['nullable'] !== true);
    if (isMissing && fallback === undefined && !Object.hasOwn(value, key)) return;
    const current = isMissing && fallback !== undefined ? structuredClone(fallback) : value[key];
    const next = applyDefaults(property, current);
    if (next !== value[key]) filled.push([key, next]);
  };
  for (const [key, property] of Object.entries(properties)) fill(key, property);
  if (isRecord(additional)) {
    for (const [key, field] of Object.entries(value)) {
      const next = Object.hasOwn(properties, key) ? field : applyDefaults(additional, field);
      if (next !== field) filled.push([key, next]);
    }
  }
  return filled.length === 0 ? value : { ...value, ...Object.fromEntries(filled) };
}
