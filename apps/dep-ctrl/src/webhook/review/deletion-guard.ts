import { setMaxListeners } from 'node:events';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { Deadlines } from '@dep-ctrl/fair-shares';
import type { ApiBinding, BindingReads } from '@dep-ctrl/exported-types';
import type { Subject } from '../decision/admission-review.js';
import { decideDeletion, type Decision } from '../decision/decide-deletion.js';
import type { DependentLookup, LookupOptions } from '../lookup/dependent-lookup.js';
import type { GuardingRules, KnownRules } from '../fresh-rules/guarding-rules.js';
import { bindingsItStandsOn, isSameBinding, type BindingMemory } from '../lookup/binding-memory.js';
import { exporterOf } from '../bindings/consumer-bindings.js';
import type { GuardingMatch } from '../lookup/type-question.js';
import { lookupFailureOf, NotNeeded } from '../lookup/lookup-failure.js';
import type { Evidence, Finding, LookupFailure } from '../decision/lookup.js';
import type { ReviewMode } from '../decision/review-target.js';

/** The options of one judgement. */
export interface GuardOptions {
  /** The workspace that exports the subject's type; undefined: whichever. */
  readonly guardedCluster: LogicalClusterName | undefined;
  readonly mode: ReviewMode;
  /** How long kcp waits. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What {@link DeletionGuard} needs. */
export interface DeletionGuardDependencies {
  readonly reads: Pick<BindingReads, 'bindings' | 'binding'>;
  readonly rules: Pick<GuardingRules, 'guarding'>;
  readonly lookup: Pick<DependentLookup, 'find'>;
  readonly bindings: BindingMemory;
  readonly clock: Clock;
}

// The part of kcp's time that is kept for the answer's way back: a tenth, at least a quarter of a second.
const MARGIN = 0.1;
const LEAST_MARGIN_MS = 250;

// A review that waits for a shared list begins its own after a third of its time, so that two thirds are left for it.
const PATIENCE = 1 / 3;

/** The bindings of a consumer, or why they are unknown. */
type Bindings = { readonly all: readonly ApiBinding[] } | { readonly failure: LookupFailure };

/** The rules that guard a subject if the bindings have not changed, and the bindings on which the answer depends. */
interface Guess {
  readonly matches: readonly GuardingMatch[];
  readonly bindings: readonly ApiBinding[];
  readonly needed: readonly ApiBinding[];
}

const TIME_IS_OVER = new Error('the time for this review is over');

/** Judges deletions: gathers the rules that guard the subject and the objects that refer to it, within kcp's time, and decides. Writes nothing. */
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

  /**
   * The consumer's bindings decide whether the caller may ask, and whose rules count. If they are remembered, the dependents are looked up at once while the
   * bindings are read again. If the bindings have changed, that result is dropped.
   */
  async #gather(subject: Subject, asking: LogicalClusterName | undefined, options: LookupOptions): Promise<Evidence> {
    const guess = await this.#guess(subject, asking, options);
    if (guess === undefined) return this.#gatherInOrder(subject, asking, options);
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    setMaxListeners(0, signal);
    const findings = this.#find(subject, guess, { ...options, signal });
    findings.catch(() => undefined); // awaited below, if it is needed
    if (await this.#areAsTheyWere(subject, guess.needed, options)) return { state: 'rules-known', findings: await findings };
    stop.abort(new NotNeeded());
    return this.#gatherInOrder(subject, asking, options);
  }

  /**
   * The rules that guard the subject if the consumer's bindings have not changed. Undefined if they are not remembered, or if only a list can answer: that
   * list must come before the dependents are listed, or an object made in between would be missed.
   */
  async #guess(subject: Subject, asking: LogicalClusterName | undefined, options: LookupOptions): Promise<Guess | undefined> {
    const bindings = this.#dependencies.bindings.of(subject.cluster);
    const guarded = exporterOf(bindings ?? [], subject);
    if (bindings === undefined || guarded === undefined || (asking !== undefined && asking !== guarded)) return undefined;
    const rules = await this.#rulesFor(subject, guarded, bindings, options);
    if (rules.state !== 'known' || rules.areOthers) return undefined;
    const needed = bindingsItStandsOn(subject, rules.matches, bindings);
    return needed === undefined ? undefined : { matches: rules.matches, bindings, needed };
  }

  async #areAsTheyWere({ cluster }: Subject, bindings: readonly ApiBinding[], options: LookupOptions): Promise<boolean> {
    try {
      const now = await Promise.all(bindings.map(({ name }) => this.#dependencies.reads.binding(cluster, name, options)));
      return bindings.every((binding, index) => isSameBinding(binding, now[index]));
    } catch (failure) {
      lookupFailureOf(failure, options); // throws a defect on
      return false;
    }
  }

  async #listBindings({ cluster }: Subject, options: LookupOptions): Promise<Bindings> {
    try {
      return { all: await this.#dependencies.reads.bindings(cluster, options) };
    } catch (failure) {
      return { failure: lookupFailureOf(failure, options) };
    }
  }

  /** Lists the consumer's bindings first, then the dependents. */
  async #gatherInOrder(subject: Subject, asking: LogicalClusterName | undefined, options: LookupOptions): Promise<Evidence> {
    const bindings = await this.#listBindings(subject, options);
    if ('failure' in bindings) return { state: 'bindings-unknown', failure: bindings.failure };
    // A type that no binding brings is the workspace's own, and so is the configuration that asks about it.
    const guarded = exporterOf(bindings.all, subject) ?? subject.cluster;
    if (asking !== undefined && asking !== guarded) return { state: 'not-exported-here' };
    this.#dependencies.bindings.note(subject.cluster, bindings.all);
    const rules = await this.#rulesFor(subject, guarded, bindings.all, options);
    if (rules.state === 'unknown') return { state: 'rules-unknown' };
    if (rules.state === 'not-bound') return { state: 'rules-not-back' };
    return { state: 'rules-known', findings: await this.#find(subject, { ...rules, bindings: bindings.all }, options) };
  }

  async #rulesFor(
    subject: Subject,
    where: LogicalClusterName,
    bindings: readonly ApiBinding[],
    options: LookupOptions,
  ): Promise<KnownRules> {
    try {
      return await this.#dependencies.rules.guarding({ where, type: subject, bindings }, options);
    } catch (failure) {
      // The rules took longer than there is time.
      if (options.signal.aborted) return { state: 'unknown' };
      throw failure;
    }
  }

  /** A lookup never rejects for want of time. */
  async #find(
    subject: Subject,
    { matches, bindings }: Pick<Guess, 'matches' | 'bindings'>,
    options: LookupOptions,
  ): Promise<readonly Finding[]> {
    return matches.length === 0 ? [] : this.#dependencies.lookup.find(subject, matches, { ...options, bindings });
  }
}
