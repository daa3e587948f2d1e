// Strategic merge patch, for the built-in kinds: a merge patch that knows from the schema which lists are merged by key, and that
// carries directives ($patch, $retainKeys, $setElementOrder/x, $deleteFromPrimitiveList/x). Lists are merged in strategic-list.ts.
import { badRequest } from '../http/api-status.js';
import { isRecord, recordAt, stringAt, type JsonRecord } from '../json/json.js';
import { goKind } from './json-patch.js';
import { DELETE_PREFIX, DIRECTIVE, ORDER_PREFIX, RETAIN_KEYS, patchFailure, printGoMap, withoutDirectives } from './patch-directive.js';
import { deletedFromList, mergeList, mergeListInOrder, type MergeItems } from './strategic-list.js';

/** Applies a strategic merge patch by the schema of the object's kind. Throws 400 or 500; the object itself never changes. */
export function applyStrategicMergePatch(object: JsonRecord, patch: unknown, schema: JsonRecord): JsonRecord {
  if (!isRecord(patch)) throw badRequest(`json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`);
  return mergeMap(object, patch, schema);
}

function mergeMap(original: JsonRecord, patch: JsonRecord, schema: JsonRecord): JsonRecord {
  if (Object.hasOwn(patch, DIRECTIVE)) return directed(patch);
  const { [RETAIN_KEYS]: retained, ...changes } = patch;
  const result: Record<string, unknown> = retained === undefined ? { ...original } : retainedFields(original, changes, retained);
  const done = mergeOrderedLists(result, changes, schema);
  for (const [key, value] of Object.entries(changes)) {
    if (!done.has(key)) mergeField(result, key, value, schema);
  }
  return result;
}

function directed({ [DIRECTIVE]: directive, ...rest }: JsonRecord): JsonRecord {
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw patchFailure(`unknown patch type: ${String(directive)} in map: ${printGoMap({ [DIRECTIVE]: directive, ...rest })}`);
}

function retainedFields(original: JsonRecord, changes: JsonRecord, retained: unknown): Record<string, unknown> {
  const names: readonly unknown[] | undefined = Array.isArray(retained) ? retained : undefined;
  const strays = Object.entries(changes).some(([key, value]) => value !== null && !isParallelList(key) && names?.includes(key) !== true);
  if (names === undefined || strays) throw badRequest('invalid patch format of retainKeys');
  return Object.fromEntries(Object.entries(original).filter(([key]) => names.includes(key)));
}

function isParallelList(key: string): boolean {
  return key.startsWith(DELETE_PREFIX) || key.startsWith(ORDER_PREFIX);
}

// Handles each $setElementOrder/x together with the list x of the patch. Says which keys of the patch are done with.
function mergeOrderedLists(result: Record<string, unknown>, changes: JsonRecord, schema: JsonRecord): ReadonlySet<string> {
  const done = new Set<string>();
  for (const [directive, order] of Object.entries(changes)) {
    if (!directive.startsWith(ORDER_PREFIX)) continue;
    const key = directive.slice(ORDER_PREFIX.length);
    done.add(directive).add(key);
    if (Object.hasOwn(result, key) || Object.hasOwn(changes, key)) {
      result[key] = mergeListInOrder({
        original: listOrNothing(result[key]),
        patch: listOrNothing(changes[key]),
        order: listOrNothing(order) ?? [],
        mergeKey: stringAt(schema, 'properties', key, 'x-kubernetes-patch-merge-key'),
        mergeItems: itemMerger(schema, key),
      });
    }
  }
  return done;
}

function listOrNothing(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw patchFailure(`expected a []interface {}, but received a ${goKind(value)}`);
}

function mergeField(result: Record<string, unknown>, key: string, value: unknown, schema: JsonRecord): void {
  if (key.startsWith(DELETE_PREFIX)) {
    const list = key.slice(DELETE_PREFIX.length);
    if (Array.isArray(result[list]) && Array.isArray(value)) result[list] = deletedFromList(result[list], value);
  } else if (value === null) {
    Reflect.deleteProperty(result, key);
  } else {
    const merged = mergeValue(Object.hasOwn(result, key) ? result[key] : undefined, value, schema, key);
    if (merged === undefined) Reflect.deleteProperty(result, key);
    else result[key] = merged;
  }
}

function mergeValue(current: unknown, value: unknown, schema: JsonRecord, key: string): unknown {
  const strategy = stringAt(schema, 'properties', key, 'x-kubernetes-patch-strategy') ?? '';
  if (isRecord(current) && isRecord(value)) {
    return strategy === 'replace' ? value : mergeMap(current, value, fieldSchema(schema, key));
  }
  if (Array.isArray(current) && Array.isArray(value)) {
    if (!strategy.split(',').includes('merge')) return value;
    const mergeKey = stringAt(schema, 'properties', key, 'x-kubernetes-patch-merge-key');
    return mergeList({ original: current, patch: value, mergeKey, mergeItems: itemMerger(schema, key) });
  }
  return withoutDirectives(value);
}

function itemMerger(schema: JsonRecord, key: string): MergeItems {
  const items = recordAt(schema, 'properties', key, 'items');
  return (original, patch) => mergeMap(original, patch, items);
}

function fieldSchema(schema: JsonRecord, key: string): JsonRecord {
  const properties = recordAt(schema, 'properties');
  return Object.hasOwn(properties, key) ? recordAt(properties, key) : recordAt(schema, 'additionalProperties');
}
