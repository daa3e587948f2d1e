import { setMaxListeners } from 'node:events';
import type { Subject } from '../decision/admission-review.js';
import type { Finding } from '../decision/lookup.js';
import { NotNeeded } from './lookup-failure.js';
import { areEnoughToRefuse } from './referrers.js';
import { questionsOf, type GuardingMatch, type TypeQuestion } from './type-question.js';
import type { Search, TypeLookup } from './type-lookup.js';

/** What bounds a lookup. */
export type LookupOptions = Pick<Search, 'signal' | 'patienceMs' | 'untilMs' | 'sharer'>;

/** Finds the objects that refer to a subject: all dependent types at once, until enough are found to refuse. */
export class DependentLookup {
  readonly #types: TypeLookup;
  readonly #wanted: number | undefined;

  constructor({ types, wanted }: { readonly types: TypeLookup; readonly wanted?: number | undefined }) {
    this.#types = types;
    this.#wanted = wanted;
  }

  /** One finding for every rule that guards the subject, and for every path with references. Never rejects because of kcp. */
  async find(
    subject: Subject,
    matches: readonly GuardingMatch[],
    options: LookupOptions & Pick<Search, 'bindings'>,
  ): Promise<readonly Finding[]> {
    const [only, ...others] = questionsOf(matches);
    if (only === undefined) return [];
    const search = { ...options, subject };
    return others.length === 0 ? this.#types.answer(only, search) : this.#answerAll([only, ...others], search);
  }

  async #answerAll(questions: readonly TypeQuestion[], search: Search): Promise<readonly Finding[]> {
    const enough = new AbortController();
    const signal = AbortSignal.any([search.signal, enough.signal]);
    setMaxListeners(0, signal);
    const answers = questions.map(async (question) => {
      const findings = await this.#types.answer(question, { ...search, signal });
      if (areEnoughToRefuse(findings, this.#wanted)) enough.abort(new NotNeeded());
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
