import type { KubeObject } from '@dep-ctrl/kcp-names';

/** A JSON object whose fields are not known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. Unlike Array.isArray it does not make its items `any`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A copy without one field. */
export function without(record: JsonRecord, key: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** The JSON object at a path of own properties; empty when there is none. */
export function recordAt(value: unknown, ...path: readonly string[]): JsonRecord {
  const found = valueAt(value, ...path);
  return isRecord(found) ? found : {};
}

/** The value at a path of own properties. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The string at a path, if it is one. */
export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The array at a path; empty when there is none. */
export function arrayAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** The strings of the array at a path. */
export function stringsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return arrayAt(value, ...path).filter((item): item is string => typeof item === 'string');
}

/** The string values of the object at a path. */
export function stringMapAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, string>> {
  const entries = Object.entries(recordAt(value, ...path)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

/** A copy of an object with some metadata replaced; undefined values remove the field. */
export function withMetadata<T extends KubeObject>(object: T, changes: JsonRecord): T {
  return { ...object, metadata: withoutUndefined({ ...object.metadata, ...changes }) };
}

/** An object without one of its finalizers; the same object where it does not have it. */
export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  const finalizers = object.metadata.finalizers ?? [];
  return finalizers.includes(finalizer) ? withMetadata(object, { finalizers: finalizers.filter((one) => one !== finalizer) }) : object;
}

/** A copy without the fields that are undefined. */
export function withoutUndefined<T extends JsonRecord>(record: T): T {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(record)) if (record[key] !== undefined) kept[key] = record[key];
  return kept as T;
}

/** A copy of an object with annotations set. */
export function withAnnotations<T extends KubeObject>(object: T, annotations: Readonly<Record<string, string>>): T {
  return withMetadata(object, { annotations: { ...object.metadata.annotations, ...annotations } });
}

/** A copy of an object with labels set; undefined removes one. */
export function withLabels<T extends KubeObject>(object: T, labels: Readonly<Record<string, string | undefined>>): T {
  const merged = withoutUndefined({ ...object.metadata.labels, ...labels });
  return withMetadata(object, { labels: Object.keys(merged).length === 0 ? undefined : merged });
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}
