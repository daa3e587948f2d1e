/*
 * The controller role. The leader reconciles guarded workspaces with their rules and writes statuses for authors and providers. Only the leader writes.
 * The role starts without kcp, export or rules, and reports what it waits for.
 */
import { once } from 'node:events';
import {
  pause,
  type Clock,
  type LeaderElector,
  type LeaseHolder,
  type Logger,
  type ReadinessCheck,
  runAll,
  type Runnable,
} from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { RuleSource } from '../rules/rule-source.js';
import { NONE, type InstallationCounts, type Installations } from './configuration/installations.js';
import type { OrderedTeardown, TeardownCounts } from './teardown/ordered-teardown.js';
import { waitingFor } from './waiting-for.js';
import type { GuardedWorkspaceController } from './workspace/guarded-workspace-controller.js';

/** How replicas agree on a leader. */
export interface Election {
  readonly elector: LeaderElector;
  /** What the election last saw of the lease. */
  readonly lease: Pick<LeaseHolder, 'other' | 'problem'>;
}

/** The webhook whose URL is installed. */
export interface CalledWebhook {
  /** `https://host:port/validate`, without a slash at the end; that of this process is known once it listens. */
  readonly url: string | Promise<string>;
  /** Whether it answers yet; always true where it runs elsewhere. */
  readonly isServing: () => boolean;
}

/** The work of a leader, and its state. */
export interface LeadersWork {
  readonly parts: readonly Runnable[];
  readonly controller: Pick<GuardedWorkspaceController, 'queueDepth'>;
  readonly installations: Pick<Installations, 'counts'>;
  /** Undefined: dying workspaces are left to kcp. */
  readonly teardown: Pick<OrderedTeardown, 'counts'> | undefined;
}

/** Makes new parts without any memory: another leader may have written meanwhile. */
export type NewLeadersWork = (webhookUrl: string) => LeadersWork;

/** What a `ControllerRole` needs. */
export interface ControllerRoleDependencies {
  /** Both roles share one; this role does not run it. */
  readonly source: Pick<RuleSource, 'state'>;
  readonly registry: RegistryReader;
  readonly exportName: string;
  readonly webhook: Pick<CalledWebhook, 'url'>;
  readonly newWork: NewLeadersWork;
  /** Undefined: there is no other replica, and it leads at once. */
  readonly election: Election | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The state of the role, for metrics and readiness. */
export interface ControllerState {
  readonly isLeading: boolean;
  /** The identity of another replica that leads, if it is known. */
  readonly otherLeader: string | undefined;
  /** Why the lease could not be read or written at the last try. */
  readonly leaseProblem: string | undefined;
  /** What the role waits for; empty once it works. */
  readonly waitingFor: readonly string[];
  readonly queueDepth: number;
  /** Guarded workspaces by state. Known to the leader only. */
  readonly configurations: InstallationCounts;
  /** Workspaces that are being torn down in order. Known to the leader only. */
  readonly teardown: TeardownCounts;
}

/** How often to check, for the log, what the role waits for and which replica leads. */
const WAITING_MS = 1_000;

/** Runs the controller. */
export class ControllerRole implements Runnable {
  readonly #dependencies: ControllerRoleDependencies;
  #webhookUrl: string | undefined;
  #work: LeadersWork | undefined;

  constructor(dependencies: ControllerRoleDependencies) {
    this.#dependencies = dependencies;
  }

  /** For `readyz?verbose`, where there is an election. */
  readonly leadership: ReadinessCheck = {
    name: 'leadership',
    check: () => {
      const { isLeading, otherLeader, leaseProblem } = this.state();
      if (leaseProblem !== undefined) return { ready: true, note: `the lease is neither taken nor renewed: ${leaseProblem}` };
      if (isLeading) return { ready: true };
      return { ready: true, remark: `standing by: ${otherLeader === undefined ? 'who leads is not known yet' : `${otherLeader} leads`}` };
    },
  };

  /** The URL that is installed; undefined until it is known. */
  get webhookUrl(): string | undefined {
    return this.#webhookUrl;
  }

  state(): ControllerState {
    return {
      isLeading: this.#work !== undefined,
      otherLeader: this.#otherLeader(),
      leaseProblem: this.#dependencies.election?.lease.problem(),
      waitingFor: this.#waitingFor(),
      queueDepth: this.#work?.controller.queueDepth ?? 0,
      configurations: this.#work?.installations.counts() ?? NONE,
      teardown: this.#work?.teardown?.counts() ?? { workspaces: 0, held: 0 },
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { webhook, election } = this.#dependencies;
    const url = await Promise.race([webhook.url, stopped(signal)]);
    if (url === undefined) return;
    this.#webhookUrl = url;
    const lead = (leading: AbortSignal): Promise<void> => this.#lead(url, leading);
    await Promise.all([election === undefined ? lead(signal) : election.elector.run(lead, signal), this.#tellStanding(signal)]);
  }

  async #lead(webhookUrl: string, signal: AbortSignal): Promise<void> {
    const { newWork, election, logger } = this.#dependencies;
    this.#work = newWork(webhookUrl);
    if (election === undefined) logger.info('leading');
    try {
      await runAll(this.#work.parts, signal);
    } finally {
      this.#work = undefined;
    }
  }

  #otherLeader(): string | undefined {
    return this.#work === undefined ? this.#dependencies.election?.lease.other() : undefined;
  }

  #waitingFor(): readonly string[] {
    const { source, registry, exportName } = this.#dependencies;
    return waitingFor(source.state(), registry, exportName);
  }

  /** Logs what the role waits for, and which replica leads while this one stands by, whenever that changes. */
  async #tellStanding(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#dependencies;
    let told = '';
    let toldLeader: string | undefined;
    while (!signal.aborted) {
      const leader = this.#otherLeader();
      if (leader !== undefined && leader !== toldLeader) logger.info('standing by', { leader });
      if (leader !== undefined || this.#work !== undefined) toldLeader = leader;
      const waiting = this.#waitingFor().join('; ');
      if (waiting !== told) logger.info(waiting === '' ? 'everything is read' : 'waiting', waiting === '' ? {} : { for: waiting });
      told = waiting;
      await pause(WAITING_MS, { clock, signal });
    }
  }
}

async function stopped(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
  return undefined;
}
