// The storage of one shard: buckets under one revision counter, as one etcd. Writes are synchronous and compare revisions, so that
// two writers of one object cannot both win. Objects are stored with their resourceVersion filled in.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { withMetadata } from '../json/json.js';
import { Bucket, type StoreEvent } from './bucket.js';
import { StoredObject, type ObjectKey } from './stored-object.js';

/** A change together with the bucket it happened in. */
export interface BucketEvent {
  readonly bucket: string;
  readonly event: StoreEvent;
}

/** The result of a conditional write. */
export type WriteOutcome =
  { readonly state: 'written'; readonly stored: StoredObject } | { readonly state: 'exists' | 'changed' | 'missing' | 'too-large' };

// etcd's default for one request.
const OBJECT_LIMIT = 1.5 * 1024 * 1024;

/** All buckets of a shard. */
export class ShardStore {
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<(event: BucketEvent) => void>();
  #revision: number;
  #compactedAt = 0;

  /** Shards start at different revisions, so that a version of one is never mistaken for one of another. */
  constructor(firstRevision: number) {
    this.#revision = firstRevision;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The bucket of a resource; an unknown one is empty. */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket(this.#compactedAt);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** The names of the buckets that were ever asked for. */
  get bucketNames(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  /** Stores a new object. */
  create(bucketName: string, key: ObjectKey, object: KubeObject): WriteOutcome {
    const bucket = this.bucket(bucketName);
    if (bucket.get(key) !== undefined) return { state: 'exists' };
    const stored = this.#next(key, object);
    if (stored.rest.length > OBJECT_LIMIT) return { state: 'too-large' };
    this.#apply(bucketName, { type: 'added', revision: stored.revision, current: stored });
    return { state: 'written', stored };
  }

  /** Replaces an object, if `previous` is still what is stored. */
  replace(bucketName: string, previous: StoredObject, object: KubeObject): WriteOutcome {
    const current = this.bucket(bucketName).get(previous);
    if (current !== previous) return { state: current === undefined ? 'missing' : 'changed' };
    const stored = this.#next(previous, object);
    if (stored.rest.length > OBJECT_LIMIT) return { state: 'too-large' };
    this.#apply(bucketName, { type: 'modified', revision: stored.revision, current: stored, previous });
    return { state: 'written', stored };
  }

  /** Removes an object, if `previous` is still what is stored. The removal has a revision of its own, as in etcd. */
  remove(bucketName: string, previous: StoredObject): WriteOutcome {
    const current = this.bucket(bucketName).get(previous);
    if (current !== previous) return { state: current === undefined ? 'missing' : 'changed' };
    const stored = this.#next(previous, previous.object);
    this.#apply(bucketName, { type: 'deleted', revision: stored.revision, current: stored, previous });
    return { state: 'written', stored };
  }

  /** Calls back at each change in any bucket, until the returned function is called. */
  subscribe(listener: (event: BucketEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets history up to now, in every bucket: what etcd's compaction does. */
  compact(): void {
    this.#compactedAt = this.#revision;
    for (const bucket of this.#buckets.values()) bucket.forget(this.#revision);
  }

  #next(key: ObjectKey, object: KubeObject): StoredObject {
    this.#revision += 1;
    return new StoredObject(key, this.#revision, withMetadata(object, { resourceVersion: String(this.#revision) }));
  }

  #apply(bucketName: string, event: StoreEvent): void {
    this.bucket(bucketName).apply(event);
    for (const listener of [...this.#listeners]) listener({ bucket: bucketName, event });
  }
}
