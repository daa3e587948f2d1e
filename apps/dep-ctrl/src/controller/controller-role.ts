/*
 * The controller role: whoever leads makes guarded workspaces what their rules want, and tells authors and providers how far it came.
 * All writes happen while leading. Starts from nothing and says what it waits for.
 */
import {
  runAll,
  silentLogger,
  type Clock,
  ClusterClient,
  type Connection,
  type LeaderElector,
  type Logger,
  type Runnable,
} from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { CaBundleSource } from '@dep-ctrl/webhook-installer';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import type { RuleSource } from '../rules/rule-source.js';
import { homePathOf } from './rule-status/bind-command.js';
import { ConfigurationWriter } from './configuration/configuration-writer.js';
import { ExportReader } from '../schema-checks/export-reader.js';
import { GrantChecks } from './rule-status/grant-checks.js';
import { GuardKeeper } from './guard/guard-keeper.js';
import type { GuardWords } from './guard/guard-words.js';
import { GuardedWorkspaceController } from './workspace/guarded-workspace-controller.js';
import { Installations, NONE, type InstallationCounts } from './configuration/installations.js';
import { leadersRequests, leadersWrites } from './leaders-connection.js';
import type { LeaseHolder } from './lease-holder.js';
import { ReinstallBrake } from './configuration/reinstall-brake.js';
import { RepairBrake } from './configuration/repair-brake.js';
import { AdmissionKeeper, type AdmissionKeeperDependencies } from './rule-admission/admission-keeper.js';
import { RuleFactGatherer } from './rule-status/rule-facts.js';
import { RuleStatusWriter } from './rule-status/rule-status-writer.js';
import type { UrlTokens } from '../url-tokens/url-tokens.js';
import { waitingFor } from './waiting-for.js';
import { WorkspaceReconciler } from './workspace/workspace-reconciler.js';

/** What the controller role is told by its flags. */
export interface ControllerSettings {
  readonly exportName: string;
  /** `https://host:port/validate`, without a slash at the end. */
  readonly webhookUrl: string;
}

/** What a `ControllerRole` needs. */
export interface ControllerRoleDependencies {
  /** Somebody else runs it: both roles share one. */
  readonly source: RuleSource;
  readonly registry: RegistryReader;
  readonly resolver: WorkspaceResolver;
  readonly connection: Connection;
  /** The dep-ctrl workspace. */
  readonly home: ClusterClient;
  readonly settings: ControllerSettings;
  /** Somebody else runs it, where it follows a file. */
  readonly caBundle: CaBundleSource;
  /** Absent: the installed URLs carry no token. */
  readonly urlTokens?: UrlTokens;
  /** Absent: kcp is not told to ask about rules and guards as they are written. */
  readonly admission?: Pick<AdmissionKeeperDependencies, 'urlToken' | 'isServing'>;
  /** Absent: there is no other replica, and it leads at once. */
  readonly leaderElector?: LeaderElector;
  /** What the election last saw of the lease. */
  readonly lease?: Pick<LeaseHolder, 'other' | 'problem'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** What the role is doing, for metrics and readiness. */
export interface ControllerState {
  readonly isLeading: boolean;
  /** Who leads instead, where that is known. */
  readonly otherLeader: string | undefined;
  /** Why the lease could not be read or written at the last try. */
  readonly leaseProblem: string | undefined;
  /** What it waits for before there is anything to do; empty once it works. */
  readonly waitingFor: readonly string[];
  readonly queueDepth: number;
  /** Guarded workspaces by how far they came. Known to the leader only. */
  readonly configurations: InstallationCounts;
}

/** How often what it waits for, and for whom, is looked at, to log a change. */
const WAITING_MS = 1_000;

/** Runs the controller. */
export class ControllerRole implements Runnable {
  readonly #dependencies: ControllerRoleDependencies;
  readonly #logger: Logger;
  #leading: { readonly controller: GuardedWorkspaceController; readonly installations: Installations } | undefined;

