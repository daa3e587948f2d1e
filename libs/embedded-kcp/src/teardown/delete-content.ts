// One pass over the objects of a namespace, a binding or a workspace: deletes the collections of every type, one by namespace, goes on with the next
// after a refusal, and counts the objects that are left.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ShardControl } from '../background/controller-context.js';
import { printNoun } from '../http/api-status.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { StoredObject } from '../storage/stored-object.js';

/** The objects that a pass left. */
export interface ContentReport {
  readonly remaining: readonly { readonly definition: ResourceDefinition; readonly count: number }[];
  /** How many of the remaining objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
}

/** The scope of a pass: a whole cluster, or one namespace of it. */
export interface ContentScope {
  readonly cluster: LogicalClusterName;
  readonly namespace?: string;
}

/** Deletes all objects of some types, and reports those that are left. */
export async function deleteContent(
  shard: ShardControl,
  scope: ContentScope,
  definitions: readonly ResourceDefinition[],
): Promise<ContentReport> {
  const errors: string[] = [];
  for (const definition of definitions) {
    for (const act of deletesOf(shard, scope, definition)) {
      try {
        await act();
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  const left = definitions.map((definition) => ({ definition, objects: objectsOf(shard, scope, definition) }));
  return {
    errors,
    remaining: left.filter(({ objects }) => objects.length > 0).map(({ definition, objects }) => ({ definition, count: objects.length })),
    finalizers: countFinalizers(left.flatMap(({ objects }) => objects)),
  };
}

/** The objects of a type in a scope. */
export function objectsOf(
  { view }: ShardControl,
  { cluster, namespace }: ContentScope,
  { bucket }: ResourceDefinition,
): readonly StoredObject[] {
  return view.store.bucket(bucket).list(namespace === undefined ? { cluster } : { cluster, namespace });
}

// One for the collection in each namespace. Namespaces have no collection to delete: they go one by one, no further than the first refusal.
function deletesOf(shard: ShardControl, scope: ContentScope, definition: ResourceDefinition): readonly (() => Promise<void>)[] {
  const { cluster } = scope;
  const objects = objectsOf(shard, scope, definition);
  if (!definition.verbs.includes('deletecollection')) return [() => deleteEach(shard, objects, definition)];
  return [...new Set(objects.map((object) => object.namespace))].map(
    (of) => () => shard.loopback.deleteAll(definition, of === '' ? { cluster } : { cluster, namespace: of }),
  );
}

async function deleteEach({ loopback }: ShardControl, objects: readonly StoredObject[], definition: ResourceDefinition): Promise<void> {
  for (const stored of objects) if (!isBeingDeleted(stored)) await loopback.delete(definition, { cluster: stored.cluster }, stored.name);
}

function countFinalizers(objects: readonly StoredObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { object } of objects) for (const one of object.metadata.finalizers ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** `Some resources are remaining: vpcs.network.example.com has 1 resource instances`; empty when nothing is left. */
export function describeRemaining({ remaining }: ContentReport): string {
  // A group is always printed with its dot, the empty one too.
  const nouns = remaining.map(
    ({ definition, count }) =>
      `${definition.group === '' ? `${definition.resource}.` : printNoun(definition)} has ${count} resource instances`,
  );
  return nouns.length === 0 ? '' : `Some resources are remaining: ${nouns.sort().join(', ')}`;
}

/** `Some content in the namespace has finalizers remaining: x/y in 1 resource instances`; empty when there are none. */
export function describeFinalizers({ finalizers }: ContentReport, where: string): string {
  const each = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  return each.length === 0 ? '' : `Some content in the ${where} has finalizers remaining: ${each.join(', ')}`;
}

/** Whether an object is being deleted. */
export function isBeingDeleted({ object }: StoredObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
