// All objects of one resource on one shard, in etcd's order (cluster, namespace, name), and the log of their changes. Watches resume from the log, and
// pages of an older list are reconstructed from it.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ObjectKey, StoredObject } from './stored-object.js';

/** One change. `previous`: the version that the change replaced or removed. */
export interface StoreEvent {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly revision: number;
  readonly current: StoredObject;
  readonly previous?: StoredObject;
}

/** Selects objects of a bucket: of one cluster or all, of one namespace or all. */
export interface Scope {
  readonly cluster: LogicalClusterName | '*';
  readonly namespace?: string;
}

// What a shard remembers for watches that resume; older ones are told that their version expired. kcp keeps minutes, not counts.
const LOG_LIMIT = 20_000;

/** The objects of one resource. Written through ShardStore only, which owns the revisions. */
export class Bucket {
  readonly #clusters = new Map<LogicalClusterName, Map<string, StoredObject>>();
  readonly #sorted = new Map<LogicalClusterName, readonly StoredObject[]>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #log: StoreEvent[] = [];
  #compactedAt: number;

  /** Nothing is known of what happened up to `compactedAt`. */
  constructor(compactedAt = 0) {
    this.#compactedAt = compactedAt;
  }

  /** The object, if it is there now. */
  get({ cluster, namespace, name }: ObjectKey): StoredObject | undefined {
    return this.#clusters.get(cluster)?.get(innerKey(namespace, name));
  }

  /** The objects of a scope now, in order. */
  list(scope: Scope): readonly StoredObject[] {
    const objects =
      scope.cluster === '*'
        ? [...this.#clusters.keys()].sort().flatMap((cluster) => this.#sortedOf(cluster))
        : this.#sortedOf(scope.cluster);
    return scope.namespace === undefined ? objects : objects.filter(({ namespace }) => namespace === scope.namespace);
  }

  /** The objects of a scope as they were at a revision, or undefined when that is forgotten. */
  listAt(scope: Scope, revision: number): readonly StoredObject[] | undefined {
    if (revision < this.#compactedAt) return undefined;
    const later = this.#log.slice(this.#firstAfter(revision)).filter(({ current }) => inScope(scope, current));
    if (later.length === 0) return this.list(scope);
    const then = new Map(this.list(scope).map((object) => [outerKey(object), object]));
    for (const { current, previous } of later.reverse()) {
      if (previous === undefined) then.delete(outerKey(current));
      else then.set(outerKey(current), previous);
    }
    return [...then.values()].sort(inOrder);
  }

  /** What happened after a revision, or undefined when that is forgotten. */
  eventsAfter(revision: number): readonly StoreEvent[] | undefined {
    return revision < this.#compactedAt ? undefined : this.#log.slice(this.#firstAfter(revision));
  }

  /** The oldest revision that is still known. */
  get compactedAt(): number {
    return this.#compactedAt;
  }

  /** Calls back at each change, in order, until the returned function is called. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Records a change. For ShardStore. */
  apply(event: StoreEvent): void {
    const { cluster, namespace, name } = event.current;
    const objects = this.#objectsOf(cluster);
    if (event.type === 'deleted') objects.delete(innerKey(namespace, name));
    else objects.set(innerKey(namespace, name), event.current);
    if (objects.size === 0) this.#clusters.delete(cluster);
    this.#sorted.delete(cluster);
    this.#log.push(event);
    if (this.#log.length > LOG_LIMIT) this.forget(this.#log[LOG_LIMIT / 2]?.revision ?? 0);
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Forgets what happened up to a revision. */
  forget(revision: number): void {
    this.#log = this.#log.slice(this.#firstAfter(revision));
    this.#compactedAt = Math.max(this.#compactedAt, revision);
  }

  #objectsOf(cluster: LogicalClusterName): Map<string, StoredObject> {
    const objects = this.#clusters.get(cluster) ?? new Map<string, StoredObject>();
    this.#clusters.set(cluster, objects);
    return objects;
  }

  #sortedOf(cluster: LogicalClusterName): readonly StoredObject[] {
    const known = this.#sorted.get(cluster);
    if (known !== undefined) return known;
    const sorted = [...(this.#clusters.get(cluster)?.values() ?? [])].sort(inOrder);
    this.#sorted.set(cluster, sorted);
    return sorted;
  }

  #firstAfter(revision: number): number {
    let [low, high] = [0, this.#log.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a scope holds an object. */
export function inScope(scope: Scope, { cluster, namespace }: ObjectKey): boolean {
  return (scope.cluster === '*' || scope.cluster === cluster) && (scope.namespace === undefined || scope.namespace === namespace);
}

/** The key by which lists are ordered. No part can contain a slash, and a slash sorts before every character that a part can contain. */
export function outerKey({ cluster, namespace, name }: ObjectKey): string {
  return `${cluster}/${innerKey(namespace, name)}`;
}

function innerKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function inOrder(a: StoredObject, b: StoredObject): number {
  const [left, right] = [outerKey(a), outerKey(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
