import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { CaBundleSource } from '@dep-ctrl/webhook-installer';
import { Reinstalls, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { ExportReader } from '@dep-ctrl/exported-types';
import { LeadersConnection } from '@dep-ctrl/kcp-client';
import { ConfigurationWriter } from '../controller/configuration/configuration-writer.js';
import { Installations } from '../controller/configuration/installations.js';
import { GuardKeeper } from '../controller/guard/guard-keeper.js';
import { GuardStatusWriter } from '../controller/guard/guard-status-writer.js';
import { AdmissionKeeper } from '../controller/rule-admission/admission-keeper.js';
import { homePathOf } from '../command-line/bind-command.js';
import { GrantChecks } from '../controller/rule-status/grant-checks.js';
import { RuleFactGatherer } from '../controller/rule-status/rule-facts.js';
import { RuleStatusWriter } from '../controller/rule-status/rule-status-writer.js';
import { TypeCycles } from '../controller/rule-status/type-cycles.js';
import { GuardedWorkspaceController } from '../controller/workspace/guarded-workspace-controller.js';
import { WorkspaceProtection } from '../controller/workspace/workspace-protection.js';
import { WorkspaceReconciler } from '../controller/workspace/workspace-reconciler.js';
import { WorkspaceWithdrawal } from '../controller/workspace/workspace-withdrawal.js';
import { RuleSource } from '../rules/rule-source.js';
import type { UrlTokens } from '../url-tokens/url-tokens.js';
import { CurrentElection, RunningPart, WebhookToCall, type SharedParts } from './tokens.js';

/** The address and the trust that a leader installs. */
export interface LeadershipOptions {
  readonly webhookUrl: string;
  readonly caBundle: CaBundleSource;
  /** Undefined: the installed URLs carry no token. */
  readonly urlTokens?: UrlTokens | undefined;
}

/** The work of a leader on guarded workspaces and rules. */
export function leadershipModules(shared: SharedParts, options: LeadershipOptions): readonly ContainerModule[] {
  const { connection, registry } = shared;
  const { exportName } = shared.home;
  const { caBundle, urlTokens } = options;
  const home = homePathOf(shared.home.workspace.address);
  const leaders = new ContainerModule(({ bind }) => {
    bind(LeadersConnection).toResolvedValue(
      ({ value: election }) => new LeadersConnection({ connection, isLeader: () => election?.elector.isLeader() ?? true }),
      [CurrentElection],
    );
    bind(ExportReader).toResolvedValue(() => new ExportReader(shared));
  });
  const configuration = new ContainerModule(({ bind }) => {
    bind(Installations).toResolvedValue(() => new Installations());
    bind(ConfigurationWriter).toResolvedValue(
      (reinstalls) => new ConfigurationWriter({ ...shared, ...options, exportName, home, reinstalls }),
      [Reinstalls],
    );
    bind(Reinstalls).toResolvedValue(
      (resolver) => new Reinstalls({ ...shared, resolver, pathOf: (cluster) => registry.paths.pathOf(cluster) }),
      [WorkspaceResolver],
    );
  });
  const guard = new ContainerModule(({ bind }) => {
    bind(GuardKeeper).toResolvedValue(() => new GuardKeeper({ ...shared, exportName }));
    bind(GuardStatusWriter).toResolvedValue(
      (source) => new GuardStatusWriter({ ...shared, resolutionOf: (path) => source.resolutionOf(path) }),
      [RuleSource],
    );
  });
  const workspace = new ContainerModule(({ bind }) => {
    bind(WorkspaceProtection).toResolvedValue(
      (workspaces, exports, writer, keeper, statuses) => new WorkspaceProtection({ workspaces, exports, writer, keeper, statuses }),
      [LeadersConnection, ExportReader, ConfigurationWriter, GuardKeeper, GuardStatusWriter],
    );
    bind(WorkspaceWithdrawal).toResolvedValue(
      (workspaces, writer, keeper, statuses) => new WorkspaceWithdrawal({ ...shared, exportName, workspaces, writer, keeper, statuses }),
      [LeadersConnection, ConfigurationWriter, GuardKeeper, GuardStatusWriter],
    );
    bind(WorkspaceReconciler).toResolvedValue(
      (source, workspaces, protection, withdrawal) => {
        const { seen } = source;
        const resolutionOf = (path: WorkspacePath) => source.resolutionOf(path);
        return new WorkspaceReconciler({ ...shared, exportName, seen, resolutionOf, workspaces, protection, withdrawal });
      },
      [RuleSource, LeadersConnection, WorkspaceProtection, WorkspaceWithdrawal],
    );
    const reinstallOn = urlTokens === undefined ? [caBundle] : [caBundle, urlTokens];
    bind(GuardedWorkspaceController).toResolvedValue(
      (source, reconciler, statuses, cycles, installations) =>
        new GuardedWorkspaceController({ ...shared, source, reconciler, statuses, cycles, installations, reinstallOn }),
      [RuleSource, WorkspaceReconciler, RuleStatusWriter, TypeCycles, Installations],
    );
    bind(RunningPart).toResolvedValue((controller) => new RunningPart(controller), [GuardedWorkspaceController]);
  });
  const ruleStatus = new ContainerModule(({ bind }) => {
    bind(GrantChecks).toResolvedValue(() => new GrantChecks({ ...shared, home: shared.home.workspace }));
    bind(TypeCycles).toResolvedValue(() => new TypeCycles(shared));
    bind(RuleFactGatherer).toResolvedValue(
      (source, exports, grants, cycles, installations) =>
        new RuleFactGatherer({ ...shared, home, source, exports, grants, cycles, installations }),
      [RuleSource, ExportReader, GrantChecks, TypeCycles, Installations],
    );
    bind(RuleStatusWriter).toResolvedValue(
      ({ seen }, workspaces, facts) => new RuleStatusWriter({ ...shared, seen: seen.rules, workspaces, facts }),
      [RuleSource, LeadersConnection, RuleFactGatherer],
    );
  });
  return [leaders, configuration, guard, workspace, ruleStatus];
}

/** The work of a leader that makes kcp check rules as they are written. */
export function ruleAdmissionModule(shared: SharedParts, { urlTokens, ...options }: LeadershipOptions): ContainerModule {
  const { exportName } = shared.home;
  const urlToken = urlTokens && (() => urlTokens.ofRules());
  return new ContainerModule(({ bind }) => {
    bind(AdmissionKeeper).toResolvedValue(
      ({ value: { isServing } }, leaders) =>
        new AdmissionKeeper({ ...shared, ...options, exportName, home: leaders.sameWorkspace(shared.home.workspace), urlToken, isServing }),
      [WebhookToCall, LeadersConnection],
    );
    bind(RunningPart).toResolvedValue((keeper) => new RunningPart(keeper), [AdmissionKeeper]);
  });
}
