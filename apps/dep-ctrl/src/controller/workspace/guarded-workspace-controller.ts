/*
 * Works while this process leads. Every change of the rule source becomes a key in one of two queues: guarded workspaces and rules. Level-triggered: a key
 * says where to look, not what happened. At the start, and every ten minutes, all keys are looked at. Only the state of each workspace is kept, for the
 * statuses of its rules.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { every, isKcpError, KeyedQueue, pause, runAll, type Clock, type Logger, type QueueOutcome } from '@dep-ctrl/kcp-client';
import type { RegistryReader, RuleKey } from '@dep-ctrl/rule-registry';
import type { RuleSource } from '../../rules/rule-source.js';
import { installationAfter, isUnbound, type Installation } from '../configuration/installation.js';
import type { Installations } from '../configuration/installations.js';
import type { RuleStatusWriter } from '../rule-status/rule-status-writer.js';
import type { TypeCycles } from '../rule-status/type-cycles.js';
import type { Reconciled } from './reconciled.js';
import type { WorkspaceReconciler } from './workspace-reconciler.js';

/** What a `GuardedWorkspaceController` needs. */
export interface GuardedWorkspaceControllerDependencies {
  readonly source: Pick<RuleSource, 'subscribe' | 'seen'>;
  readonly registry: RegistryReader;
  readonly reconciler: WorkspaceReconciler;
  readonly statuses: RuleStatusWriter;
  readonly cycles: Pick<TypeCycles, 'look'>;
  readonly installations: Installations;
  /** Sources of the installed URLs and CA bundles: when one changes, every configuration is looked at. */
  readonly reinstallOn: readonly { subscribe(listener: () => void): () => void }[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Guarded workspaces that are reconciled at the same time; each takes a handful of requests. */
const WORKSPACES_AT_ONCE = 8;
const RULES_AT_ONCE = 4;
const BACKOFF = { firstMs: 200, factor: 2, capMs: 60_000 };
/** Until kcp has taken in a configuration that was just written (10 to 24 ms, kcp 0.32): what is said about it comes after that. */
const IN_A_MOMENT_MS = 50;
/** A workspace that unbinds is held for a minute at most: growing pauses would make that nearly two. */
const IN_SECONDS_MS = 2_000;
/** What only people can fix is tried again without a change that we could see, but not often. */
const LATER_MS = 5 * 60_000;
/** Everything is looked at again this often: a safety net under the watches. */
const RESYNC_MS = 10 * 60_000;
/** Finding cycles takes all rules: an author who edits a rule in a loop must not slow down the others. */
const CYCLES_MS = 2_000;

/** Reconciles guarded workspaces and writes rule statuses, until it is told to stop. */
export class GuardedWorkspaceController {
  readonly #dependencies: GuardedWorkspaceControllerDependencies;
  readonly #workspaces: KeyedQueue<LogicalClusterName>;
  readonly #rules: KeyedQueue<RuleKey>;
  readonly #cycles: KeyedQueue<'cycles'>;

  constructor(dependencies: GuardedWorkspaceControllerDependencies) {
    this.#dependencies = dependencies;
    const { clock } = dependencies;
    this.#workspaces = new KeyedQueue({
      concurrency: WORKSPACES_AT_ONCE,
      backoff: BACKOFF,
      clock,
      run: (cluster, signal) => this.#reconcile(cluster, signal),
    });
    this.#rules = new KeyedQueue({
      concurrency: RULES_AT_ONCE,
      backoff: BACKOFF,
      clock,
      run: (rule, signal) => this.#writeStatus(rule, signal),
    });
    this.#cycles = new KeyedQueue({ concurrency: 1, clock, run: (_, signal) => this.#lookForCycles(signal) });
  }

  /** Keys that are worked on or wait for their turn; those that wait for a time do not count. */
  get queueDepth(): number {
    return this.#workspaces.due + this.#rules.due;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { source, reinstallOn } = this.#dependencies;
    const resync = {
      run: (stop: AbortSignal) => every(RESYNC_MS, () => this.#resync(), { clock: this.#dependencies.clock, signal: stop }),
    };
    const endings = [
      source.subscribe(({ guarded, rules }) => {
        for (const cluster of guarded) this.#workspaces.add(cluster);
        for (const rule of rules) this.#rules.add(rule);
        if (rules.size > 0) this.#cycles.add('cycles');
      }),
      ...reinstallOn.map((origin) => origin.subscribe(() => this.#addAllWorkspaces())),
    ];
    try {
      await runAll([this.#workspaces, this.#rules, this.#cycles, resync], signal);
    } finally {
      for (const end of endings) end();
    }
  }

  #resync(): void {
    this.#addAllWorkspaces();
    this.#cycles.add('cycles');
    const { rules, rejected } = this.#dependencies.registry.snapshot();
    for (const { key } of [...rules, ...rejected]) this.#rules.add(key);
  }

  /** Every workspace that is guarded, should be, or was: an orphan shows by its guard or its configuration. */
  #addAllWorkspaces(): void {
    const { registry, source } = this.#dependencies;
    for (const cluster of registry.guardedWorkspaces()) this.#workspaces.add(cluster);
    const { guards, configurations } = source.seen;
    for (const store of [guards, configurations]) for (const { cluster } of store) this.#workspaces.add(cluster);
  }

  async #reconcile(cluster: LogicalClusterName, signal: AbortSignal): Promise<QueueOutcome> {
    try {
      const { installation, again } = await this.#dependencies.reconciler.reconcile(cluster, { signal });
      this.#note(cluster, installation, again === 'in-a-moment' ? IN_A_MOMENT_MS : 0);
      return OUTCOMES[again];
    } catch (error) {
      if (signal.aborted || !isKcpError(error)) throw error;
      if (error.code !== 'conflict') this.#note(cluster, installationAfter(error));
      return { kind: 'retry' };
    }
  }

  /** Keeps how far a workspace came, says it once, and lets the rules that wait for it look. */
  #note(cluster: LogicalClusterName, installation: Installation | undefined, sayAfterMs = 0): void {
    const { installations, registry, logger } = this.#dependencies;
    if (isDeepStrictEqual(installations.of(cluster), installation)) return;
    installations.set(cluster, installation);
    if (installation?.state === 'failed') {
      const { reason, message } = installation;
      logger[isUnbound(installation) ? 'info' : 'warn']('configuration of a guarded workspace cannot be installed', {
        cluster,
        path: registry.paths.pathOf(cluster),
        reason,
        problem: message,
      });
    }
    const { matches, refused } = registry.guarded(cluster);
    for (const { rule } of [...matches, ...refused]) this.#rules.add(rule.key, sayAfterMs);
  }

  /** A rule that closes a cycle, or leaves one, is news for all the rules in it. */
  async #lookForCycles(signal: AbortSignal): Promise<QueueOutcome> {
    for (const rule of this.#dependencies.cycles.look()) this.#rules.add(rule);
    await pause(CYCLES_MS, { clock: this.#dependencies.clock, signal });
    return { kind: 'done' };
  }

  async #writeStatus(rule: RuleKey, signal: AbortSignal): Promise<QueueOutcome> {
    try {
      const afterMs = await this.#dependencies.statuses.write(rule, { signal });
      return afterMs === undefined ? { kind: 'done' } : { kind: 'again', afterMs };
    } catch (error) {
      if (signal.aborted || !isKcpError(error)) throw error;
      this.#dependencies.logger.debug('rule status not written', { rule, problem: error.message });
      return { kind: 'retry' };
    }
  }
}

const OUTCOMES: Readonly<Record<Reconciled['again'], QueueOutcome>> = {
  'when-told': { kind: 'done' },
  'in-a-moment': { kind: 'again', afterMs: IN_A_MOMENT_MS },
  'in-seconds': { kind: 'again', afterMs: IN_SECONDS_MS },
  soon: { kind: 'retry' },
  later: { kind: 'again', afterMs: LATER_MS },
};
