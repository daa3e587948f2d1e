/*
 * Brings one guarded workspace to what the plan says: guard first, then configuration, then what the guard says about both. The order
 * of writes keeps one invariant: whatever a configuration guards, the guard's status names, at every moment, so that a restart in
 * between shrinks nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { type KubeObject, type LogicalClusterName, timestamp, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { Brake, type BrakeSettings, type Clock, type Logger, type VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, parseGuard, type DependencyGuardStatus, type GuardRuleEntry, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { DesiredConfiguration, InstallOutcome } from '@dep-ctrl/webhook-installer';
import type { Reinstalls, Resolution } from '@dep-ctrl/workspace-resolver';
import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import type { ExportReader } from '@dep-ctrl/exported-types';
import { resourceOf } from '../../rules/guard-entries.js';
import type { SeenReader } from '../../rules/seen-objects.js';
import type { DecidedCondition } from '../../own-objects/conditions.js';
import type { ConfigurationWriter, Site } from '../configuration/configuration-writer.js';
import { consentRemarks, turnedAwayRemarks } from '../guard/guard-consent.js';
import { fittingEntries, isCrowded } from '../configuration/fit-configuration.js';
import type { GuardKeeper } from '../guard/guard-keeper.js';
import { saysSomething, sortedEntries } from '../guard/guard-objects.js';
import {
  guardStatus,
  idleStatus,
  namesTheSame,
  namingStatus,
  statusTextOf,
  wasInstalled,
  type NamedEntries,
  type StatusText,
} from '../guard/guard-status.js';
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

/*
 * What somebody else changes is put back at once, the first times. Whoever changes it again and again is most likely a second controller, of another
 * version or with another URL or CA, and without leader election: neither would ever stop, and each write is one to kcp's store and to every shard.
 * The longest pause is short enough that an edit which weakens the protection does not last.
 */
const REPAIRS: BrakeSettings = { atOnce: 3, backoff: { firstMs: 1_000, factor: 2, capMs: 15_000 }, forgetMs: 5 * 60_000 };

/** Reconciles guarded workspaces, one call per workspace at a time. */
export class WorkspaceReconciler {
  readonly #dependencies: WorkspaceReconcilerDependencies;
  readonly #repairs: Brake<LogicalClusterName, DesiredConfiguration>;
  /** Of what guards say. */
  readonly #words: Brake<LogicalClusterName, StatusText>;
  readonly #unbindingSince = new Map<LogicalClusterName, number>();

