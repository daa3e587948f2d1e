// How a change moves fields from one manager to another. Pure; the two kinds of writes (record-update.ts, server-side-apply.ts) share it.
import type { FieldComparison } from './compare-fields.js';
import { FieldSet } from './field-set.js';
import type { FieldManagers, ManagedSet } from './field-managers.js';

/** The fields that an endpoint resets, whatever the client sends. No manager owns them through that endpoint. */
export type ResetFields = readonly (readonly string[])[];

/** The set of fields that an endpoint resets. */
export function resetSet(fields: ResetFields): FieldSet {
  const set = new FieldSet();
  for (const path of fields) set.add(path.map((field) => `f:${field}`));
  return set;
}

/** A comparison without the fields that the endpoint resets. */
export function withoutReset({ added, removed, modified }: FieldComparison, reset: FieldSet): FieldComparison {
  return { added: added.without(reset), removed: removed.without(reset), modified: modified.without(reset) };
}

/** The fields of others that a change takes, by manager. */
export function fieldsTaken(managers: FieldManagers, writer: string, { added, modified }: FieldComparison): ReadonlyMap<string, FieldSet> {
  const changed = added.union(modified);
  const taken = [...managers]
    .filter(([key]) => key !== writer)
    .map(([key, { fields }]) => [key, fields.intersection(changed)] as const)
    .filter(([, fields]) => !fields.isEmpty);
  return new Map(taken);
}

/** The other managers after a change: without the fields that were taken or removed. A manager with no field left is dropped. */
export function afterChange(managers: FieldManagers, writer: string, comparison: FieldComparison): FieldManagers {
  const taken = fieldsTaken(managers, writer, comparison);
  const result = new Map<string, ManagedSet>();
  for (const [key, managed] of managers) {
    const fields =
      key === writer ? managed.fields : managed.fields.difference(taken.get(key) ?? new FieldSet()).difference(comparison.removed);
    if (!fields.isEmpty) result.set(key, { ...managed, fields });
  }
  return result;
}

const NEVER_OWNED = resetSet([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (field) => ['metadata', field],
  ),
]);

/** A set without the fields that the server owns. */
export function withoutServerFields(fields: FieldSet): FieldSet {
  return fields.difference(NEVER_OWNED);
}
