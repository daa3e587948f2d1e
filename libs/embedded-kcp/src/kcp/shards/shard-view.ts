// All objects that one shard can read: its own at once, those of other shards through the cache.
import { PATH_ANNOTATION, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Bucket } from '../../storage/bucket.js';
import type { ShardStore } from '../../storage/shard-store.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { PathIndex } from './path-index.js';
import type { ReplicationCache } from './replication-cache.js';
import { LOGICAL_CLUSTERS } from '../kinds/system-resources.js';

/** The name of the object that says that a logical cluster exists. */
export const LOGICAL_CLUSTER_NAME = 'cluster';

/** The local administration cluster of each shard. */
export const SYSTEM_ADMIN = 'system:admin' as LogicalClusterName;

/** The root workspace. */
export const ROOT = 'root' as LogicalClusterName;

/** The objects that one shard can read. */
export class ShardView {
  readonly store: ShardStore;
  readonly cache: ReplicationCache;
  readonly #indexes = new WeakMap<Bucket, PathIndex>();

  constructor(store: ShardStore, cache: ReplicationCache) {
    this.store = store;
    this.cache = cache;
  }

  /** The object that says that a logical cluster lives on this shard. */
  logicalCluster(cluster: LogicalClusterName): StoredObject | undefined {
    return this.store.bucket(LOGICAL_CLUSTERS.bucket).get({ cluster, namespace: '', name: LOGICAL_CLUSTER_NAME });
  }

  /** An object of this shard, or its replica. */
  find(bucket: string, cluster: LogicalClusterName, name: string): StoredObject | undefined {
    const key = { cluster, namespace: '', name };
    return this.store.bucket(bucket).get(key) ?? this.cache.bucket(bucket).get(key);
  }

  /** An object that people name by path (or cluster) and name: an export, a workspace type. Undefined as well when several say that they are it. */
  findByPath(bucket: string, path: string, name: string): StoredObject | undefined {
    const found = this.#named(bucket, path, name);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Whether several objects say that they are the one of a path and name. A real kcp believes what the path annotation says. */
  isAmbiguous(bucket: string, path: string, name: string): boolean {
    return this.#named(bucket, path, name).length > 1;
  }

  // This shard's objects go before those of other shards, which count only if no object here has that name.
  #named(bucket: string, path: string, name: string): readonly StoredObject[] {
    const own = this.#paths(this.store.bucket(bucket)).find(path, name);
    return own.length > 0 ? own : this.#paths(this.cache.bucket(bucket)).find(path, name);
  }

  #paths(bucket: Bucket): PathIndex {
    const known = this.#indexes.get(bucket) ?? new PathIndex(bucket);
    this.#indexes.set(bucket, known);
    return known;
  }

  /** The objects of a cluster: this shard's own, or the replicas when the cluster lives elsewhere. */
  listOf(bucket: string, cluster: LogicalClusterName): readonly StoredObject[] {
    const own = this.store.bucket(bucket).list({ cluster });
    return own.length > 0 || this.logicalCluster(cluster) !== undefined ? own : this.cache.bucket(bucket).list({ cluster });
  }
}

/** The canonical path of a logical cluster; its name when it has none. */
export function pathOf(logicalCluster: KubeObject, cluster: LogicalClusterName): string {
  const path = logicalCluster.metadata.annotations?.[PATH_ANNOTATION];
  return path === undefined || path === '' ? cluster : path;
}
