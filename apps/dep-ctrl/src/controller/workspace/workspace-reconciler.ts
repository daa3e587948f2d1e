/*
 * Brings one guarded workspace to what the plan says: guard first, then configuration, then what the guard says about both. The order
 * of writes keeps one invariant: whatever a configuration guards, the guard's status names, at every moment, so that a restart in
 * between shrinks nothing.
 */
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { Brake, type Clock, type Logger, type VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, type GuardRuleEntry, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { DesiredConfiguration, InstallOutcome } from '@dep-ctrl/webhook-installer';
import type { Reinstalls, Resolution } from '@dep-ctrl/workspace-resolver';
import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import type { ExportReader } from '@dep-ctrl/exported-types';
import { resourceOf } from '../../rules/guard-entries.js';
import type { SeenReader } from '../../rules/seen-objects.js';
import { REPAIRS, type ConfigurationWriter, type Site } from '../configuration/configuration-writer.js';
import { fittingEntries, isCrowded } from '../configuration/fit-configuration.js';
import type { GuardKeeper } from '../guard/guard-keeper.js';
import { saysSomething, sortedEntries } from '../guard/guard-objects.js';
import type { GuardStatusWriter, RulesOfGuard } from '../guard/guard-status-writer.js';
import { wasInstalled } from '../guard/guard-status.js';
import { installationOf, printWorkspace, type Installation, type InstallationContext } from '../configuration/installation.js';
import { planWorkspace, type WorkspacePlan } from './plan-workspace.js';
import { proveUnseen } from './unseen-rules.js';
import { gatherFacts, type GatheredFacts } from './workspace-facts.js';

/** What a `WorkspaceReconciler` needs. */
export interface WorkspaceReconcilerDependencies {
  readonly registry: RegistryReader;
  readonly seen: SeenReader;
  readonly workspaces: VirtualWorkspaces;
  readonly exportName: string;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home: WorkspacePath | undefined;
  /** What a path means, as far as anybody was asked. */
  readonly resolutionOf: (path: WorkspacePath) => Resolution | undefined;
  readonly exports: Pick<ExportReader, 'exportedTypes'>;
  readonly writer: ConfigurationWriter;
  readonly keeper: GuardKeeper;
  readonly statuses: GuardStatusWriter;
  readonly reinstalls: Reinstalls;
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
  readonly #repairs: Brake<LogicalClusterName, DesiredConfiguration>;
  readonly #unbindingSince = new Map<LogicalClusterName, number>();

  constructor(dependencies: WorkspaceReconcilerDependencies) {
    this.#dependencies = dependencies;
    this.#repairs = new Brake(dependencies.clock, REPAIRS);
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
    const { isNew, ...reconciled } = await this.#install(site, { facts, wanted, entries, desired }, signal);
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

  async #install(
    site: Site,
    want: {
      readonly facts: GatheredFacts;
      readonly wanted: readonly GuardRuleEntry[];
      readonly entries: readonly GuardRuleEntry[];
      readonly desired: DesiredConfiguration;
    },
    signal: AbortSignal,
  ): Promise<Reconciled & { readonly installation: Installation; readonly isNew: boolean }> {
    const held = (await this.#hasVanished(site, want, signal))
      ? await this.#dependencies.reinstalls.whyNotNow(site.cluster, { signal })
      : undefined;
    if (held !== undefined) return { installation: { state: 'pending', message: held }, again: 'soon', isNew: false };
    if (this.#repairs.waitMs(site.cluster, want.desired) > 0) return { installation: FOUGHT_ABOUT, again: 'soon', isNew: false };
    const outcome = await this.#dependencies.writer.ensure(site, want.desired, { signal, seen: want.facts.configuration ?? 'absent' });
    if (outcome.state === 'installed' && outcome.change === 'replaced') this.#noteRepair(site.cluster, want.desired);
    const isNew = outcome.state === 'installed';
    return { installation: this.#installation(site.cluster, outcome, want), again: whenAgain(outcome), isNew };
  }

  #noteRepair(cluster: LogicalClusterName, desired: DesiredConfiguration): void {
    const { logger, registry } = this.#dependencies;
    if (!this.#repairs.did(cluster, desired)) return;
    logger.warn(FOUGHT_ABOUT.message, { cluster, path: registry.paths.pathOf(cluster), name: GUARD_NAME });
  }

  /** Whether the configuration was there and is gone. Asked of kcp itself: watches may lag behind our own writes. */
  async #hasVanished(site: Site, { facts }: { readonly facts: GatheredFacts }, signal: AbortSignal): Promise<boolean> {
    const { reinstalls, writer } = this.#dependencies;
    if (facts.configuration !== undefined) {
      reinstalls.seen(site.cluster);
      return false;
    }
    const wasThere = reinstalls.isMissing(site.cluster) || (facts.guardObject !== undefined && wasInstalled(facts.guardObject));
    return wasThere && !(await writer.exists(site, { signal }));
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
    const outcome = await writer.remove(site, { signal });
    const isGone = outcome.state === 'removed' || outcome.state === 'absent';
    if (!isGone && !(plan.unbinding && this.#isTooLate(cluster))) {
      return { installation: this.#installation(cluster, outcome), again: plan.unbinding ? 'soon' : whenAgain(outcome) };
    }
    if (!isGone) this.#leaveBehind(cluster, outcome);
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

  /** Nothing of ours is there: workspaces come and go, and what is remembered of them must not pile up. */
  #forget(cluster: LogicalClusterName): void {
    const { reinstalls, writer } = this.#dependencies;
    this.#unbindingSince.delete(cluster);
    for (const memory of [reinstalls, this.#repairs, writer]) memory.forget(cluster);
  }

  #isTooLate(cluster: LogicalClusterName): boolean {
    const now = this.#dependencies.clock.monotonic();
    const since = this.#unbindingSince.get(cluster) ?? now;
    this.#unbindingSince.set(cluster, since);
    return now - since >= UNBINDING_MS;
  }

  #leaveBehind(cluster: LogicalClusterName, outcome: InstallOutcome): void {
    this.#dependencies.logger.error('configuration left behind: it keeps refusing deletes until it is deleted by hand', {
      cluster,
      path: this.#dependencies.registry.paths.pathOf(cluster),
      name: GUARD_NAME,
      problem: 'problem' in outcome ? outcome.problem : outcome.state,
    });
  }

  #site(cluster: LogicalClusterName, { endpoint }: GatheredFacts): Site | undefined {
    const owner = endpoint === undefined ? undefined : exportClusterOf(endpoint);
    if (endpoint === undefined || owner === undefined) return undefined;
    return { cluster, owner, client: this.#dependencies.workspaces.virtualWorkspace(endpoint).cluster(cluster) };
  }

  #installation(cluster: LogicalClusterName, outcome: InstallOutcome, { wanted, entries }: InstalledEntries = NO_ENTRIES): Installation {
    const { registry, exportName, home } = this.#dependencies;
    const path = registry.paths.pathOf(cluster) ?? registry.guarded(cluster).matches[0]?.dependency.export.path;
    return installationOf(outcome, { cluster, path, exportName, home, entries, wanted });
  }
}

const FOUGHT_ABOUT = {
  state: 'pending',
  message:
    'another writer changes the configuration again and again, most likely another controller of dep-ctrl for the same export: start no "all" and no "controller" with --leader-elect=false; until then it is repaired with growing pauses',
} as const satisfies Installation;

/** What is installed, of what was wanted. */
type InstalledEntries = Pick<InstallationContext, 'entries' | 'wanted'>;

const NO_ENTRIES: InstalledEntries = { entries: [], wanted: [] };

function whenAgain(outcome: InstallOutcome): Reconciled['again'] {
  if (!('retryable' in outcome)) return 'when-told';
  return outcome.retryable ? 'soon' : 'later';
}
