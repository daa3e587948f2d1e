/*
 * Protects one guarded workspace: the guard first, then the configuration, then the status of the guard. The order of writes keeps one invariant: at every
 * moment the guard's status names whatever the configuration guards. So a restart in between shrinks nothing.
 */
import type { Stoppable, VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import type { ExportReader } from '@dep-ctrl/exported-types';
import { resourceOf } from '../../rules/guard-entries.js';
import type { ConfigurationWriter, Site } from '../configuration/configuration-writer.js';
import { fittingEntries, isCrowded } from '../configuration/fit-configuration.js';
import type { GuardKeeper } from '../guard/guard-keeper.js';
import { saysSomething, sortedEntries } from '../guard/guard-objects.js';
import type { GuardStatusWriter, RulesOfGuard } from '../guard/guard-status-writer.js';
import { wasInstalled } from '../guard/guard-status.js';
import type { WorkspacePlan } from './plan-workspace.js';
import type { Reconciled } from './reconciled.js';
import { proveUnseen } from './unseen-rules.js';
import type { GatheredFacts } from './workspace-facts.js';

/** What a `WorkspaceProtection` needs. */
export interface WorkspaceProtectionDependencies {
  readonly workspaces: VirtualWorkspaces;
  readonly exports: Pick<ExportReader, 'exportedTypes'>;
  readonly writer: ConfigurationWriter;
  readonly keeper: GuardKeeper;
  readonly statuses: GuardStatusWriter;
}

/** Makes and holds guard and configuration. */
export class WorkspaceProtection {
  readonly #dependencies: WorkspaceProtectionDependencies;

  constructor(dependencies: WorkspaceProtectionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes or holds the guard alone: its consent keeps rules out. */
  async keepGuard(site: Site, { guardObject }: GatheredFacts, options: Stoppable): Promise<Reconciled> {
    const { keeper } = this.#dependencies;
    await keeper.proveLatest(site, guardObject, options);
    await keeper.ensure(site, guardObject, options);
    return { installation: undefined, again: 'soon' };
  }

  /** Makes or holds the guard, then the configuration. */
  async protect(
    site: Site,
    facts: GatheredFacts,
    plan: WorkspacePlan & { readonly do: 'protect' },
    options: Stoppable,
  ): Promise<Reconciled> {
    const { keeper, statuses, writer, exports, workspaces } = this.#dependencies;
    const wanted = sortedEntries(plan.entries);
    const exported = isCrowded(wanted) ? await exports.exportedTypes(site.cluster, options) : [];
    const entries = fittingEntries(wanted, exported, facts.configured);
    const guarded = [...entries.map((entry) => ({ ...resourceOf(entry), enforcement: entry.enforcement })), ...plan.also];
    const rules = { named: { entries, isEverything: plan.also.length === 0 }, turnedAway: facts.turnedAway };
    const desired = writer.desired(site.cluster, guarded, facts.configuration);
    if (typeof desired === 'string') return pending(desired);
    if (!this.#isGuardWrittenNext(facts, rules)) await keeper.proveLatest(site, facts.guardObject, options);
    await proveUnseen(facts.unseen, workspaces, options);
    const guard = await keeper.ensure(site, facts.guardObject, options);
    if (guard === 'unbinding') return pending('the workspace unbinds');
    if (facts.guardObject === undefined && saysSomething(guard)) {
      return pending('the consent of a guard that was just made is read first');
    }
    const naming = await statuses.nameFirst(site, guard, rules, options);
    const before = {
      seen: facts.configuration,
      wasInstalled: facts.guardObject !== undefined && wasInstalled(facts.guardObject),
    };
    const { isNew, ...written } = await writer.install(site, { desired, ...before, entries, wanted }, options);
    // First kcp takes in the configuration; the status of the guard is less urgent.
    if (isNew) return { ...written, again: 'in-a-moment' };
    const said = await statuses.write(site, naming, { ...rules, installation: written.installation }, options);
    // No watch tells when the last unknown rule becomes known, or when exports can be read again.
    const again = rules.named.isEverything && exported !== undefined ? said : 'soon';
    return written.again === 'when-told' ? { ...written, again } : written;
  }

  /** Whether the guard is written before anything else. That write proves by itself that the guard is the one that the watch showed. */
  #isGuardWrittenNext({ guardObject: guard }: GatheredFacts, rules: RulesOfGuard): boolean {
    if (guard === undefined) return true;
    return guard.metadata.deletionTimestamp === undefined && this.#dependencies.statuses.isNamingDue(guard, rules);
  }
}

function pending(message: string): Reconciled {
  return { installation: { state: 'pending', message }, again: 'soon' };
}
