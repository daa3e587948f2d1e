import { isRecord, valueAt, type JsonRecord } from '../../json.js';
import { additionalOf, itemsOf, propertiesOf } from './structural-schema.js';

/** Fills in the defaults of a schema. An explicit null counts as missing where the field has a default and may not be null. */
export function applyDefaults(schema: JsonRecord, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items === undefined ? value : value.map((item) => applyDefaults(items, item));
  }
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = { ...value };
  const properties = propertiesOf(schema);
  for (const [key, property] of Object.entries(properties)) {
    const fallback = valueAt(property, 'default');
    const missing = !Object.hasOwn(result, key) || (result[key] === null && property['nullable'] !== true);
    if (missing && fallback !== undefined) result[key] = structuredClone(fallback);
    if (Object.hasOwn(result, key)) result[key] = applyDefaults(property, result[key]);
  }
  const additional = additionalOf(schema);
  if (!isRecord(additional)) return result;
  for (const key of Object.keys(result)) if (!Object.hasOwn(properties, key)) result[key] = applyDefaults(additional, result[key]);
  return result;
}
