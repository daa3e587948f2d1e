/*
 * Brings one guarded workspace to what the plan says: guard first, then configuration, then what the guard says about both. The order
 * of writes keeps one invariant: whatever a configuration guards, the guard's status names, at every moment, so that a restart in
 * between shrinks nothing.
 */
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Clock, Logger, VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import type { ExportReader } from '@dep-ctrl/exported-types';
import { resourceOf } from '../../rules/guard-entries.js';
import type { SeenReader } from '../../rules/seen-objects.js';
import type { ConfigurationWriter, Site } from '../configuration/configuration-writer.js';
import { fittingEntries, isCrowded } from '../configuration/fit-configuration.js';
import type { GuardKeeper } from '../guard/guard-keeper.js';
import { saysSomething, sortedEntries } from '../guard/guard-objects.js';
import type { GuardStatusWriter, RulesOfGuard } from '../guard/guard-status-writer.js';
import { wasInstalled } from '../guard/guard-status.js';
import { printWorkspace, type Installation } from '../configuration/installation.js';
import { planWorkspace, type WorkspacePlan } from './plan-workspace.js';
import { proveUnseen } from './unseen-rules.js';
import { gatherFacts, type GatheredFacts } from './workspace-facts.js';

/** What a `WorkspaceReconciler` needs. */
export interface WorkspaceReconcilerDependencies {
  readonly registry: RegistryReader;
  readonly seen: SeenReader;
  readonly workspaces: VirtualWorkspaces;
  readonly exportName: string;
  /** What a path means, as far as anybody was asked. */
  readonly resolutionOf: (path: WorkspacePath) => Resolution | undefined;
  readonly exports: Pick<ExportReader, 'exportedTypes'>;
  readonly writer: ConfigurationWriter;
  readonly keeper: GuardKeeper;
  readonly statuses: GuardStatusWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How far a workspace came, and when to look again without being told to. */
export interface Reconciled {
  /** Undefined: nothing of ours is wanted there. */
  readonly installation: Installation | undefined;
  readonly again: 'when-told' | 'in-a-moment' | 'soon' | 'later';
}

/** For how long a leaving workspace is held to clean up, at most. */
const UNBINDING_MS = 60_000;

/** Reconciles guarded workspaces, one call per workspace at a time. */
export class WorkspaceReconciler {
  readonly #dependencies: WorkspaceReconcilerDependencies;
  readonly #unbindingSince = new Map<LogicalClusterName, number>();

  constructor(dependencies: WorkspaceReconcilerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the workspace what it should be. Throws KcpErrors of guards, which the queue tries again. */
  async reconcile(cluster: LogicalClusterName, { signal }: { readonly signal: AbortSignal }): Promise<Reconciled> {
    const facts = gatherFacts(cluster, this.#dependencies);
    const plan = planWorkspace(facts);
    switch (plan.do) {
      case 'wait':
        return { installation: { state: 'waiting', message: `waiting for ${plan.for}` }, again: 'when-told' };
      case 'rest':
        return this.#rest(cluster, facts, signal);
      case 'keep-guard':
        return this.#keepGuard(cluster, facts, signal);
      case 'protect':
        return this.#protect(cluster, facts, { entries: sortedEntries(plan.entries), also: plan.also }, signal);
      case 'withdraw':
        return this.#withdraw(cluster, facts, plan, signal);
      default:
        return plan satisfies never;
    }
  }

  /** A guard that only waits for rules says that there are none. */
  async #rest(cluster: LogicalClusterName, facts: GatheredFacts, signal: AbortSignal): Promise<Reconciled> {
    const site = this.#site(cluster, facts);
    let again: Reconciled['again'] = 'when-told';
    if (site !== undefined && facts.guardObject !== undefined && facts.binding !== 'not-bound') {
      again = await this.#dependencies.statuses.writeIdle(site, facts.guardObject, facts, { signal });
    }
    if (facts.guardObject === undefined) this.#dependencies.statuses.forget(cluster);
    this.#forget(cluster);
    return { installation: undefined, again };
  }

  /** The guard is made or held: its consent keeps rules out. */
  async #keepGuard(cluster: LogicalClusterName, facts: GatheredFacts, signal: AbortSignal): Promise<Reconciled> {
    const { keeper } = this.#dependencies;
    const site = this.#site(cluster, facts);
    if (site === undefined || facts.binding === 'not-bound') return { installation: undefined, again: 'when-told' };
    await keeper.proveLatest(site, facts.guardObject, { signal });
    await keeper.ensure(site, facts.guardObject, { signal });
    return { installation: undefined, again: 'soon' };
  }