  constructor(dependencies: ControllerRoleDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  state(): ControllerState {
    const { source, registry, settings } = this.#dependencies;
    return {
      isLeading: this.#leading !== undefined,
      otherLeader: this.#otherLeader(),
      leaseProblem: this.#dependencies.lease?.problem(),
      waitingFor: waitingFor(source.state(), registry, settings.exportName),
      queueDepth: this.#leading?.controller.queueDepth ?? 0,
      configurations: this.#leading?.installations.counts() ?? NONE,
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leaderElector } = this.#dependencies;
    const lead = (leading: AbortSignal): Promise<void> => this.#lead(leading);
    await Promise.all([leaderElector === undefined ? lead(signal) : leaderElector.run(lead, signal), this.#tellStanding(signal)]);
  }

  /** Everything that is remembered between two looks is made anew: another leader may have written meanwhile. */
  async #lead(signal: AbortSignal): Promise<void> {
    const installations = new Installations();
    const controller = this.#makeController(installations);
    this.#leading = { controller, installations };
    if (this.#dependencies.leaderElector === undefined) this.#logger.info('leading');
    try {
      await runAll([controller, ...this.#admissionKeeper()], signal);
    } finally {
      this.#leading = undefined;
    }
  }

  /** Keeps the configuration in dep-ctrl's own workspace, which is the one that the server's address names. */
  #admissionKeeper(): readonly AdmissionKeeper[] {
    const { connection, settings, caBundle, admission, clock } = this.#dependencies;
    const { baseUrl, workspace: address } = connection;
    if (admission === undefined || address === undefined) return [];
    const home = new ClusterClient(
      leadersRequests(connection, () => this.#isLeader()),
      { baseUrl, address },
    );
    return [new AdmissionKeeper({ ...admission, ...settings, home, caBundle, clock, logger: this.#logger })];
  }

  #isLeader(): boolean {
    return this.#dependencies.leaderElector?.isLeader() ?? true;
  }

  #makeController(installations: Installations): GuardedWorkspaceController {
    const { source, registry, resolver, connection, settings, caBundle, urlTokens, clock } = this.#dependencies;
    const logger = this.#logger;
    const workspaces = leadersWrites(connection, () => this.#isLeader());
    const { seen } = source;
    const { exportName, webhookUrl } = settings;
    const home = homePathOf(connection.workspace);
    const writer = new ConfigurationWriter({ exportName, webhookUrl, caBundle, logger, ...(urlTokens !== undefined && { urlTokens }) });
    const keeper = new GuardKeeper({ exportName, logger });
    const exports = new ExportReader({ connection, clock });
    const brake = new ReinstallBrake({ resolver, clock, pathOf: (cluster) => registry.paths.pathOf(cluster) });
    const repairs = new RepairBrake(clock);
    const words = new RepairBrake<GuardWords>(clock);
    const reconciler = new WorkspaceReconciler({
      registry,
      seen,
      workspaces,
      exportName,
      home,
      resolutionOf: (path) => source.resolutionOf(path),
      exports,
      writer,
      keeper,
      brake,
      repairs,
      words,
      clock,
      logger,
    });
    const facts = new RuleFactGatherer({
      registry,
      source,
      exports,
      grants: new GrantChecks({ connection, home: this.#dependencies.home, clock, logger }),
      installationOf: (cluster) => installations.of(cluster),
      home,
      clock,
    });
    const statuses = new RuleStatusWriter({ registry, seen, workspaces, facts, clock, logger });
    const reinstallOn = urlTokens === undefined ? [caBundle] : [caBundle, urlTokens];
    return new GuardedWorkspaceController({ source, registry, reconciler, statuses, installations, reinstallOn, clock, logger });
  }

  #otherLeader(): string | undefined {
    return this.#leading === undefined ? this.#dependencies.lease?.other() : undefined;
  }

  /** What it waits for, and who leads while this one stands by: whenever that changes. */
  async #tellStanding(signal: AbortSignal): Promise<void> {
    const { source, registry, settings, clock } = this.#dependencies;
    let told = '';
    let toldLeader: string | undefined;
    while (!signal.aborted) {
      const leader = this.#otherLeader();
      if (leader !== undefined && leader !== toldLeader) this.#logger.info('standing by', { leader });
      if (leader !== undefined || this.#leading !== undefined) toldLeader = leader;
      const waiting = waitingFor(source.state(), registry, settings.exportName).join('; ');
      if (waiting !== told) this.#logger.info(waiting === '' ? 'everything is read' : 'waiting', waiting === '' ? {} : { for: waiting });
      told = waiting;
      await clock.sleep(WAITING_MS, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }
}