  constructor(dependencies: WorkspaceReconcilerDependencies) {
    this.#dependencies = dependencies;
    this.#repairs = new Brake(dependencies.clock, REPAIRS);
    this.#words = new Brake(dependencies.clock, REPAIRS);
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
      again = await this.#sayIdle(site, facts.guardObject, facts, signal);
    }
    if (facts.guardObject === undefined) this.#words.forget(cluster);
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
    const { keeper, writer, exports } = this.#dependencies;
    const site = this.#site(cluster, facts);
    if (site === undefined || facts.binding === 'not-bound') {
      return { installation: undefined, again: 'when-told' };
    }
    const exported = isCrowded(wanted) ? await exports.exportedTypes(cluster, { signal }) : undefined;
    const entries = fittingEntries(wanted, exported);
    const guarded = [...entries.map((entry) => ({ ...resourceOf(entry), enforcement: entry.enforcement })), ...also];
    const named = { entries, isEverything: also.length === 0 };
    const desired = writer.desired(cluster, guarded, facts.configuration);
    if (typeof desired === 'string') return { installation: { state: 'pending', message: desired }, again: 'soon' };
    await this.#proveLatest(site, facts, { signal, named });
    const guard = await keeper.ensure(site, facts.guardObject, { signal });
    if (guard === 'unbinding') return { installation: { state: 'pending', message: 'the workspace unbinds' }, again: 'soon' };
    if (facts.guardObject === undefined && saysSomething(guard)) {
      return { installation: { state: 'pending', message: 'the consent of a guard that was just made is read first' }, again: 'soon' };
    }
    const naming = await this.#nameFirst(site, guard, { facts, named }, signal);
    const { isNew, ...reconciled } = await this.#install(site, { facts, wanted, entries, desired }, signal);
    // kcp has something more urgent to do than to take our words: to look at what was written.
    if (isNew) return { ...reconciled, again: 'in-a-moment' };
    const remarks = this.#consentRemarks(facts, naming);
    const said = await this.#say(site, naming, guardStatus(naming, named, reconciled.installation, this.#now(), remarks), signal);
    // Nobody tells when the last that was not known is.
    const again = named.isEverything ? said : 'soon';
    return reconciled.again === 'when-told' ? { ...reconciled, again } : reconciled;
  }

  /** Fails with a conflict where the guard, or a rule that it names, is not what was seen of it. A guard that is written next proves that itself. */
  async #proveLatest(
    site: Site,
    facts: GatheredFacts,
    { signal, named }: { readonly signal: AbortSignal; readonly named?: NamedEntries },
  ): Promise<void> {
    const { guardObject, unseen } = facts;
    const isWritten = named !== undefined && this.#isWrittenNext(facts, named);
    if (!isWritten) await this.#dependencies.keeper.proveLatest(site, guardObject, { signal });
    await proveUnseen(unseen, this.#dependencies.workspaces, { signal });
  }

  #isWrittenNext(facts: GatheredFacts, named: NamedEntries): boolean {
    const { guardObject: guard } = facts;
    if (guard === undefined) return true;
    return guard.metadata.deletionTimestamp === undefined && this.#namingStatus(facts, guard, named) !== undefined;
  }

  /** Before the configuration grows, the guard's status names what it will guard; it shrinks only afterwards. */
  async #nameFirst(
    { client }: Site,
    guard: KubeObject,
    { facts, named }: { readonly facts: GatheredFacts; readonly named: NamedEntries },
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const status = this.#namingStatus(facts, guard, named);
    return status === undefined ? guard : this.#dependencies.keeper.say(client, guard, status, { signal });
  }

  #namingStatus(facts: GatheredFacts, guard: KubeObject, named: NamedEntries): DependencyGuardStatus | undefined {
    return namingStatus(guard, named, this.#now(), this.#consentRemarks(facts, guard));
  }

  #sayIdle(site: Site, guard: KubeObject, facts: GatheredFacts, signal: AbortSignal): Promise<'soon' | 'when-told'> {
    return this.#say(site, guard, idleStatus(guard, this.#now(), this.#consentRemarks(facts, guard)), signal);
  }

  /** The last word on a guard. Which rules it names never waits; words that somebody else replaces again and again do, with growing pauses. */
  async #say(
    { client, cluster }: Site,
    guard: KubeObject,
    status: DependencyGuardStatus,
    signal: AbortSignal,
  ): Promise<'soon' | 'when-told'> {
    const { keeper } = this.#dependencies;
    const own = statusTextOf(guard, status);
    const isSaid = (object: KubeObject): boolean => isDeepStrictEqual(object['status'], status);
    if (isSaid(guard)) return 'when-told';
    if (namesTheSame(guard, status) && this.#words.waitMs(cluster, own) > 0) return 'soon';
    // A former schema prunes words that it does not know: nobody fights then.
    if (isSaid(await keeper.say(client, guard, status, { signal }))) this.#words.did(cluster, own);
    return 'when-told';
  }

  #consentRemarks({ turnedAway }: GatheredFacts, object: KubeObject): readonly DecidedCondition[] {
    const { registry, resolutionOf } = this.#dependencies;
    const parsed = parseGuard(object);
    const guard = parsed.ok ? parsed.value : undefined;
    const resolved = consentRemarks(object, guard, (path) => {
      const resolution = resolutionOf(path);
      return resolution === undefined ? undefined : resolution.state === 'found' && registry.isBound(resolution.cluster);
    });
    return [...resolved, ...turnedAwayRemarks(turnedAway)];
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
    const { keeper, writer } = this.#dependencies;
    const site = this.#site(cluster, facts);
    if (site === undefined) return { installation: undefined, again: 'when-told' };
    if (plan.unbinding) await keeper.proveUnbinding(site, { signal });
    else if (facts.binding !== 'not-bound') {
      await this.#proveLatest(site, facts, { signal });
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
      if (released !== 'removed' && !plan.unbinding) again = await this.#sayIdle(site, released, facts, signal);
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

  #now(): string {
    return timestamp(this.#dependencies.clock.now());
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