  async #protect(
    cluster: LogicalClusterName,
    facts: GatheredFacts,
    { entries: wanted, also }: Pick<WorkspacePlan & { readonly do: 'protect' }, 'entries' | 'also'>,
    signal: AbortSignal,
  ): Promise<Reconciled> {
    const { keeper, statuses, writer, exports } = this.#dependencies;
    const site = this.#site(cluster, facts);
    if (site === undefined || facts.binding === 'not-bound') {
      return { installation: undefined, again: 'when-told' };
    }
    const exported = isCrowded(wanted) ? await exports.exportedTypes(cluster, { signal }) : undefined;
    const entries = fittingEntries(wanted, exported);
    const guarded = [...entries.map((entry) => ({ ...resourceOf(entry), enforcement: entry.enforcement })), ...also];
    const rules = { named: { entries, isEverything: also.length === 0 }, turnedAway: facts.turnedAway };
    const desired = writer.desired(cluster, guarded, facts.configuration);
    if (typeof desired === 'string') return { installation: { state: 'pending', message: desired }, again: 'soon' };
    if (!this.#isGuardWrittenNext(facts, rules)) await keeper.proveLatest(site, facts.guardObject, { signal });
    await this.#proveUnseen(facts, signal);
    const guard = await keeper.ensure(site, facts.guardObject, { signal });
    if (guard === 'unbinding') return { installation: { state: 'pending', message: 'the workspace unbinds' }, again: 'soon' };
    if (facts.guardObject === undefined && saysSomething(guard)) {
      return { installation: { state: 'pending', message: 'the consent of a guard that was just made is read first' }, again: 'soon' };
    }
    const naming = await statuses.nameFirst(site, guard, rules, { signal });
    const before = {
      seen: facts.configuration,
      wasInstalled: facts.guardObject !== undefined && wasInstalled(facts.guardObject),
    };
    const { isNew, ...reconciled } = await writer.install(site, { desired, ...before, entries, wanted }, { signal });
    // First kcp takes in the configuration; the status of the guard is less urgent.
    if (isNew) return { ...reconciled, again: 'in-a-moment' };
    const written = await statuses.write(site, naming, { ...rules, installation: reconciled.installation }, { signal });
    // No watch tells when the last unknown rule becomes known.
    const again = rules.named.isEverything ? written : 'soon';
    return reconciled.again === 'when-told' ? { ...reconciled, again } : reconciled;
  }

  /** Whether the guard is written before anything else. That write proves by itself that the guard is the one that the watch showed. */
  #isGuardWrittenNext({ guardObject: guard }: GatheredFacts, rules: RulesOfGuard): boolean {
    if (guard === undefined) return true;
    return guard.metadata.deletionTimestamp === undefined && this.#dependencies.statuses.isNamingDue(guard, rules);
  }

  #proveUnseen({ unseen }: GatheredFacts, signal: AbortSignal): Promise<void> {
    return proveUnseen(unseen, this.#dependencies.workspaces, { signal });
  }

  async #withdraw(
    cluster: LogicalClusterName,
    facts: GatheredFacts,
    plan: WorkspacePlan & { readonly do: 'withdraw' },
    signal: AbortSignal,
  ): Promise<Reconciled> {
    const { keeper, statuses, writer } = this.#dependencies;
    const site = this.#site(cluster, facts);
    if (site === undefined) return { installation: undefined, again: 'when-told' };
    if (plan.unbinding) await keeper.proveUnbinding(site, { signal });
    else if (facts.binding !== 'not-bound') {
      await keeper.proveLatest(site, facts.guardObject, { signal });
      await this.#proveUnseen(facts, signal);
    }
    const left = await writer.remove(site, { signal });
    if (left !== 'gone') {
      const { installation, again, problem } = left;
      if (!plan.unbinding) return { installation, again };
      if (!this.#isTooLate(cluster)) return { installation, again: 'soon' };
      this.#leaveBehind(cluster, problem);
    }
    let again: Reconciled['again'] = 'when-told';
    if (facts.guardObject !== undefined && plan.guard !== 'none') {
      const released = await keeper.release(site.client, facts.guardObject, { remove: plan.guard === 'delete', signal });
      if (released !== 'removed' && !plan.unbinding) again = await statuses.writeIdle(site, released, facts, { signal });
    }
    this.#forget(cluster);
    const isMissed = plan.unbinding && facts.wanted.length > 0;
    return { installation: isMissed ? this.#unbinding(cluster) : undefined, again };
  }

  /** What rules want is not there any more, and the workspace may take its time to unbind. */
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

  #site(cluster: LogicalClusterName, { endpoint }: GatheredFacts): Site | undefined {
    const owner = endpoint === undefined ? undefined : exportClusterOf(endpoint);
    if (endpoint === undefined || owner === undefined) return undefined;
    return { cluster, owner, client: this.#dependencies.workspaces.virtualWorkspace(endpoint).cluster(cluster) };
  }
}
