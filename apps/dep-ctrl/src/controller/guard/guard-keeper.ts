/*
 * Writes DependencyGuards as planned: makes, holds, remakes and releases them; their status is written by guard-status-writer.ts. Each write is a PUT with
 * a resourceVersion through the virtual workspace, never forced. After a conflict the queue tries again.
 */
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, getIfExists } from '@dep-ctrl/kcp-objects';
import { collect, isKcpError, type ClusterClient, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { pagesOf } from '../../rules/kept-objects.js';
import type { Site } from '../configuration/configuration-writer.js';
import { heldGuard, isHeld, newGuard, releasedGuard } from './guard-objects.js';
import { outdated } from './outdated.js';

/** What a `GuardKeeper` needs. */
export interface GuardKeeperDependencies {
  readonly exportName: string;
  readonly logger: Logger;
}

/** The writer of all guards. */
export class GuardKeeper {
  readonly #dependencies: GuardKeeperDependencies;

  constructor(dependencies: GuardKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Fails with a conflict if the guard differs from the one that the watch showed: a plan made from an old guard may release rules that the newer one
   * holds. Watches may lag behind our own writes.
   */
  async proveLatest({ client }: Site, seen: KubeObject | undefined, { signal }: Stoppable): Promise<void> {
    const now = await getIfExists(client, GUARDS, { name: GUARD_NAME }, { signal });
    const [before, after] = [seen, now].map((guard) => guard?.metadata.resourceVersion);
    if (before !== after) throw outdated(client, 'get', GUARDS, 'its guard has changed, and the watch does not show it yet');
  }

  /** Fails with a conflict if the workspace has bound again and the watch does not show it yet. */
  async proveUnbinding({ client }: Site, options: Stoppable): Promise<void> {
    const isBound = await this.#isBound(client, options).catch((error: unknown) => {
      if (isKcpError(error, 'forbidden')) return false; // it is gone already
      throw error;
    });
    if (isBound) throw outdated(client, 'get', GUARDS, 'its workspace is bound again, and the watch does not show it yet');
  }

  /**
   * Makes sure that a guard with our finalizer exists. A guard that was deleted by hand is made again with its spec. `unbinding`: the workspace unbinds,
   * so a guard that is being deleted must not be made again. Fails with a conflict if there is a guard that the watch has not shown.
   */
  async ensure({ client }: Site, seen: KubeObject | undefined, { signal }: Stoppable): Promise<KubeObject | 'unbinding'> {
    const guard = seen ?? (await this.#create(client, undefined, signal));
    if (guard === 'exists') throw outdated(client, 'get', GUARDS, 'there is a guard, and the watch does not show it yet');
    if (guard.metadata.deletionTimestamp !== undefined) return this.#remake(client, guard, signal);
    if (isHeld(guard)) return guard;
    this.#log(client, 'guard held');
    return client.replace(GUARDS, heldGuard(guard), { signal });
  }

  /** Takes our finalizer off a guard and returns the guard. With `remove` it is deleted too, unless it has changed meanwhile. */
  async release(
    client: ClusterClient,
    guard: KubeObject,
    { signal, remove }: Stoppable & { readonly remove: boolean },
  ): Promise<KubeObject | 'removed'> {
    const isLeaving = guard.metadata.deletionTimestamp !== undefined;
    const released = isHeld(guard) ? await client.replace(GUARDS, releasedGuard(guard), { signal }) : guard;
    this.#log(client, remove ? 'guard deleted' : 'guard released');
    if (isLeaving) return 'removed';
    if (!remove) return released;
    const { uid, resourceVersion } = released.metadata;
    const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
    await client.delete(GUARDS, { name: GUARD_NAME }, { preconditions, signal });
    return 'removed';
  }

  async #create(client: ClusterClient, spec: unknown, signal: AbortSignal): Promise<KubeObject | 'exists'> {
    try {
      const created = await client.create(GUARDS, newGuard(spec), { signal });
      this.#log(client, 'guard made');
      return created;
    } catch (error) {
      if (isKcpError(error, 'already-exists')) return 'exists';
      throw error;
    }
  }

  /**
   * One name is one object: the new guard can be made only after the old one is gone. Only while the workspace stays bound: kcp deletes guards of
   * a workspace that unbinds too, and one made anew without the configuration being removed would be too late.
   */
  async #remake(client: ClusterClient, guard: KubeObject, signal: AbortSignal): Promise<KubeObject | 'unbinding'> {
    if (!(await this.#isBound(client, { signal }))) return 'unbinding';
    if (isHeld(guard)) await client.replace(GUARDS, releasedGuard(guard), { signal });
    const made = await this.#create(client, guard['spec'], signal);
    return made === 'exists' ? client.get(GUARDS, { name: GUARD_NAME }, { signal }) : made;
  }

  /** Whether the workspace has a binding that is not on its way out. */
  async #isBound(client: ClusterClient, { signal }: Stoppable): Promise<boolean> {
    const staying = await collect(client, API_BINDINGS, {
      take: (binding) =>
        isBindingOf(binding, this.#dependencies.exportName) && binding.metadata.deletionTimestamp === undefined ? true : undefined,
      parseLarge: pagesOf(API_BINDINGS),
      signal,
    });
    return staying.length > 0;
  }

  #log(client: ClusterClient, message: string): void {
    this.#dependencies.logger.info(message, { cluster: client.address });
  }
}
