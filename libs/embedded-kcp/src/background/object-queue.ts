// A queue of objects of all shards that need work, one queue per concern. A key says where an object is. The object is read when its turn comes; if it is
// gone by then, there is nothing to do.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { DelayName } from './delays.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { BucketEvent } from '../storage/shard-store.js';
import type { StoredObject } from '../storage/stored-object.js';
import { joinKey, splitKey, type ControllerContext, type ShardControl } from './controller-context.js';
import { WorkQueue, type WorkOutcome } from './work-queue.js';

/** One concern. */
export interface ObjectWork {
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly run: (shard: ShardControl, stored: StoredObject) => Promise<WorkOutcome>;
  readonly firstRetry?: DelayName;
  readonly longestRetry: DelayName;
}

/** A queue of objects. */
export class ObjectQueue {
  readonly #queue: WorkQueue;

  constructor({ background, shards }: ControllerContext, { name, definition, run, firstRetry = 'retryFirst', longestRetry }: ObjectWork) {
    this.#queue = new WorkQueue({
      name,
      background,
      run: async (key) => {
        const [shardName, cluster = '', objectName = ''] = splitKey(key);
        const shard = shards.find((one) => one.name === shardName);
        const stored = shard?.loopback.get(definition, { cluster: cluster as LogicalClusterName }, objectName);
        return shard === undefined || stored === undefined ? undefined : run(shard, stored);
      },
      firstRetryMs: background.pause(firstRetry),
      longestRetryMs: background.pause(longestRetry),
    });
  }

  /** Has an object of a shard looked at after some milliseconds. */
  add(shard: ShardControl, { cluster, name }: Pick<StoredObject, 'cluster' | 'name'>, afterMs: number): void {
    this.#queue.add(joinKey(shard.name, cluster, name), afterMs);
  }
}

/** Calls back at each change on each shard. */
export function watchShards({ shards }: ControllerContext, onChange: (shard: ShardControl, change: BucketEvent) => void): void {
  for (const shard of shards) shard.view.store.subscribe((change) => onChange(shard, change));
}
