/*
 * Writes DependencyGuards: makes, holds, remakes and releases them as planned, and keeps their status. Through the virtual workspace,
 * PUT with resourceVersion, never forced: whoever was faster wins and the queue comes back.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isKcpError, listAll, type ClusterClient, type Logger } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, GUARDS, type DependencyGuardStatus } from '@dep-ctrl/rule-registry';
import { isBindingOf } from '../rules/own-bindings.js';
import { APIBINDINGS } from '../rules/watched-types.js';
import type { Site } from './configuration-writer.js';
import { heldGuard, isHeld, newGuard, releasedGuard, saysSomething } from './guard-objects.js';
import { forgetSpec, recallSpec, rememberSpec } from './spec-memory.js';

/** What a `GuardKeeper` needs. */
export interface GuardKeeperDependencies {
  readonly exportName: string;
  readonly logger: Logger;
}

/** How to call. */
interface Options {
  readonly signal: AbortSignal;
}

/** What was seen last of a guarded workspace. */
export interface SeenAtSite {
  readonly guard: KubeObject | undefined;
  readonly configuration: KubeObject | undefined;
}

/** The writer of all guards. */
export class GuardKeeper {
  readonly #dependencies: GuardKeeperDependencies;

  constructor(dependencies: GuardKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes sure that there is a guard with our finalizer. `unbinding`: the workspace is leaving, and what is being deleted must not be made
   * again. A guard that is being deleted comes back as it is where its spec cannot be kept for the next one yet: while we hold it, it counts.
   */
  async ensure(site: Site, seen: SeenAtSite, { signal }: Options): Promise<KubeObject | 'unbinding'> {
    const { client } = site;
    const guard = seen.guard ?? (await this.#createOrGet(site, () => recallSpec(site, { signal }), signal));
    if (guard.metadata.deletionTimestamp !== undefined) return this.#remake(site, guard, signal);
    await forgetSpec(site, seen.configuration, { signal });
    if (isHeld(guard)) return guard;
    this.#log(client, 'guard held');
    return client.replace(GUARDS, heldGuard(guard), { signal });
  }

  /** Lets go of a guard and answers with it; with `remove` it is deleted as well, unless somebody has changed it meanwhile. */
  async release(
    client: ClusterClient,
    guard: KubeObject,
    { signal, remove }: Options & { readonly remove: boolean },
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

  /** Writes the status where it is another one, and answers with the guard as it is then. */
  async say(client: ClusterClient, guard: KubeObject, status: DependencyGuardStatus, { signal }: Options): Promise<KubeObject> {
    if (isDeepStrictEqual(guard['status'], status)) return guard;
    return client.replaceStatus(GUARDS, { ...guard, status }, { signal });
  }

  async #createOrGet({ client }: Site, spec: () => Promise<unknown>, signal: AbortSignal): Promise<KubeObject> {
    try {
      const created = await client.create(GUARDS, newGuard(await spec()), { signal });
      this.#log(client, 'guard made');
      return created;
    } catch (error) {
      if (isKcpError(error, 'already-exists')) return client.get(GUARDS, { name: GUARD_NAME }, { signal });
      throw error;
    }
  }

  /**
   * A guard deleted by hand is made again with its spec. Only while the workspace stays bound: kcp deletes guards of a workspace that
   * unbinds too, and one made anew without the configuration being removed would be too late.
   */
  async #remake(site: Site, guard: KubeObject, signal: AbortSignal): Promise<KubeObject | 'unbinding'> {
    const { client } = site;
    const { objects } = await listAll(client, APIBINDINGS, {}, { signal });
    const own = objects.filter((binding) => isBindingOf(binding, this.#dependencies.exportName));
    if (own.length === 0 || own.every(({ metadata }) => metadata.deletionTimestamp !== undefined)) return 'unbinding';
    if (saysSomething(guard) && !(await rememberSpec(site, guard.spec, { signal }))) return guard;
    if (isHeld(guard)) await client.replace(GUARDS, releasedGuard(guard), { signal });
    return this.#createOrGet(site, () => Promise.resolve(guard['spec']), signal);
  }

  #log(client: ClusterClient, message: string): void {
    this.#dependencies.logger.info(message, { cluster: client.address });
  }
}
