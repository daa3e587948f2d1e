// A write that is no apply: the writer becomes the manager of the fields that it changed, and the former manager loses them.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { withMetadata } from '../json/json.js';
import { compareFields } from './compare-fields.js';
import {
  isReset,
  managerKey,
  readManagers,
  withManagers,
  withoutTooManyUpdaters,
  type FieldManager,
  type FieldManagers,
} from './field-managers.js';
import { FieldSet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { afterChange, resetSet, withoutReset, withoutServerFields, type ResetFields } from './ownership.js';

/** A create, update or patch. */
export interface RecordedUpdate<T extends KubeObject> {
  /** What is stored now; undefined on a create. */
  readonly live: KubeObject | undefined;
  /** What is to be stored. */
  readonly next: T;
  readonly type: FieldType;
  /** The name of the writer (fieldManagerName). */
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly reset?: ResetFields;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** The object to store, with its managers brought up to date. */
export function recordUpdate<T extends KubeObject>(update: RecordedUpdate<T>): T {
  const { live, next } = update;
  const known = managersBefore(update);
  // An object that lost its managers has none until the next apply.
  if (known.size === 0 && live !== undefined) return withManagers(next, known);
  return withManagers(next, managersAfter(update, known));
}

function managersBefore({ live, next, subresource }: RecordedUpdate<KubeObject>): FieldManagers {
  const ofLive = readManagers(live?.metadata['managedFields']) ?? new Map<string, never>();
  if (subresource !== undefined) return ofLive;
  const sent = next.metadata['managedFields'];
  if (isReset(sent)) return new Map();
  const ofNext = readManagers(sent);
  return ofNext === undefined || ofNext.size === 0 ? ofLive : ofNext;
}

/** The managers after a write that is no apply. */
export function managersAfter(
  update: Omit<RecordedUpdate<KubeObject>, 'subresource'> & { subresource?: string | undefined },
  known: FieldManagers,
): FieldManagers {
  const { live, next, type, manager, apiVersion, subresource, reset = [], now } = update;
  const writer: FieldManager = { manager, operation: 'Update', apiVersion, subresource };
  const nobody = '';
  const comparison = withoutReset(compareFields(live === undefined ? {} : unmanaged(live), unmanaged(next), type), resetSet(reset));
  const managers = new Map(afterChange(known, nobody, comparison));
  const changed = withoutServerFields(comparison.added.union(comparison.modified));
  if (!changed.isEmpty) {
    const own = managers.get(managerKey(writer))?.fields ?? new FieldSet();
    managers.set(managerKey(writer), { ...writer, fields: own.union(changed), time: now });
  }
  return withoutTooManyUpdaters(managers);
}

/** An object without managedFields: no manager owns that field. */
export function unmanaged<T extends KubeObject>(object: T): T {
  return withMetadata(object, { managedFields: undefined });
}
