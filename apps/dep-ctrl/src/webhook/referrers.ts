// Collects who refers to a subject while a list of one dependent type is read, and says when reading on would not change the answer.
// Counts only what blocks, by the same rule as the decision; owners that wait for the subject are noted beside it.
import { ReferenceTree } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Subject } from './admission-review.js';
import { standingOf } from './decide-deletion.js';
import type { Dependent, Finding, Lookup, LookupFailure } from './lookup.js';
import { dependentOf, referringIn } from './refers-to.js';
import type { Query, TypeQuestion } from './type-question.js';

/** A refusal names ten. */
const ENOUGH = 10;

/** Nobody reads more names than this, and memory must not grow with the list. */
const MOST = 500;

/** The referrers of one subject among the objects of one type. */
export class Referrers {
  readonly #question: TypeQuestion;
  readonly #subject: Subject;
  readonly #found: Map<Query, Dependent[]>;
  readonly #paths: ReferenceTree<Query>;
  readonly #waitingOwners = new Map<Query, Dependent[]>();

  constructor(question: TypeQuestion, subject: Subject) {
    this.#question = question;
    this.#subject = subject;
    this.#found = new Map(question.queries.map((query) => [query, []]));
    this.#paths = new ReferenceTree(question.queries);
  }

  /** Looks at one object. It is walked once: a rule may have thousands of paths, and one that wants to hold up everybody does. */
  add(object: KubeObject): void {
    const dependent = dependentOf(object);
    for (const query of referringIn(object, this.#paths, this.#subject)) {
      const found = this.#found.get(query) ?? [];
      if (found.length >= MOST) continue;
      const standing = standingOf(dependent, query.rule, this.#subject);
      if (standing === 'blocks') found.push(dependent);
      else if (standing === 'waits-for-it') this.#noteOwner(query, dependent);
    }
  }

  #noteOwner(query: Query, owner: Dependent): void {
    const owners = this.#waitingOwners.get(query);
    if (owners === undefined) this.#waitingOwners.set(query, [owner]);
    else owners.push(owner);
  }

  /** Forgets everything: the list begins again. */
  restart(): void {
    for (const found of this.#found.values()) found.length = 0;
    this.#waitingOwners.clear();
  }

  /** Whether reading on could not change the answer: it is a refusal, or nothing can be refused and there are names enough to tell. */
  get areEnough(): boolean {
    const counts = [...this.#found].map(([{ rule }, { length }]) => ({ isDeny: rule.enforcement === 'Deny', isEnough: length >= ENOUGH }));
    return counts.some(({ isDeny, isEnough }) => isDeny && isEnough) || counts.every(({ isDeny, isEnough }) => !isDeny && isEnough);
  }

  /** Whether what was found decides already: it is a refusal, or nothing can be refused. */
  get areDecisive(): boolean {
    const found = [...this.#found].map(([{ rule }, { length }]) => ({ isDeny: rule.enforcement === 'Deny', length }));
    return found.some(({ isDeny, length }) => isDeny && length > 0) || found.every(({ isDeny }) => !isDeny);
  }

  /** What the list said, read to its end or as far as was needed. */
  findings(end: 'read-to-the-end' | 'stopped-early'): readonly Finding[] {
    return this.#question.queries.map((query) => finding(this.#question, query, this.#lookup(query, end)));
  }

  #lookup(query: Query, end: 'read-to-the-end' | 'stopped-early'): Lookup {
    const dependents = this.#found.get(query) ?? [];
    const waitingOwners = this.#waitingOwners.get(query);
    if (end === 'read-to-the-end' && dependents.length < MOST)
      return { answer: 'listed', dependents, ...(waitingOwners !== undefined && { waitingOwners }) };
    const [first, ...others] = dependents;
    if (first === undefined) return { answer: 'cannot-tell', failure: { code: 'not-finished', lasting: false } };
    return { answer: 'enough', dependents: [first, ...others] };
  }
}

/** Whether these findings refuse the deletion with all the names that a refusal shows: nothing else needs to be read. */
export function areEnoughToRefuse(findings: readonly Finding[]): boolean {
  return findings.some(({ rule, lookup }) => rule.enforcement === 'Deny' && 'dependents' in lookup && lookup.dependents.length >= ENOUGH);
}

/** The same answer for every rule of a type. */
export function findingsOf(question: TypeQuestion, lookup: Lookup): readonly Finding[] {
  return question.queries.map((query) => finding(question, query, lookup));
}

/** Why a whole type could not be looked up. */
export function doubtsOf(question: TypeQuestion, failure: LookupFailure): readonly Finding[] {
  return findingsOf(question, { answer: 'cannot-tell', failure });
}

function finding({ type }: TypeQuestion, { rule, kind, fieldPath }: Query, lookup: Lookup): Finding {
  return { rule, type: { group: type.group, resource: type.resource, kind }, fieldPath: fieldPath.text, lookup };
}
