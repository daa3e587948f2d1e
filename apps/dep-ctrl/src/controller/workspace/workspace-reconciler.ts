/*
 * Brings one guarded workspace to what the rules want, in three steps: the facts, without asking kcp (workspace-facts.ts); the plan, pure
 * (plan-workspace.ts); the plan carried out on fresh state (workspace-protection.ts, workspace-withdrawal.ts).
 */
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Stoppable, VirtualWorkspaces } from '@dep-ctrl/kcp-client';
import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import type { Site } from '../configuration/configuration-writer.js';
import { planWorkspace } from './plan-workspace.js';
import { NOTHING_WANTED, type Reconciled } from './reconciled.js';
import { gatherFacts, type FactSources, type GatheredFacts } from './workspace-facts.js';
import type { WorkspaceProtection } from './workspace-protection.js';
import type { WorkspaceWithdrawal } from './workspace-withdrawal.js';

/** What a `WorkspaceReconciler` needs. */
export interface WorkspaceReconcilerDependencies extends FactSources {
  readonly workspaces: VirtualWorkspaces;
  readonly protection: WorkspaceProtection;
  readonly withdrawal: WorkspaceWithdrawal;
}

/** Reconciles guarded workspaces, one call per workspace at a time. */
export class WorkspaceReconciler {
  readonly #dependencies: WorkspaceReconcilerDependencies;

  constructor(dependencies: WorkspaceReconcilerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the workspace what it should be. Throws KcpErrors of guards, which the queue tries again. */
  async reconcile(cluster: LogicalClusterName, options: Stoppable): Promise<Reconciled> {
    const { protection, withdrawal } = this.#dependencies;
    const facts = gatherFacts(cluster, this.#dependencies);
    const plan = planWorkspace(facts);
    const site = this.#siteOf(cluster, facts);
    switch (plan.do) {
      case 'wait':
        return { installation: { state: 'waiting', message: `waiting for ${plan.for}` }, again: 'when-told' };
      case 'rest':
        return withdrawal.rest(cluster, site, facts, options);
      case 'keep-guard':
        if (site === undefined || facts.binding === 'not-bound') return NOTHING_WANTED;
        return protection.keepGuard(site, facts, options);
      case 'protect':
        if (site === undefined || facts.binding === 'not-bound') return NOTHING_WANTED;
        return protection.protect(site, facts, plan, options);
      case 'withdraw':
        if (site === undefined) return NOTHING_WANTED;
        return withdrawal.withdraw(site, facts, plan, options);
      default:
        return plan satisfies never;
    }
  }

  /** Undefined: no endpoint of the export serves the workspace. */
  #siteOf(cluster: LogicalClusterName, { endpoint }: GatheredFacts): Site | undefined {
    const owner = endpoint === undefined ? undefined : exportClusterOf(endpoint);
    if (endpoint === undefined || owner === undefined) return undefined;
    return { cluster, owner, client: this.#dependencies.workspaces.virtualWorkspace(endpoint).cluster(cluster) };
  }
}
