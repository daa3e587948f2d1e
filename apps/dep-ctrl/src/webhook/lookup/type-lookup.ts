// Looks up one dependent type for one deletion: listed, not bound, or cannot tell. The consumer's bindings decide whether the type exists there. A Table
// only gives candidates: an object blocks only if it was read itself. That no object blocks is believed only if there is no candidate and the binding,
// read after the list, still names the schema whose columns were read.
import { isKcpError } from '@dep-ctrl/kcp-client';
import { inTurns, type Sharer } from '@dep-ctrl/fair-shares';
import type { WorkspaceList, WorkspaceLists } from '@dep-ctrl/shared-lists';
import type { ApiBinding, BindingReads, SchemaMemory, SchemaRef } from '@dep-ctrl/exported-types';
import type { Subject } from '../decision/admission-review.js';
import { boundType } from '../bindings/consumer-bindings.js';
import type { Finding } from '../decision/lookup.js';
import { lookupFailureOf } from './lookup-failure.js';
import { planList, type ListPlan, type PlannedList } from './plan-list.js';
import { doubtsOf, findingsOf, Referrers } from './referrers.js';
import { partsOf, type TypeQuestion } from './type-question.js';

/** One deletion that is being looked up. */
export interface Search {
  readonly subject: Subject;
  readonly signal: AbortSignal;
  /** How long to wait for a shared list. */
  readonly patienceMs: number;
  /** The end of the review's time, on the monotonic clock. */
  readonly untilMs?: number;
  /** The workspace that is charged for its turns of the event loop. */
  readonly sharer?: Sharer;
  /** The bindings, read after the deletion was requested. */
  readonly bindings: readonly ApiBinding[];
}

/** What {@link TypeLookup} needs. */
export interface TypeLookupDependencies {
  readonly lists: WorkspaceLists;
  readonly reads: Pick<BindingReads, 'binding'>;
  readonly schemas: SchemaMemory;
  /** How many objects of a rule and path are looked for; as many as a refusal names unless given. */
  readonly wanted?: number | undefined;
}

/** A Table that can be read. */
interface TablePlan {
  readonly list: WorkspaceList;
  readonly table: NonNullable<ListPlan['table']>;
  readonly schema: SchemaRef;
  /** The binding that names the schema. */
  readonly binding: string;
}

// Verifying a candidate costs a small request, for which kcp looks at every object of the type (1 ms per 1 000, kcp v0.32). Beyond so
// many, of one deletion or of all that are being decided in the workspace, reading everything once is cheaper: that is shared.
const MOST_CANDIDATES = 50;
const AT_A_TIME = 10;

/** Looks up one type. */
export class TypeLookup {
  readonly #dependencies: TypeLookupDependencies;

  constructor(dependencies: TypeLookupDependencies) {
    this.#dependencies = dependencies;
  }

  /** Finds the objects that refer to the subject. Never rejects because of kcp. */
  async answer(question: TypeQuestion, search: Search): Promise<readonly Finding[]> {
    try {
      return await this.#read(question, search);
    } catch (failure) {
      return doubtsOf(question, lookupFailureOf(failure, search));
    }
  }

  async #read(question: TypeQuestion, search: Search): Promise<readonly Finding[]> {
    const answer = boundType(search.bindings, { ...question.type, ...question });
    if (answer.state === 'not-bound') return findingsOf(question, { answer: 'not-bound' });
    if (answer.state === 'cannot-tell') return doubtsOf(question, answer.failure);

