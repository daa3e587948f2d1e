// The rules, watched for as long as the console runs, and the desk that answers about deletes: one question after the other. Where they cannot be read,
// pages say why, and it is tried again.
import { once } from 'node:events';
import type { Clock, Runnable } from '@dep-ctrl/kcp-client';
import { describeFailure } from '@dep-ctrl/command-settings';
import type { Rehearsal } from '../explain/rehearse-reviews.js';

/** An answer, or why there is none yet. */
export type Asked<T> = { readonly state: 'answered'; readonly value: T } | NotAnswered;

/** `reading`: not yet; `failed`: not with these rights, or kcp is away. */
export type NotAnswered = { readonly state: 'reading' } | { readonly state: 'failed'; readonly why: string };

/** What {@link LiveRules} needs. */
export interface LiveRulesDependencies {
  /** Gives `work` the rules, and watches them until it is done. */
  readonly rehearse: (work: (rehearsal: Rehearsal) => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
}

const TRY_AGAIN_MS = 5_000;
// Others wait for it.
const MOST_MS = 30_000;

/** The rules of a console. */
export class LiveRules implements Runnable {
  readonly #dependencies: LiveRulesDependencies;
  #now: { readonly state: 'live'; readonly rehearsal: Rehearsal } | NotAnswered = { state: 'reading' };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(dependencies: LiveRulesDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { rehearse, clock } = this.#dependencies;
    const isStopped = () => signal.aborted;
    while (!isStopped()) {
      try {
        await rehearse((rehearsal) => this.#live(rehearsal), signal);
      } catch (error) {
        if (isStopped()) return;
        this.#now = { state: 'failed', why: describeFailure(error) };
      }
      await clock.sleep(TRY_AGAIN_MS, { signal }).catch(() => undefined); // stopped
    }
  }

  /** Does the work once all earlier calls have their answers. Its signal is aborted together with the asker's. */
  async ask<T>(work: (rehearsal: Rehearsal) => Promise<T>, asker: AbortSignal): Promise<Asked<T>> {
    const before = this.#turn;
    let done: () => void = () => undefined;
    this.#turn = new Promise<void>((resolve) => (done = resolve));
    try {
      await before;
      if (this.#now.state !== 'live') return this.#now;
      const { rehearsal } = this.#now;
      asker.throwIfAborted();
      const tooLong = AbortSignal.timeout(MOST_MS);
      const signal = AbortSignal.any([asker, rehearsal.signal, tooLong]);
      const value = work({ ...rehearsal, signal }).catch((error: unknown) => {
        throw tooLong.aborted ? new Error(`this takes longer than ${String(MOST_MS / 1_000)} s: dep-ctrl explain waits longer`) : error;
      });
      return { state: 'answered', value: await value };
    } finally {
      done();
    }
  }

  async #live(rehearsal: Rehearsal): Promise<void> {
    this.#now = { state: 'live', rehearsal };
    if (!rehearsal.signal.aborted) await once(rehearsal.signal, 'abort');
    this.#now = { state: 'reading' };
  }
}
