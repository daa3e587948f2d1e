/*
 * Withdraws from one workspace: the configuration first, then the guard, so that a guard stays as long as the configuration that it explains. A workspace
 * that unbinds is held for a minute at most: a configuration that cannot be removed by then is left behind and named in the log.
 */
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Clock, Logger, Stoppable, VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { ConfigurationWriter, Site } from '../configuration/configuration-writer.js';
import { printWorkspace, type Installation } from '../configuration/installation.js';
import type { GuardKeeper } from '../guard/guard-keeper.js';
import type { GuardStatusWriter } from '../guard/guard-status-writer.js';
import type { WorkspacePlan } from './plan-workspace.js';
import type { Reconciled } from './reconciled.js';
import { proveUnseen } from './unseen-rules.js';
import type { GatheredFacts } from './workspace-facts.js';

/** What a `WorkspaceWithdrawal` needs. */
export interface WorkspaceWithdrawalDependencies {
  readonly registry: RegistryReader;
  readonly workspaces: VirtualWorkspaces;
  readonly exportName: string;
  readonly writer: ConfigurationWriter;
  readonly keeper: GuardKeeper;
  readonly statuses: GuardStatusWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** For how long a workspace that unbinds is held to clean up, at most. */
const UNBINDING_MS = 60_000;

/** Removes configurations and releases guards. */
export class WorkspaceWithdrawal {
  readonly #dependencies: WorkspaceWithdrawalDependencies;
  readonly #unbindingSince = new Map<LogicalClusterName, number>();

  constructor(dependencies: WorkspaceWithdrawalDependencies) {
    this.#dependencies = dependencies;
  }

  /** Nothing of ours is wanted and no configuration is there. A guard that waits for rules says that there are none. */
  async rest(cluster: LogicalClusterName, site: Site | undefined, facts: GatheredFacts, options: Stoppable): Promise<Reconciled> {
    const { statuses } = this.#dependencies;
    let again: Reconciled['again'] = 'when-told';
    if (site !== undefined && facts.guardObject !== undefined && facts.binding !== 'not-bound') {
      again = await statuses.writeIdle(site, facts.guardObject, facts, options);
    }
    if (facts.guardObject === undefined) statuses.forget(cluster);
    this.#forget(cluster);
    return { installation: undefined, again };
  }

  /** Removes the configuration, then lets go of the guard. */
  async withdraw(
    site: Site,
    facts: GatheredFacts,
    plan: WorkspacePlan & { readonly do: 'withdraw' },
    options: Stoppable,
  ): Promise<Reconciled> {
    const { keeper, statuses, writer } = this.#dependencies;
    await this.#proveCause(site, facts, plan, options);
    const left = await writer.remove(site, options);
    if (left !== 'gone') {
      const { installation, again, problem } = left;
      if (!plan.unbinding) return { installation, again };
      if (!this.#isTooLate(site.cluster)) return { installation, again: 'in-seconds' };
      this.#leaveBehind(site.cluster, problem);
    }
    let again: Reconciled['again'] = 'when-told';
    if (facts.guardObject !== undefined && plan.guard !== 'none') {
      const released = await keeper.release(site.client, facts.guardObject, { remove: plan.guard === 'delete', ...options });
      if (released !== 'removed' && !plan.unbinding) again = await statuses.writeIdle(site, released, facts, options);
    }
    this.#forget(site.cluster);
    const isMissed = plan.unbinding && facts.wanted.length > 0;
    return { installation: isMissed ? this.#unbinding(site.cluster) : undefined, again };
  }

  /** Fails with a conflict if kcp, asked now, knows a reason to keep the configuration that the watches do not show yet. */
  async #proveCause(site: Site, facts: GatheredFacts, { unbinding }: { readonly unbinding: boolean }, options: Stoppable): Promise<void> {
    const { keeper, workspaces } = this.#dependencies;
    if (unbinding) return keeper.proveUnbinding(site, options);
    if (facts.binding === 'not-bound') return;
    await keeper.proveLatest(site, facts.guardObject, options);
    await proveUnseen(facts.unseen, workspaces, options);
  }

  /** For the rules that still want a configuration there: the workspace may take its time to unbind. */
  #unbinding(cluster: LogicalClusterName): Installation {
    const { registry, exportName } = this.#dependencies;
    const workspace = printWorkspace(cluster, registry.paths.pathOf(cluster));
    return { state: 'failed', reason: 'NotBound', message: `${workspace} unbinds ${exportName}: nothing is guarded there any more` };
  }

  #forget(cluster: LogicalClusterName): void {
    this.#unbindingSince.delete(cluster);
    this.#dependencies.writer.forget(cluster);
  }

  #isTooLate(cluster: LogicalClusterName): boolean {
    const now = this.#dependencies.clock.monotonic();
    const since = this.#unbindingSince.get(cluster) ?? now;
    this.#unbindingSince.set(cluster, since);
    return now - since >= UNBINDING_MS;
  }

  #leaveBehind(cluster: LogicalClusterName, problem: string): void {
    this.#dependencies.logger.error('configuration left behind: it keeps refusing deletes until it is deleted by hand', {
      cluster,
      path: this.#dependencies.registry.paths.pathOf(cluster),
      name: GUARD_NAME,
      problem,
    });
  }
}
