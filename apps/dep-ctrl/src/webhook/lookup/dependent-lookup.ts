import { setMaxListeners } from 'node:events';
import type { Subject } from '../review/admission-review.js';
import type { ConsumerBinding } from './consumer-bindings.js';
import type { Finding } from '../review/lookup.js';
import { NotNeeded } from './lookup-failure.js';
import { areEnoughToRefuse } from './referrers.js';
import { questionsOf, type GuardingMatch, type TypeQuestion } from './type-question.js';
import { TypeLookup, type Search, type TypeLookupDependencies } from './type-lookup.js';

/** What bounds a lookup. */
export type LookupOptions = Pick<Search, 'signal' | 'patienceMs' | 'untilMs'>;

/** Finds out who refers to a subject: all dependent types side by side, until enough is known to refuse. */
export class DependentLookup {
  readonly #types: TypeLookup;
  readonly #reads: TypeLookupDependencies['reads'];
  /** The matches are the same until a rule changes. */
  readonly #questions = new WeakMap<readonly GuardingMatch[], readonly TypeQuestion[]>();

  constructor(dependencies: TypeLookupDependencies) {
    this.#types = new TypeLookup(dependencies);
    this.#reads = dependencies.reads;
  }

  /** A finding for every rule and path that guards the subject. Never rejects for what kcp answers or fails to. */
  async find(subject: Subject, matches: readonly GuardingMatch[], options: LookupOptions): Promise<readonly Finding[]> {
    const questions = this.#questions.get(matches) ?? questionsOf(matches);
    this.#questions.set(matches, questions);
    const [only, ...others] = questions;
    if (only === undefined) return [];
    return others.length === 0
      ? this.#types.answer(only, this.#search(subject, options))
      : this.#answerAll([only, ...others], subject, options);
  }

  /** What is bound is read once for all types: rules may name thousands that nobody has bound. */
  #search(subject: Subject, options: LookupOptions): Search {
    let first: Promise<readonly ConsumerBinding[]> | undefined;
    return { ...options, subject, firstBindings: () => (first ??= this.#reads.bindings(subject.cluster, options)) };
  }

  async #answerAll(questions: readonly TypeQuestion[], subject: Subject, options: LookupOptions): Promise<readonly Finding[]> {
    const enough = new AbortController();
    const signal = AbortSignal.any([options.signal, enough.signal]);
    setMaxListeners(0, signal);
    const search = this.#search(subject, { ...options, signal });
    const answers = questions.map(async (question) => {
      const findings = await this.#types.answer(question, search);
      if (areEnoughToRefuse(findings)) enough.abort(new NotNeeded());
      return findings;
    });
    try {
      return (await Promise.all(answers)).flat();
    } catch (defect) {
      enough.abort(new NotNeeded()); // a defect in one type must not leave others reading
      throw defect;
    }
  }
}
