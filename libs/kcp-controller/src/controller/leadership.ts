// One election for all controllers of a process. Each works in every term, and no write is sent by a process that does not lead at that moment.
import { once, setMaxListeners } from 'node:events';
import { LeadersConnection, type Connection, type LeaderElector, type Requester, type Runnable } from '@dep-ctrl/kcp-client';

/** What a {@link Leadership} is made of. */
export interface LeadershipOptions {
  readonly elector: Pick<LeaderElector, 'run' | 'isLeader'>;
}

/** The terms of this process as the leader. Run it beside the controllers that were given it. */
export class Leadership implements Runnable {
  readonly #elector: LeadershipOptions['elector'];
  #term: AbortSignal | undefined;
  #begun = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor({ elector }: LeadershipOptions) {
    this.#elector = elector;
  }

  /** Whether this process may act as the leader at this very moment. */
  isLeader(): boolean {
    return this.#elector.isLeader();
  }

  /** A connection whose writes fail with a conflict while this process does not lead. */
  guard(connection: Requester & Pick<Connection, 'baseUrl'>): LeadersConnection {
    return new LeadersConnection({ connection, isLeader: () => this.isLeader() });
  }

  /** Stands as a candidate until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#elector.run((term) => this.#lead(term), signal);
  }

  /** Works in every term until the signal aborts. Rejects with what the work throws. */
  async during(work: (term: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const term = await this.#nextTerm(signal);
      if (term === undefined) return;
      await this.#workIn(term, work, signal);
      if (!isOver(term)) return;
    }
  }

  async #workIn(term: AbortSignal, work: (term: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const both = new AbortController();
    const end = (): void => both.abort();
    for (const each of [term, signal]) {
      setMaxListeners(0, each); // one for each controller
      each.addEventListener('abort', end, { once: true });
    }
    if (isOver(term) || isOver(signal)) end();
    const working = work(both.signal);
    const ended = working.catch(() => undefined);
    this.#work.add(ended);
    try {
      await working;
    } finally {
      this.#work.delete(ended);
      for (const each of [term, signal]) each.removeEventListener('abort', end);
    }
  }

  async #lead(term: AbortSignal): Promise<void> {
    this.#term = term;
    this.#begun.abort();
    this.#begun = new AbortController();
    if (!term.aborted) await once(term, 'abort');
    this.#term = undefined;
    // The lease is given back after the last run has ended.
    await Promise.all(this.#work);
  }

  async #nextTerm(signal: AbortSignal): Promise<AbortSignal | undefined> {
    if (this.#term?.aborted === false) return this.#term;
    const waiting = new AbortController();
    try {
      await Promise.race([
        once(this.#begun.signal, 'abort', { signal: waiting.signal }),
        once(signal, 'abort', { signal: waiting.signal }),
      ]).catch(() => undefined);
      return signal.aborted ? undefined : this.#term;
    } finally {
      waiting.abort();
    }
  }
}

/** Reads the signal anew: it may have aborted while something was awaited. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
