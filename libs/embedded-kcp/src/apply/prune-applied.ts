import type { KubeObject } from '@dep-ctrl/kcp-names';
import { FieldSet, type PathElement } from './field-set.js';
import type { FieldManagers } from './field-managers.js';
import { ANYTHING, typeOfField, type FieldType } from './field-type.js';
import { fieldsOf } from './fields-of.js';
import { removeFields } from './remove-fields.js';

/** Removes the fields that the manager applied last time and not now. A field stays if another manager holds it too, or if it was never the manager's. */
export function pruned(
  merged: KubeObject,
  { lastApplied, managers, type }: { readonly lastApplied: FieldSet; readonly managers: FieldManagers; readonly type: FieldType },
): KubeObject {
  if (lastApplied.isEmpty) return merged;
  const named = (set: FieldSet): FieldSet => set.withNamedElements(type, isNamedField, typeBelow);
  const inMerged = named(fieldsOf(merged, type));
  const last = named(lastApplied);
  const owned = named([...managers.values()].reduce((all, { fields }) => all.union(fields), new FieldSet()));
  const bare = removeFields(merged, last, type);
  const ownedLeft = removeFields(merged, inMerged.difference(named(fieldsOf(bare ?? {}, type)).union(owned)), type);
  const gone = inMerged.difference(named(fieldsOf(ownedLeft ?? {}, type))).intersection(last);
  return (removeFields(merged, gone, type) ?? {}) as KubeObject;
}

function isNamedField(type: FieldType, element: PathElement): boolean {
  return element.startsWith('f:') && type.map?.named(element.slice(2)) !== undefined;
}

function typeBelow(type: FieldType, element: PathElement): FieldType {
  if (element.startsWith('f:')) return type.map === undefined ? ANYTHING : typeOfField(type.map, element.slice(2));
  return type.list?.items ?? ANYTHING;
}
