// One dependent type of one deletion: listed, not bound, or cannot tell. A Table only names candidates: who blocks is said by objects
// alone, and that nobody does is believed only if the binding still names the schema whose columns were read.
import { couldHold } from '@dep-ctrl/fieldpath';
import { isKcpError } from '@dep-ctrl/kcp-client';
import type { Subject } from './admission-review.js';
import { boundType, type ConsumerBinding, type SchemaRef } from './consumer-bindings.js';
import type { Finding } from './lookup.js';
import { lookupFailureOf } from './lookup-failure.js';
import { planList, type ListPlan } from './plan-list.js';
import { doubtsOf, findingsOf, Referrers } from './referrers.js';
import type { SchemaMemory } from './schema-memory.js';
import { candidatesIn, readTablePage } from './table-page.js';
import type { TypeQuestion } from './type-question.js';
import type { DependentList, WorkspaceReads } from './workspace-reads.js';

/** One deletion that is being looked up. */
export interface Search {
  readonly subject: Subject;
  /** What the consumer has bound. */
  readonly bindings: readonly ConsumerBinding[];
  readonly signal: AbortSignal;
  /** How long to wait for a list that others share. */
  readonly patienceMs: number;
}

/** What {@link TypeLookup} needs. */
export interface TypeLookupDependencies {
  readonly reads: WorkspaceReads;
  readonly schemas: SchemaMemory;
}

// Verifying a candidate costs a small request. Beyond so many, reading everything is cheaper.
const MOST_CANDIDATES = 50;
const AT_A_TIME = 10;

/** Looks one type up. */
export class TypeLookup {
  readonly #reads: WorkspaceReads;
  readonly #schemas: SchemaMemory;

  constructor({ reads, schemas }: TypeLookupDependencies) {
    this.#reads = reads;
    this.#schemas = schemas;
  }

  /** Who refers to the subject. Never rejects for what kcp answers or fails to. */
  async answer(question: TypeQuestion, search: Search): Promise<readonly Finding[]> {
    const bound = boundType(search.bindings, { ...question.type, ...question });
    if (bound.state === 'not-bound') return findingsOf(question, { answer: 'not-bound' });
    if (bound.state === 'cannot-tell') return doubtsOf(question, bound.failure);
    try {
      return await this.#list(question, bound.schema, search);
    } catch (failure) {
      return doubtsOf(question, lookupFailureOf(failure, search));
    }
  }

  async #list(question: TypeQuestion, ref: SchemaRef | undefined, search: Search): Promise<readonly Finding[]> {
    const schema = ref === undefined ? undefined : await this.#schemas.schema(question.exporter, ref, search);
    const planned = planList(question, schema, search.subject);
    if (!planned.ok) return doubtsOf(question, planned.failure);
    const { plan } = planned;
    const list: DependentList = {
      cluster: search.subject.cluster,
      type: { ...question.type, version: plan.version },
      exporter: question.exporter,
      ...(plan.namespace === undefined ? {} : { namespace: plan.namespace }),
    };
    if (ref !== undefined && plan.table !== undefined) {
      const findings = await this.#byTable(question, list, plan.table, { ...search, schema: ref });
      if (findings !== 'not-believed') return findings;
    }
    return this.#byObjects(question, list, search);
  }

  async #byObjects(question: TypeQuestion, list: DependentList, search: Search): Promise<readonly Finding[]> {
    const referrers = new Referrers(question, search.subject);
    const end = await this.#reads.objects(list, {
      ...search,
      accept: (page) => {
        if (page.restarted) referrers.restart();
        if (couldHold(page.bytes, search.subject.name)) for (const object of page.objects()) referrers.add(object);
        return referrers.areEnough && !page.last ? 'enough' : 'more';
      },
    });
    return referrers.findings(end);
  }

  async #byTable(
    question: TypeQuestion,
    list: DependentList,
    table: NonNullable<ListPlan['table']>,
    search: Search & { readonly schema: SchemaRef },
  ): Promise<readonly Finding[] | 'not-believed'> {
    const candidates = await this.#candidates(list, table, search);
    if (candidates === 'not-believed') return 'not-believed';
    const referrers = new Referrers(question, search.subject);
    const [areAllVerified, isSchemaTheSame] = await Promise.all([
      this.#verify(candidates, list, referrers, search),
      this.#isStillBoundTo(search.schema, question, search),
    ]);
    if (areAllVerified && isSchemaTheSame) return referrers.findings('read-to-the-end');
    return referrers.areEnough ? referrers.findings('stopped-early') : 'not-believed';
  }

  /** The names of the objects whose cells show the subject's name: all of them, or more than are worth verifying. */
  async #candidates(
    list: DependentList,
    { columns, cells }: NonNullable<ListPlan['table']>,
    search: Search,
  ): Promise<readonly string[] | 'not-believed'> {
    const { subject } = search;
    const candidates = new Set<string>();
    const table = { isBelieved: true };
    try {
      await this.#reads.rows(list, {
        ...search,
        accept: (page) => {
          if (page.restarted) candidates.clear();
          const read = readTablePage(page.bytes, columns, couldHold(page.bytes, subject.name));
          if (read.columns !== 'as-expected') {
            table.isBelieved = false;
            return 'enough';
          }
          for (const name of candidatesIn(read.rows, cells, subject.name)) candidates.add(name);
          return candidates.size > MOST_CANDIDATES ? 'enough' : 'more';
        },
      });
    } catch (failure) {
      // Whoever serves no Tables, or half ones, may still serve objects.
      if (!isKcpError(failure, 'invalid', 'invalid-response')) throw failure;
      return 'not-believed';
    }
    return table.isBelieved ? [...candidates] : 'not-believed';
  }

  /** Reads candidates as objects until enough of them block. Answers whether all were read. */
  async #verify(candidates: readonly string[], list: DependentList, referrers: Referrers, search: Search): Promise<boolean> {
    const worthIt = candidates.slice(0, MOST_CANDIDATES);
    for (let at = 0; at < worthIt.length; at += AT_A_TIME) {
      if (referrers.areEnough) return false;
      const names = worthIt.slice(at, at + AT_A_TIME);
      const objects = await Promise.all(names.map((name) => this.#reads.named(list, name, search)));
      for (const object of objects.flat()) referrers.add(object);
    }
    return worthIt.length === candidates.length;
  }

  async #isStillBoundTo(schema: SchemaRef, question: TypeQuestion, search: Search): Promise<boolean> {
    const bindings = await this.#reads.bindings(search.subject.cluster, search);
    const bound = boundType(bindings, { ...question.type, ...question });
    return bound.state === 'bound' && bound.schema?.uid === schema.uid;
  }
}
