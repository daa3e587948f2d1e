// Reads and writes metadata.managedFields: the fields of each manager, by kind of write.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isRecord, sameJson, stringAt, withMetadata, withoutUndefined, type JsonRecord } from '../json/json.js';
import { oncePer } from '../json/once-per.js';
import { FieldSet } from './field-set.js';

/** A manager. An applier is one entry whatever version it uses; any other manager is one entry per version. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

/** The fields of one manager. */
export interface ManagedSet extends FieldManager {
  readonly fields: FieldSet;
  readonly time?: string | undefined;
}

/** All managers of an object, by key. */
export type FieldManagers = ReadonlyMap<string, ManagedSet>;

// Kubernetes keeps this many writers that do not apply; older ones are merged into one entry.
const MAX_UPDATERS = 10;
const OLD_UPDATERS = 'ancient-changes';

/** The key of a manager: entries with the same key are one. */
export function managerKey({ manager, operation, apiVersion, subresource = '' }: FieldManager): string {
  return JSON.stringify([operation, manager, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Reads managedFields; undefined when an entry is not valid. */
export function readManagers(managedFields: unknown): FieldManagers | undefined {
  if (!Array.isArray(managedFields)) return new Map();
  const entries = managedFields.map(readEntry);
  const valid = entries.filter((entry) => entry !== undefined);
  return valid.length === entries.length ? new Map(valid.map((entry) => [managerKey(entry), entry])) : undefined;
}

// Stored objects never change: the entries of one are decoded once.
const fieldSetOf = oncePer((fields: JsonRecord) => FieldSet.decode(fields));

function readEntry(entry: unknown): ManagedSet | undefined {
  const [operation, apiVersion] = [stringAt(entry, 'operation'), stringAt(entry, 'apiVersion')];
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (apiVersion === undefined || apiVersion === '' || stringAt(entry, 'fieldsType') !== 'FieldsV1' || !isRecord(entry)) return undefined;
  return {
    manager: stringAt(entry, 'manager') ?? '',
    operation,
    apiVersion,
    subresource: stringAt(entry, 'subresource'),
    fields: isRecord(entry['fieldsV1']) ? fieldSetOf(entry['fieldsV1']) : new FieldSet(),
    time: stringAt(entry, 'time'),
  };
}

/** Whether a client asks to forget all managers: an empty list, or a list of one empty entry. */
export function isReset(managedFields: unknown): boolean {
  return sameJson(managedFields, []) || sameJson(managedFields, [{}]);
}

/** An object with these managers in its metadata; if there are none, without managedFields. */
export function withManagers<T extends KubeObject>(object: T, managers: FieldManagers): T {
  return withMetadata(object, { managedFields: managers.size === 0 ? undefined : [...managers.values()].sort(inOrder).map(printEntry) });
}

function printEntry({ manager, operation, apiVersion, subresource, fields, time }: ManagedSet): JsonRecord {
  return withoutUndefined({ manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: fields.encode(), subresource });
}

function inOrder(a: ManagedSet, b: ManagedSet): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Merges the oldest writers of each version into one entry, so that their number stays bounded. */
export function withoutTooManyUpdaters(managers: FieldManagers): FieldManagers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return managers;
  updaters.sort(([, a], [, b]) => compareText(a.time ?? '', b.time ?? '') || compareText(a.manager, b.manager));
  const result = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [key, updater] of updaters) {
    if (count <= MAX_UPDATERS) break;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(updater.apiVersion, key);
      continue;
    }
    const bucket: FieldManager = { manager: OLD_UPDATERS, operation: 'Update', apiVersion: updater.apiVersion };
    const merged = result.get(managerKey(bucket)) ?? result.get(first);
    result.delete(first);
    result.delete(key);
    result.set(managerKey(bucket), { ...bucket, fields: updater.fields.union(merged?.fields ?? new FieldSet()), time: updater.time });
    count -= 1;
  }
  return result;
}

// Kubernetes' own limit for the name of a manager, in bytes.
const MAX_NAME_BYTES = 128;

/** The manager name of a write: the query's fieldManager, else the user agent up to its first slash, else `unknown`. */
export function fieldManagerName(fieldManager: string | null | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== null && fieldManager !== '') return fieldManager;
  const agent = (userAgent ?? '').split('/')[0] ?? '';
  const printable = Array.from(agent).filter((character) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character));
  let name = '';
  for (const character of printable) {
    if (Buffer.byteLength(name + character) > MAX_NAME_BYTES) break;
    name += character;
  }
  return name === '' ? 'unknown' : name;
}
