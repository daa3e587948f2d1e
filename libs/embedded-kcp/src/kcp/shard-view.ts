// What one shard knows: its own objects at once, those of other shards through the cache.
import { PATH_ANNOTATION, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ShardStore } from '../storage/shard-store.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { ReplicationCache } from './replication-cache.js';
import { LOGICAL_CLUSTERS } from './system-resources.js';

/** The name of the object that says that a logical cluster exists. */
export const LOGICAL_CLUSTER_NAME = 'cluster';

/** The local administration cluster of each shard. */
export const SYSTEM_ADMIN = 'system:admin' as LogicalClusterName;

/** The root workspace. */
export const ROOT = 'root' as LogicalClusterName;

/** One shard's knowledge. */
export class ShardView {
  readonly store: ShardStore;
  readonly cache: ReplicationCache;

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

  /** An object that people name by path (or cluster) and name: an export, a workspace type. */
  findByPath(bucket: string, path: string, name: string): StoredObject | undefined {
    const direct = this.find(bucket, path as LogicalClusterName, name);
    if (direct !== undefined) return direct;
    const isNamed = (stored: StoredObject): boolean =>
      stored.name === name && stored.object.metadata.annotations?.[PATH_ANNOTATION] === path;
    return this.store.bucket(bucket).list({ cluster: '*' }).find(isNamed) ?? this.cache.bucket(bucket).list({ cluster: '*' }).find(isNamed);
  }

  /** The objects of a cluster: this shard's own, or the replicas when the cluster lives elsewhere. */
  listOf(bucket: string, cluster: LogicalClusterName): readonly StoredObject[] {
    const own = this.store.bucket(bucket).list({ cluster });
    return own.length > 0 || this.logicalCluster(cluster) !== undefined ? own : this.cache.bucket(bucket).list({ cluster });
  }
}

/** The canonical path of a logical cluster; its name when it has none. */
export function pathOf(logicalCluster: KubeObject, cluster: LogicalClusterName): string {
  return logicalCluster.metadata.annotations?.[PATH_ANNOTATION] ?? cluster;
}
