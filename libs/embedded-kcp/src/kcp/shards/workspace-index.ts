// Resolves workspace paths to clusters by the Workspace objects that a shard stores.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { stringAt } from '../../json/json.js';
import type { ShardStore } from '../../storage/shard-store.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** The result of resolving a path. */
export type PathAnswer =
  { readonly state: 'found'; readonly cluster: LogicalClusterName } | { readonly state: 'unavailable' } | { readonly state: 'unknown' };

/** Resolves paths by walking Workspace objects. */
export class WorkspaceIndex {
  readonly #stores: readonly ShardStore[];
  readonly #bucket: string;

  /** `stores` are the shards whose workspaces count: one for a shard, all for the front-proxy. */
  constructor(stores: readonly ShardStore[], workspacesBucket: string) {
    this.#stores = stores;
    this.#bucket = workspacesBucket;
  }

  /** Where a path leads. Its first segment is a cluster name. */
  resolve(path: string): PathAnswer {
    const [first = '', ...rest] = path.split(':');
    let cluster = first as LogicalClusterName;
    for (const name of rest) {
      const workspace = this.#workspace(cluster, name);
      const child = stringAt(workspace?.object, 'spec', 'cluster');
      const phase = stringAt(workspace?.object, 'status', 'phase');
      if (phase === 'Unavailable') return { state: 'unavailable' };
      if (child === undefined || phase === 'Scheduling') return { state: 'unknown' };
      cluster = child as LogicalClusterName;
    }
    return { state: 'found', cluster };
  }

  #workspace(cluster: LogicalClusterName, name: string): StoredObject | undefined {
    const key = { cluster, namespace: '', name };
    for (const store of this.#stores) {
      const found = store.bucket(this.#bucket).get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
