import type { StoredObject } from '../storage/stored-object.js';

/** An object of a bucket. */
export interface Located {
  readonly bucket: string;
  readonly stored: StoredObject;
}

/** The owners and the dependents of objects, within each logical cluster. */
export class OwnershipIndex {
  readonly #dependents = new Map<string, Map<string, Located>>();

  /** Takes a new version of an object in. */
  put(located: Located, previous: StoredObject | undefined): void {
    if (previous !== undefined) this.remove({ bucket: located.bucket, stored: previous });
    for (const { uid } of located.stored.object.metadata.ownerReferences ?? []) {
      const key = ownerKey(located.stored.cluster, uid);
      const dependents = this.#dependents.get(key) ?? new Map<string, Located>();
      this.#dependents.set(key, dependents.set(locationKey(located), located));
    }
  }

  /** Takes an object out. */
  remove(located: Located): void {
    for (const { uid } of located.stored.object.metadata.ownerReferences ?? []) {
      const key = ownerKey(located.stored.cluster, uid);
      const dependents = this.#dependents.get(key);
      dependents?.delete(locationKey(located));
      if (dependents?.size === 0) this.#dependents.delete(key);
    }
  }

  /** The objects that name an object as their owner. */
  dependentsOf({ cluster, uid }: StoredObject): readonly Located[] {
    return [...(this.#dependents.get(ownerKey(cluster, uid))?.values() ?? [])];
  }
}

function ownerKey(cluster: string, uid: string): string {
  return `${cluster}/${uid}`;
}

/** One string per object of a shard. Slashes are in bucket names too, so the parts are kept apart as JSON. */
export function locationKey({ bucket, stored: { cluster, namespace, name } }: Located): string {
  return JSON.stringify([bucket, cluster, namespace, name]);
}
