import { setMaxListeners } from 'node:events';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Subject } from './admission-review.js';
import { decideDeletion, type Decision } from './decide-deletion.js';
import { Deadlines } from './deadlines.js';
import type { DependentLookup, LookupOptions } from '../lookup/dependent-lookup.js';
import type { GuardingRules } from '../fresh-rules/guarding-rules.js';
import { exporterOf, type ConsumerBinding } from '../lookup/consumer-bindings.js';
import { lookupFailureOf } from '../lookup/lookup-failure.js';
import type { WorkspaceReads } from '../lists/workspace-reads.js';
import type { Evidence, LookupFailure } from './lookup.js';
import type { ReviewMode } from '../server/review-target.js';

/** Where and how a deletion is judged. */
export interface GuardOptions {
  /** The workspace that exports the subject's type; undefined: whichever. */
  readonly guardedCluster: LogicalClusterName | undefined;
  readonly mode: ReviewMode;
  /** How long the asker waits. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What {@link DeletionGuard} needs. */
export interface DeletionGuardDependencies {
  readonly reads: Pick<WorkspaceReads, 'bindings'>;
  readonly rules: Pick<GuardingRules, 'guarding'>;
  readonly lookup: Pick<DependentLookup, 'find'>;
  readonly clock: Clock;
}

// What is left of the asker's time for the answer to reach it: a tenth, at least a quarter of a second.
const MARGIN = 0.1;
const LEAST_MARGIN_MS = 250;

// Who waits for the next list begins one of its own after a third of its time: two thirds may be enough where a half is not.
const PATIENCE = 1 / 3;

const TIME_IS_OVER = new Error('the time for this review is over');

/** Judges deletions: gathers which rules guard the subject and who refers to it, within the asker's time, and decides. Writes nothing. */
export class DeletionGuard {
  readonly #dependencies: DeletionGuardDependencies;
  readonly #deadlines: Deadlines;

  constructor(dependencies: DeletionGuardDependencies) {
    this.#dependencies = dependencies;
    this.#deadlines = new Deadlines(dependencies);
  }

  /** Whether the subject may go. Rejects only for a defect. */
  async decide(subject: Subject, { guardedCluster, mode, timeoutMs, signal }: GuardOptions): Promise<Decision> {
    const budgetMs = Math.max(0, timeoutMs - Math.max(timeoutMs * MARGIN, LEAST_MARGIN_MS));
    const stop = new AbortController();
    setMaxListeners(0, stop.signal); // one per read that is under way
    const leave = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const cancel = this.#deadlines.after(budgetMs, () => stop.abort(TIME_IS_OVER));
    try {
      const untilMs = this.#dependencies.clock.monotonic() + budgetMs;
      const options = { signal: stop.signal, patienceMs: budgetMs * PATIENCE, untilMs, sharer: subject.cluster };
      return decideDeletion(subject, mode, await this.#gather(subject, guardedCluster, options));
    } finally {
      signal.removeEventListener('abort', leave);
      cancel();
    }
  }

  /** What the consumer has bound comes first: it says who may ask about it, and whose rules concern it. */
  async #gather(subject: Subject, asking: LogicalClusterName | undefined, options: LookupOptions): Promise<Evidence> {
    const bindings = await this.#bindings(subject, options);
    if ('failure' in bindings) return { state: 'bindings-unknown', failure: bindings.failure };
    // A type that no binding brings is the workspace's own, and so is the configuration that asks about it.
    const guarded = exporterOf(bindings.all, subject) ?? subject.cluster;
    if (asking !== undefined && asking !== guarded) return { state: 'not-exported-here' };
    return this.#gatherFor(subject, guarded, bindings.all, options);
  }

  async #gatherFor(
    subject: Subject,
    guarded: LogicalClusterName,
    bindings: readonly ConsumerBinding[],
    options: LookupOptions,
  ): Promise<Evidence> {
    const { rules, lookup } = this.#dependencies;
    try {
      const known = await rules.guarding({ where: guarded, type: subject, bindings }, options);
      if (known.state === 'unknown') return { state: 'rules-unknown' };
      const findings = known.matches.length === 0 ? [] : await lookup.find(subject, known.matches, { ...options, bindings });
      return { state: 'rules-known', findings };
    } catch (failure) {
      // The rules took longer than there is time; a lookup never rejects for that.
      if (options.signal.aborted) return { state: 'rules-unknown' };
      throw failure;
    }
  }

  async #bindings(
    { cluster }: Subject,
    options: LookupOptions,
  ): Promise<{ readonly all: readonly ConsumerBinding[] } | { readonly failure: LookupFailure }> {
    try {
      return { all: await this.#dependencies.reads.bindings(cluster, options) };
    } catch (failure) {
      return { failure: lookupFailureOf(failure, options) };
    }
  }
}
