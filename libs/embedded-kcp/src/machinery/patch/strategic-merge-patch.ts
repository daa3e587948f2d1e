// Strategic merge for built-ins: as a merge patch, but lists of objects with a merge key merge item by item. The keys are those that
// Kubernetes declares for the types that kcp serves.
import { isList, isRecord, valueAt, without, type JsonRecord } from '../../json.js';

// By the name of the list field; where one name has several meanings none of them reaches a type that kcp serves.
const MERGE_KEYS: Readonly<Record<string, string>> = {
  ownerReferences: 'uid',
  webhooks: 'name',
  matchConditions: 'name',
  validations: 'expression',
  secrets: 'name',
  imagePullSecrets: 'name',
  conditions: 'type',
};
const SETS = new Set(['finalizers']);

/** Applies a strategic merge patch. */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  if (patch['$patch'] === 'delete') return {};
  const kept = patch['$retainKeys'];
  const before = isRecord(target) ? target : {};
  const start = isList(kept) ? Object.fromEntries(Object.entries(before).filter(([key]) => kept.includes(key))) : before;
  return Object.entries(patch).reduce<JsonRecord>(mergeField, start);
}

const REMOVAL = '$deleteFromPrimitiveList/';

function mergeField(result: JsonRecord, [key, value]: readonly [string, unknown]): JsonRecord {
  if (key.startsWith(REMOVAL)) {
    const field = key.slice(REMOVAL.length);
    const list = result[field];
    return isList(list) && isList(value) ? { ...result, [field]: list.filter((item) => !value.includes(item)) } : result;
  }
  if (key.startsWith('$')) return result;
  if (value === null) return without(result, key);
  return { ...result, [key]: isList(value) ? mergeList(key, result[key], value) : strategicMergePatch(result[key], value) };
}

function mergeList(field: string, target: unknown, patch: readonly unknown[]): readonly unknown[] {
  const before = isList(target) ? target : [];
  if (SETS.has(field)) return [...before, ...patch.filter((item) => !before.includes(item))];
  const key = MERGE_KEYS[field];
  if (key === undefined) return patch;
  const items = patch.filter(isRecord);
  if (items.some((item) => item['$patch'] === 'replace')) return items.filter((item) => item['$patch'] === undefined);
  return items.reduce<readonly unknown[]>((list, item) => {
    const index = list.findIndex((one) => valueAt(one, key) === item[key]);
    if (item['$patch'] === 'delete') return index === -1 ? list : list.toSpliced(index, 1);
    if (index === -1) return [...list, withoutDirectives(item)];
    return list.with(index, strategicMergePatch(list[index], item));
  }, before);
}

function withoutDirectives(patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
