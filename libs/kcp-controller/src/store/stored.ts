import type { LogicalClusterName, ObjectMeta } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/** The name of an object of one type: never without its logical cluster. */
export interface ObjectName {
  readonly cluster: LogicalClusterName;
  /** Absent or empty for a type without namespaces. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Where an object is: its workspace, and the endpoint that shows it. */
export interface ObjectPlace {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly cluster: LogicalClusterName;
}

/** An object that a store holds. `value` is what the parser made of it; beside it only the metadata is kept. */
export interface Stored<T> extends ObjectPlace {
  readonly metadata: ObjectMeta;
  readonly value: T;
}

/** An object that the parser refused. It is in no list and no index, and it is not gone. */
export interface BrokenObject extends ObjectPlace {
  readonly metadata: ObjectMeta;
  readonly problem: string;
}

/**
 * Why an object is gone:
 * - `deleted`: its endpoint said so, or listed everything and not this object. A revoked permission claim looks the same.
 * - `withdrawn`: kcp's endpoint slice no longer names its endpoint, and no endpoint that the slice names shows the object. All of them have listed.
 */
export type GoneBecause = 'deleted' | 'withdrawn';

/** What changed about one object. `before` is the last version that could be parsed. */
export type StoreChange<T> =
  | { readonly kind: 'stored'; readonly now: Stored<T>; readonly before?: Stored<T> }
  | { readonly kind: 'broken'; readonly now: BrokenObject; readonly before?: Stored<T> }
  | { readonly kind: 'gone'; readonly before: Stored<T>; readonly because: GoneBecause };

/** What a store keeps for a key. */
export type Entry<T> = Stored<T> | BrokenObject;

/** Whether an entry could be parsed. */
export function isStored<T>(entry: Entry<T> | undefined): entry is Stored<T> {
  return entry !== undefined && !('problem' in entry);
}

/** One string per object of a type. Slashes can be in none of the parts. */
export function keyOf({ cluster, namespace, name }: ObjectName): string {
  return `${cluster}/${namespace ?? ''}/${name}`;
}

/** The name that a key was made of. */
export function nameOfKey(key: string): ObjectName {
  const [cluster, namespace, name] = key.split('/');
  if (cluster === undefined || name === undefined) throw new Error(`"${key}" is no key of an object`);
  return { cluster: cluster as LogicalClusterName, ...(namespace === '' ? {} : { namespace }), name }; // keyOf took it from a name
}

/** The name of a stored object. */
export function nameOf({ cluster, metadata: { namespace, name = '' } }: Pick<Entry<unknown>, 'cluster' | 'metadata'>): ObjectName {
  return { cluster, namespace, name };
}

/** One string per object of a workspace. The name itself where there is no namespace: it costs no memory. */
export function localKey({ namespace, name = '' }: Partial<Pick<ObjectName, 'namespace' | 'name'>>): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Whether two versions are of one object. Without a uid that cannot be told, and they count as one. */
export function isSameObject({ metadata: one }: Entry<unknown>, { metadata: other }: Entry<unknown>): boolean {
  return one.uid === undefined || other.uid === undefined || one.uid === other.uid;
}
