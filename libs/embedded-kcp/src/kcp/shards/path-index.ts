// Finds objects by name and cluster, or by name and the path in their annotation, as kcp does.
import { PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import type { Bucket } from '../../storage/bucket.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** An index of one bucket; it follows the bucket's changes. */
export class PathIndex {
  readonly #byKey = new Map<string, Map<string, StoredObject>>();

  constructor(bucket: Bucket) {
    for (const stored of bucket.list({ cluster: '*' })) this.#add(stored);
    bucket.subscribe(({ type, current, previous }) => {
      this.#remove(previous ?? current);
      if (type !== 'deleted') this.#add(current);
    });
  }

  /** The objects of a name that are in the cluster of this name, or say that this is their path. */
  find(path: string, name: string): readonly StoredObject[] {
    return [...(this.#byKey.get(keyOf(path, name))?.values() ?? [])];
  }

  #add(stored: StoredObject): void {
    for (const key of keysOf(stored)) {
      const found = this.#byKey.get(key) ?? new Map<string, StoredObject>();
      this.#byKey.set(key, found.set(stored.cluster, stored));
    }
  }

  #remove(stored: StoredObject): void {
    for (const key of keysOf(stored)) {
      const found = this.#byKey.get(key);
      found?.delete(stored.cluster);
      if (found?.size === 0) this.#byKey.delete(key);
    }
  }
}

function keysOf({ cluster, name, object }: StoredObject): readonly string[] {
  const path = object.metadata.annotations?.[PATH_ANNOTATION];
  return path === undefined ? [keyOf(cluster, name)] : [keyOf(cluster, name), keyOf(path, name)];
}

// No name has a slash.
function keyOf(path: string, name: string): string {
  return `${path}/${name}`;
}
