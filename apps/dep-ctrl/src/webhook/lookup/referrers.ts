// Collects the objects that refer to a subject while a list of one dependent type is read, and tells when reading on cannot change the answer. Counts only
// objects that block, by the same function as the decision (standing.ts). Owners that wait for the subject are noted separately.
import { ReferenceTree, type ReferenceSearch } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Subject } from '../decision/admission-review.js';
import { MOST_NAMED } from '../decision/blocker-ids.js';
import { standingOf } from '../decision/standing.js';
import type { Dependent, Finding, Lookup, LookupFailure } from '../decision/lookup.js';
import { dependentOf, referringIn } from './refers-to.js';
import type { Query, TypeQuestion } from './type-question.js';

/** A text never holds more names than this, and memory must not grow with the list. */
const MOST = 500;

/** The same for all rules and paths of a type together; each has enough of its own even so. */
const MOST_IN_ALL = 2_000;

// A question is the same until a rule changes, and so are its paths.
const trees = new WeakMap<TypeQuestion, ReferenceTree<Query>>();

/** The objects found for one rule and path. */
interface Found {
  readonly dependents: Dependent[];
  readonly waitingOwners: Dependent[];
  /** Whether there may be more, because the search for this query has stopped. */
  isCut: boolean;
}

/** The referrers of one subject among the objects of one type; `explain --all` wants more of them than a refusal names. */
export class Referrers {
  readonly #question: TypeQuestion;
  readonly #subject: Subject;
  readonly #tree: ReferenceTree<Query>;
  readonly #strict: number;
  readonly #wanted: number;
  #paths: ReferenceSearch<Query>;
  #found = new Map<Query, Found>();
  #count = 0;
  #hasStrict = false;
  #enough = { strict: 0, lenient: 0 };

  constructor(question: TypeQuestion, subject: Subject, wanted = MOST_NAMED) {
    this.#wanted = wanted;
    this.#question = question;
    this.#subject = subject;
    this.#tree = trees.get(question) ?? new ReferenceTree(question.queries);
    trees.set(question, this.#tree);
    this.#paths = this.#tree.search();
    this.#strict = question.queries.filter(isStrict).length;
  }

  /**
   * Looks at one object, in pieces, so that others can run in between. The object is walked once for all paths: a hostile rule may have thousands.
   */
  *add(object: KubeObject): Generator<void, void> {
    const dependent = dependentOf(object);
    const standing = standingsOf(dependent, this.#subject);
    for (const query of yield* referringIn(object, this.#paths, this.#subject)) this.#note(query, dependent, standing(query.rule));
  }

  #note(query: Query, dependent: Dependent, standing: ReturnType<typeof standingOf>): void {
    if (standing === 'nothing') return;
    const found = this.#found.get(query) ?? { dependents: [], waitingOwners: [], isCut: false };
    this.#found.set(query, found);
    const { dependents, waitingOwners } = found;
    if (standing === 'waits-for-it') {
      this.#keep(dependent, waitingOwners);
    } else if (this.#keep(dependent, dependents)) {
      if (isStrict(query)) this.#hasStrict = true;
      if (dependents.length === this.#wanted) this.#enough[isStrict(query) ? 'strict' : 'lenient'] += 1;
    } else {
      found.isCut = true;
      this.#paths.retire(query);
    }
  }

  /** Whether there was room for it. */
  #keep(dependent: Dependent, kept: Dependent[]): boolean {
    const hasRoom = kept.length < this.#wanted || (kept.length < MOST && this.#count < MOST_IN_ALL);
    if (!hasRoom) return false;
    kept.push(dependent);
    this.#count += 1;
    return true;
  }

  /** Forgets everything: the list begins again. */
  restart(): void {
    this.#paths = this.#tree.search();
    this.#found = new Map();
    this.#count = 0;
    this.#hasStrict = false;
    this.#enough = { strict: 0, lenient: 0 };
  }

  /** Whether reading on cannot change the answer: it is a refusal, or no rule can refuse and enough objects are found for the warnings. */
  get areEnough(): boolean {
    const { queries } = this.#question;
    return this.#enough.strict > 0 || this.#enough.lenient === queries.length;
  }

  /** Whether more objects would be too many to report. */
  get areMany(): boolean {
    return this.#count >= MOST_IN_ALL;
  }

  /** Whether the decision is certain: it is a refusal, or no rule can refuse. */
  get areDecisive(): boolean {
    return this.#hasStrict || this.#strict === 0;
  }

  /** What the list said, read to its end or as far as was needed. */
  findings(end: 'read-to-the-end' | 'stopped-early'): readonly Finding[] {
    const { queries } = this.#question;
    // Rules may have thousands of paths without references: one finding per rule is enough for those.
    const told = new Set([...onePerRule(queries.filter((query) => !this.#found.has(query))), ...this.#found.keys()]);
    return queries.filter((query) => told.has(query)).map((query) => finding(this.#question, query, this.#lookup(query, end)));
  }

  #lookup(query: Query, end: 'read-to-the-end' | 'stopped-early'): Lookup {
    const { dependents = [], waitingOwners = [], isCut = false } = this.#found.get(query) ?? {};
    if (end === 'read-to-the-end' && !isCut) return { answer: 'listed', dependents, ...(waitingOwners.length > 0 && { waitingOwners }) };
    const [first, ...others] = dependents;
    if (first === undefined) return { answer: 'cannot-tell', failure: { code: 'not-finished', lasting: false } };
    return { answer: 'enough', dependents: [first, ...others] };
  }
}

function isStrict({ rule }: Query): boolean {
  return rule.enforcement === 'Deny';
}

/** The standing of one object under each rule. Only `whileTerminating` makes a difference. */
function standingsOf(dependent: Dependent, subject: Subject): (rule: Query['rule']) => ReturnType<typeof standingOf> {
  const known = new Map<Query['rule']['whileTerminating'], ReturnType<typeof standingOf>>();
  return ({ whileTerminating }) => {
    const standing = known.get(whileTerminating) ?? standingOf(dependent, { whileTerminating }, subject);
    known.set(whileTerminating, standing);
    return standing;
  };
}

/** Whether these findings refuse the deletion with as many names as a refusal shows, so that nothing else needs to be read. */
export function areEnoughToRefuse(findings: readonly Finding[], wanted = MOST_NAMED): boolean {
  return findings.some(({ rule, lookup }) => rule.enforcement === 'Deny' && 'dependents' in lookup && lookup.dependents.length >= wanted);
}

/** The same answer for every rule of a type. */
export function findingsOf(question: TypeQuestion, lookup: Lookup): readonly Finding[] {
  return onePerRule(question.queries).map((query) => finding(question, query, lookup));
}

/** Why a whole type could not be looked up. */
export function doubtsOf(question: TypeQuestion, failure: LookupFailure): readonly Finding[] {
  return findingsOf(question, { answer: 'cannot-tell', failure });
}

function onePerRule(queries: readonly Query[]): readonly Query[] {
  const rules = new Set<Query['rule']>();
  return queries.filter(({ rule }) => rules.size < rules.add(rule).size);
}

function finding({ type }: TypeQuestion, { rule, kind, fieldPath }: Query, lookup: Lookup): Finding {
  return { rule, type: { group: type.group, resource: type.resource, kind }, fieldPath: fieldPath.text, lookup };
}
