import { typeStatus } from '../kcp/bootstrap/bootstrap-root.js';
import { ROOT } from '../kcp/shards/shard-view.js';
import { recordAt } from '../json/json.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';

/** Writes the URLs of its virtual workspaces into each WorkspaceType: one per shard and kind. */
export class WorkspaceTypeController {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Begins to watch. */
  start(): void {
    const { background, root, shards } = this.#context;
    for (const shard of shards) {
      shard.view.store.subscribe(({ bucket, event }) => {
        const isNew = bucket === root.workspaceTypes.bucket && event.type === 'added' && event.current.cluster !== ROOT;
        if (isNew) background.after('reaction', 'workspace type controller', () => this.#describe(shard, event.current));
      });
    }
  }

  async #describe({ loopback }: ShardControl, { cluster, name }: StoredObject): Promise<void> {
    const { root, shards, now } = this.#context;
    const status = typeStatus(name, shards, now(), cluster);
    await loopback.change(
      root.workspaceTypes,
      { cluster },
      name,
      (current) => ({ ...current, status: { ...recordAt(current, 'status'), ...status } }),
      'status',
    );
  }
}
