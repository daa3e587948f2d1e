import { setMaxListeners } from 'node:events';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Subject } from './admission-review.js';
import { decideDeletion, type Decision } from './decide-deletion.js';
import { Deadlines } from './deadlines.js';
import type { DependentLookup, LookupOptions } from '../lookup/dependent-lookup.js';
import type { GuardingRules } from '../fresh-rules/guarding-rules.js';
import type { HeldLookup } from '../lookup/held-lookup.js';
import type { Evidence } from './lookup.js';
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
  readonly rules: Pick<GuardingRules, 'guarding'>;
  readonly lookup: Pick<DependentLookup, 'find'>;
  readonly held: Pick<HeldLookup, 'find'>;
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
      const options = { signal: stop.signal, patienceMs: budgetMs * PATIENCE, untilMs };
      return decideDeletion(subject, mode, await this.#gather(subject, guardedCluster, options));
    } finally {
      signal.removeEventListener('abort', leave);
      cancel();
    }
  }

  async #gather(subject: Subject, guardedCluster: LogicalClusterName | undefined, options: LookupOptions): Promise<Evidence> {
    const { rules, lookup, held } = this.#dependencies;
    try {
      const known = await rules.guarding(guardedCluster, subject, options);
      if (known.state === 'unknown') return { state: 'rules-unknown' };
      if (known.held.length === 0) {
        const findings = known.matches.length === 0 ? [] : await lookup.find(subject, known.matches, options);
        return { state: 'rules-known', findings };
      }
      const findings = [lookup.find(subject, known.matches, options), held.find(subject, known.held, options)];
      return { state: 'rules-known', findings: (await Promise.all(findings)).flat() };
    } catch (failure) {
      // The rules took longer than there is time; a lookup never rejects for that.
      if (options.signal.aborted) return { state: 'rules-unknown' };
      throw failure;
    }
  }
}
