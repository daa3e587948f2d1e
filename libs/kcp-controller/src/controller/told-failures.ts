import type { Logger } from '@dep-ctrl/kcp-client';
import { nameOfKey } from '../store/stored.js';
import { problemOf, type RunOutcome } from './run-outcome.js';

/** Logs the failures of objects: each problem of an object once, until it works again. */
export class ToldFailures {
  readonly #controller: string;
  readonly #logger: Logger;
  readonly #told = new Map<string, string>();

  constructor(controller: string, logger: Logger) {
    this.#controller = controller;
    this.#logger = logger;
  }

  /** Objects that fail now. */
  get size(): number {
    return this.#told.size;
  }

  tell(key: string, { outcome, error }: RunOutcome): void {
    if (outcome === 'conflict') {
      this.#logger.debug('reconcile begins anew', { ...this.#fields(key), problem: problemOf(error) });
      return;
    }
    if (outcome !== 'failed' && outcome !== 'hung') {
      if (this.#told.delete(key)) this.#logger.info('reconcile works again', this.#fields(key));
      return;
    }
    const problem = outcome === 'hung' ? 'it did not end in time, and no other run of this object begins before it does' : problemOf(error);
    const isNews = this.#told.get(key) !== problem;
    if (isNews) this.#told.set(key, problem);
    this.#logger[isNews ? 'warn' : 'debug']('reconcile failed', { ...this.#fields(key), problem });
  }

  #fields(key: string): Readonly<Record<string, unknown>> {
    return { controller: this.#controller, ...nameOfKey(key) };
  }
}