    const planned = await this.#plan(question, answer.schema, search);
    if (!planned.ok) return doubtsOf(question, planned.failure);
    const { plan } = planned;
    const list = listOf(question, plan, search);
    if (answer.schema !== undefined && plan.table !== undefined) {
      const findings = await this.#byTable(question, { list, table: plan.table, schema: answer.schema, binding: answer.binding }, search);
      if (findings !== 'not-believed') return findings;
    }
    return this.#byObjects(question, list, search);
  }

  async #plan(question: TypeQuestion, ref: SchemaRef | undefined, search: Search): Promise<PlannedList> {
    const schema = ref === undefined ? undefined : await this.#dependencies.schemas.schema(question.exporter, ref, search);
    return planList(question, schema, search.subject);
  }

  async #byObjects(question: TypeQuestion, list: WorkspaceList, search: Search): Promise<readonly Finding[]> {
    const referrers = new Referrers(question, search.subject, this.#dependencies.wanted);
    const parts = partsOf(question);
    const end = await this.#dependencies.lists.objects(list, {
      ...search,
      *accept(page) {
        if (page.restarted) referrers.restart();
        for (const object of page.holding(search.subject.name, parts)) {
          if (object !== undefined) yield* referrers.add(object);
          if (referrers.areEnough && referrers.areMany) return 'enough';
          yield;
        }
        return referrers.areEnough && !page.last ? 'enough' : 'more';
      },
    });
    return referrers.findings(end);
  }

  async #byTable(question: TypeQuestion, plan: TablePlan, search: Search): Promise<readonly Finding[] | 'not-believed'> {
    const candidates = await this.#candidates(plan, search);
    if (candidates === 'not-believed') return 'not-believed';
    const referrers = new Referrers(question, search.subject, this.#dependencies.wanted);
    const [areAllVerified, isSchemaTheSame] = await Promise.all([
      this.#verify(candidates, plan.list, referrers, { question, search }),
      this.#isStillBoundTo(plan, question, search),
    ]);
    if (!isSchemaTheSame) return 'not-believed';
    if (referrers.areEnough) return referrers.findings(areAllVerified ? 'read-to-the-end' : 'stopped-early');
    if (areAllVerified && (candidates.length === 0 || referrers.areDecisive)) return referrers.findings('read-to-the-end');
    // Candidates are read after the Table: one that no longer blocks may have handed its reference on meanwhile, to an object that
    // the Table shows without it. That no object refers must be seen at one moment.
    return this.#byObjects(question, plan.list, search);
  }

  /** The names of the objects whose cells show the subject's name: all, or more than are worth verifying. */
  async #candidates({ list, table }: TablePlan, search: Search): Promise<readonly string[] | 'not-believed'> {
    const candidates = new Set<string>();
    const seen = { isBelieved: true };
    try {
      await this.#dependencies.lists.rows(list, {
        ...search,
        *accept(page) {
          if (page.restarted) candidates.clear();
          const found = yield* page.candidates({ ...table, wanted: search.subject.name });
          if (found === 'unexpected') {
            seen.isBelieved = false;
            return 'enough';
          }
          for (const name of found) candidates.add(name);
          return candidates.size > MOST_CANDIDATES ? 'enough' : 'more';
        },
      });
    } catch (failure) {
      // A server without Tables, or with broken ones, may still serve objects.
      if (!isKcpError(failure, 'invalid', 'invalid-response')) throw failure;
      return 'not-believed';
    }
    return seen.isBelieved ? [...candidates] : 'not-believed';
  }

  /** Reads candidates as objects until enough of them block. Answers whether all were read. */
  async #verify(
    candidates: readonly string[],
    list: WorkspaceList,
    referrers: Referrers,
    { question, search }: { readonly question: TypeQuestion; readonly search: Search },
  ): Promise<boolean> {
    const parts = partsOf(question);
    const { lists } = this.#dependencies;
    const worthIt = candidates.slice(0, MOST_CANDIDATES);
    for (let at = 0; at < worthIt.length; at += AT_A_TIME) {
      const names = worthIt.slice(at, at + AT_A_TIME);
      if (referrers.areEnough || lists.namedUnderWay(list) + names.length > MOST_CANDIDATES) return false;
      const objects = await Promise.all(names.map((name) => lists.named(list, { name, parts }, search)));
      for (const object of objects.flat()) await inTurns(referrers.add(object), { sharer: search.sharer });
    }
    return worthIt.length === candidates.length;
  }

  async #isStillBoundTo({ schema, binding }: TablePlan, question: TypeQuestion, search: Search): Promise<boolean> {
    const now = await this.#dependencies.reads.binding(search.subject.cluster, binding, search);
    const bound = boundType(now === undefined ? [] : [now], { ...question.type, ...question });
    return bound.state === 'bound' && bound.schema?.uid === schema.uid;
  }
}

function listOf({ type, exporter }: TypeQuestion, { version, namespace, isNameEnough }: ListPlan, { subject }: Search): WorkspaceList {
  return {
    cluster: subject.cluster,
    type: { ...type, version },
    exporter,
    isNameEnough,
    ...(namespace === undefined ? {} : { namespace }),
  };
}
