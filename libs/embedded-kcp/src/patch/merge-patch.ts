import { badRequest } from '../http/api-status.js';
import { isRecord, type JsonRecord } from '../json/json.js';
import { goKind } from './json-patch.js';

/** Applies an RFC 7386 merge patch to an object. Throws 400 for what is no JSON object; the object itself never changes. */
export function applyMergePatch(object: JsonRecord, patch: unknown): JsonRecord {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isRecord(patch)) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`);
  }
  return merged(object, patch);
}

function merged(target: JsonRecord, patch: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = mergedField(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

function mergedField(current: unknown, value: unknown): unknown {
  if (!isRecord(value)) return withoutNestedNulls(value);
  return isRecord(current) ? merged(current, value) : withoutNestedNulls(value);
}

// Where there is nothing to merge into, a null in the patch means "leave it out". Nulls in arrays stay.
function withoutNestedNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNestedNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNestedNulls(field)]));
}
