// The reads of consumer and exporter workspaces that decide a deletion, each shared by all reviews that arrive in time for it.
import { JsonProjection } from '@dep-ctrl/fieldpath';
import {
  isKcpError,
  KcpError,
  type AnswerMemory,
  type Clock,
  type ListPage,
  type ListQuery,
  type Page,
  type TablePage,
  type TableQuery,
} from '@dep-ctrl/kcp-client';
import {
  groupVersionResourceKey,
  parseKubeObject,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
} from '@dep-ctrl/kcp-names';
import { type AskLimits, FairSlots, inTurns, KcpAsks } from '@dep-ctrl/fair-shares';
import { readBoundSchema, type BoundSchema } from '../bindings/bound-schema.js';
import { BINDING_PARTS, readConsumerBinding, type ConsumerBinding, type SchemaRef } from '../bindings/consumer-bindings.js';
import type { Decisions } from '../decision/decisions.js';
import { objectNamed, objectsPages, type ObjectPieces, type ObjectsPage } from './objects-page.js';
import { observedList } from './observed-list.js';
import { PageBuffers } from './page-buffers.js';
import { PageLimits } from './page-limits.js';
import { persistentList, persistentRead } from './persistent-list.js';
import { SharedLists, type ListEnd, type ListReader, type LongLists } from './shared-lists.js';
import { SlottedPage, SMALL_PAGE_BYTES } from './slotted-page.js';
import { rowsPages, type RowsPage } from './table-page.js';
import { YoungGarbage, type CollectYoung } from './young-garbage.js';

/** What is read of one workspace; a `ClusterClient` is one. */
export interface WorkspaceReader {
  getBytes(
    type: GroupVersionResource,
    ref: { readonly name: string; readonly namespace?: string },
    options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<Buffer>;
  list(type: GroupVersionResource, query: ListQuery, options: { readonly signal: AbortSignal }): AsyncIterable<ListPage>;
  listTable(type: GroupVersionResource, query: TableQuery, options: { readonly signal: AbortSignal }): AsyncIterable<TablePage>;
}

/** What bounds memory, however many reviews arrive and however large objects are. */
export interface ReadLimits extends AskLimits {
  /** Large pages that are in memory at a time. */
  readonly pages: number;
  readonly objectsPerPage: number;
  readonly rowsPerPage: number;
  readonly pageBytes: number;
}

/**
 * Every page costs kcp some 10 ms on a busy machine, 1 000 objects are some 2.5 MB, and a row of a Table is some fifty bytes (kcp v0.32). A page of
 * 16 MiB took 0.3 s to look through where somebody made it for that. kcp takes 400 requests at a time, from everybody.
 */
export const defaultReadLimits: ReadLimits = {
  pages: 3,
  asks: 64,
  asksOfOne: 10,
  objectsPerPage: 1_000,
  rowsPerPage: 10_000,
  pageBytes: 4 * 1024 * 1024,
};

/** What {@link WorkspaceReads} needs. */
export interface WorkspaceReadsDependencies {
  /** The workspaces, through the front-proxy. */
  readonly workspace: (cluster: LogicalClusterName) => WorkspaceReader;
  readonly clock: Clock;
  readonly decisions: Pick<Decisions, 'listed'>;
  readonly limits: ReadLimits;
  readonly collectYoung: CollectYoung;
}

/** What to list where. */
export interface DependentList {
  readonly cluster: LogicalClusterName;
  readonly type: GroupVersionResource;
  /** Who exports the type: two exports may serve the same names. */
  readonly exporter: LogicalClusterName;
  readonly namespace?: string;
  /** Whether its name is all that it takes to find an object of the list. */
  readonly isNameEnough: boolean;
}

/** One object that is read by its name. */
interface OneObject {
  readonly cluster: LogicalClusterName;
  readonly type: GroupVersionResource;
  readonly ref: { readonly name: string; readonly namespace?: string };
  readonly timeoutMs: number;
}

/** Objects of one name. */
type NamedPage = Pick<ObjectsPage, 'restarted' | 'all'>;

/** What a list is opened with, beside the memory for its pages. */
interface OpenOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limit: number;
  readonly onShrunk: (limit: number) => void;
}

/** A list that is opened, and how. */
interface Opening<P> {
  readonly cluster: LogicalClusterName;
  /** Under which it is remembered how many objects fit on a page. */
  readonly key: string;
  readonly perPage: number;
  readonly signal: AbortSignal;
  readonly open: (buffer: AnswerMemory, options: OpenOptions) => AsyncIterable<P>;
}

/** How a reading of a shared list goes. */
export type Reader<P> = Omit<ListReader<P>, 'open'>;

const APIBINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const SCHEMAS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };

// A schema may have 1.5 MB: it is parsed in pieces.
const EVERYTHING = new JsonProjection('everything');

// A schema lives on the exporter's shard, and objects can be listed without it: a shard that hangs must not use up a review's time.
const SCHEMA_TIMEOUT_MS = 1_000;
// Whoever asks gives up before, by its own deadline.
const OBJECT_TIMEOUT_MS = 10_000;

// Beginning anew costs what has been read: a tenth of a list that has at least so many pages.
const LONG_PAGES = 10;

/** The shared reads. Everything rejects with KcpError, or with the reason of the reader's signal. */
export class WorkspaceReads {
  readonly #dependencies: WorkspaceReadsDependencies;
  readonly #asks: KcpAsks;
  readonly #slots: FairSlots;
  readonly #buffers = new PageBuffers();
  readonly #pageLimits: PageLimits;
  readonly #garbage: YoungGarbage;
  readonly #bindings: SharedLists<readonly ConsumerBinding[]>;
  readonly #binding: SharedLists<ConsumerBinding | undefined>;
  readonly #schemas: SharedLists<BoundSchema | undefined>;
  readonly #objects: SharedLists<ObjectsPage>;
  readonly #tables: SharedLists<RowsPage>;
  readonly #named: SharedLists<NamedPage>;
  readonly #namedUnderWay = new Map<string, number>();

  constructor(dependencies: WorkspaceReadsDependencies) {
    this.#dependencies = dependencies;
    const { limits } = dependencies;
    this.#asks = new KcpAsks(dependencies);
    this.#slots = new FairSlots({ count: limits.pages });
    this.#pageLimits = new PageLimits(dependencies);
    this.#garbage = new YoungGarbage(dependencies.collectYoung);
    const atOnePage = { ...dependencies, isWhole: () => true };
    const isWhole = ({ last }: { readonly last: boolean }): boolean => last;
    this.#bindings = new SharedLists(atOnePage);
    this.#binding = new SharedLists(atOnePage);
    this.#schemas = new SharedLists(dependencies);
    const { objectsPerPage, rowsPerPage } = limits;
    this.#objects = new SharedLists({ ...dependencies, isWhole, long: longLists<ObjectsPage>(objectsPerPage) });
    this.#tables = new SharedLists({ ...dependencies, isWhole, long: longLists<RowsPage>(rowsPerPage) });
    this.#named = new SharedLists(atOnePage);
  }

  /** All APIBindings of a consumer workspace, as they are now. */
  async bindings(cluster: LogicalClusterName, reader: Omit<Reader<unknown>, 'accept'>): Promise<readonly ConsumerBinding[]> {
    let bindings: readonly ConsumerBinding[] = [];
    const open = (options: { readonly signal: AbortSignal }): AsyncIterable<readonly ConsumerBinding[]> =>
      this.#openBindings(cluster, options);
    await this.#bindings.read(cluster, { ...reader, open, accept: (page) => ((bindings = page), 'more') });
    return bindings;
  }

  /** One APIBinding of a consumer workspace, as it is now; undefined: there is none of that name. */
  async binding(cluster: LogicalClusterName, name: string, reader: Omit<Reader<unknown>, 'accept'>): Promise<ConsumerBinding | undefined> {
    let binding: ConsumerBinding | undefined;
    const open = (options: { readonly signal: AbortSignal }): AsyncIterable<ConsumerBinding | undefined> =>
      this.#openBinding(cluster, name, options);
    await this.#binding.read(`${cluster}/${name}`, { ...reader, open, accept: (page) => ((binding = page), 'more') });
    return binding;
  }

  /** The schema that a binding names; undefined when it is another one by now or lacks what schemas have. */
  async schema(
    exporter: LogicalClusterName,
    { name, uid }: SchemaRef,
    reader: Omit<Reader<unknown>, 'accept'>,
  ): Promise<BoundSchema | undefined> {
    let schema: BoundSchema | undefined;
    const open = (options: { readonly signal: AbortSignal }): AsyncIterable<BoundSchema | undefined> =>
      this.#openSchema(exporter, name, options);
    await this.#schemas.read(`${exporter}/${uid}`, { ...reader, open, accept: (page) => ((schema = page), 'more') });
    return schema?.uid === uid ? schema : undefined;
  }

  /** Whole objects, page by page. */
  objects(list: DependentList, reader: Reader<ObjectsPage>): Promise<ListEnd> {
    const key = keyOf(list, 'objects');
    const open = (buffer: AnswerMemory, inner: OpenOptions): AsyncIterable<ListPage> =>
      persistentList((limit, options) => this.#workspace(list).list(list.type, { ...this.#query(list, limit), buffer }, options), inner);
    const opening = { cluster: list.cluster, key, perPage: this.#dependencies.limits.objectsPerPage, open };
    return this.#objects.read(key, {
      ...reader,
      open: ({ signal }) => objectsPages(this.#observed('objects', this.#paged({ ...opening, signal }))),
    });
  }

  /** Cells of the printer columns, page by page. */
  rows(list: DependentList, reader: Reader<RowsPage>): Promise<ListEnd> {
    const key = keyOf(list, 'table');
    const open = (buffer: AnswerMemory, inner: OpenOptions): AsyncIterable<TablePage> =>
      persistentList(
        (limit, options) => this.#workspace(list).listTable(list.type, { ...this.#query(list, limit), buffer }, options),
        inner,
      );
    const opening = { cluster: list.cluster, key, perPage: this.#dependencies.limits.rowsPerPage, open };
    return this.#tables.read(key, {
      ...reader,
      open: ({ signal }) => rowsPages(this.#observed('table', this.#paged({ ...opening, signal }))),
    });
  }

  /** The objects of one name: one, or one per namespace. Of each at least the parts. */
  async named(
    list: DependentList,
    { name, parts }: { readonly name: string; readonly parts: JsonProjection },
    reader: Omit<Reader<unknown>, 'accept'>,
  ): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = [];
    const key = keyOf(list, 'objects');
    this.#namedUnderWay.set(key, this.namedUnderWay(list) + 1);
    try {
      await this.#named.read(`${key}/${name}`, {
        ...reader,
        open: ({ signal }) => (list.isNameEnough ? this.#openOne(list, name, signal) : this.#openNamed(list, name, signal)),
        *accept(page) {
          if (page.restarted) found.length = 0;
          for (const object of page.all(parts)) {
            if (object !== undefined) found.push(object);
            yield;
          }
          return 'more' as const;
        },
      });
      return found;
    } finally {
      const left = this.namedUnderWay(list) - 1;
      if (left > 0) this.#namedUnderWay.set(key, left);
      else this.#namedUnderWay.delete(key);
    }
  }

  /** How many names of a list are being read at this moment, for whomever. */
  namedUnderWay(list: DependentList): number {
    return this.#namedUnderWay.get(keyOf(list, 'objects')) ?? 0;
  }

  #workspace({ cluster }: Pick<DependentList, 'cluster'>): WorkspaceReader {
    return this.#dependencies.workspace(cluster);
  }

  #query({ namespace }: DependentList, limit: number): ListQuery & TableQuery {
    const query = this.#bounds(limit);
    return namespace === undefined ? query : { ...query, namespace };
  }

  #bounds(limit: number): ListQuery & TableQuery {
    return { limit, maxPageBytes: this.#dependencies.limits.pageBytes, maxBytes: Number.MAX_SAFE_INTEGER, onExpired: 'restart' };
  }

  async *#openBindings(
    cluster: LogicalClusterName,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<readonly ConsumerBinding[]> {
    const { clock, decisions, limits } = this.#dependencies;
    const workspace = this.#workspace({ cluster });
    const open = (buffer: AnswerMemory, inner: OpenOptions): AsyncIterable<ListPage> =>
      persistentList((limit, options) => workspace.list(APIBINDINGS, { ...this.#bounds(limit), buffer }, options), inner);
    const pages = this.#paged({ cluster, key: `${cluster}/bindings`, perPage: limits.objectsPerPage, open, signal });
    let bindings: ConsumerBinding[] = [];
    for await (const page of objectsPages(observedList(pages, { of: 'bindings', form: 'objects', clock, decisions }))) {
      if (page.restarted) bindings = [];
      await inTurns(bindingsOn(page.all(BINDING_PARTS), bindings), { sharer: cluster });
    }
    yield bindings;
  }

  async *#openBinding(
    cluster: LogicalClusterName,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ConsumerBinding | undefined> {
    try {
      for await (const bytes of this.#bytesOf({ cluster, type: APIBINDINGS, ref: { name }, timeoutMs: OBJECT_TIMEOUT_MS }, signal)) {
        const binding = await inTurns(bindingIn(bytes), { sharer: cluster });
        if (binding?.name !== name) throw notThatBinding(cluster, name);
        yield binding;
      }
    } catch (failure) {
      if (!isKcpError(failure, 'not-found')) throw failure;
      yield undefined;
    }
  }

  /** A LIST waits for kcp's watch cache, a GET does not. */
  async *#openOne({ cluster, type, namespace }: DependentList, name: string, signal: AbortSignal): AsyncGenerator<NamedPage> {
    const ref = namespace === undefined ? { name } : { name, namespace };
    try {
      for await (const bytes of this.#bytesOf({ cluster, type, ref, timeoutMs: OBJECT_TIMEOUT_MS }, signal)) {
        yield { restarted: false, all: (parts) => objectNamed(name, bytes, parts) };
      }
    } catch (failure) {
      // Nobody believes that: who finds nothing lists.
      if (!isKcpError(failure, 'not-found', 'not-served')) throw failure;
    }
  }

  /** What kcp answers, while somebody reads it. A large object is asked for once more when it has a slot, as a large page has. */
  async *#bytesOf({ cluster, type, ref, timeoutMs }: OneObject, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { clock, limits } = this.#dependencies;
    const get = (maxBytes: number): Promise<Buffer> =>
      persistentRead(() => this.#workspace({ cluster }).getBytes(type, ref, { signal, timeoutMs, maxBytes }), { signal, clock });
    const giveBack = await this.#asks.take(cluster, signal);
    let giveBackSlot: (() => void) | undefined;
    try {
      let bytes: Buffer;
      try {
        bytes = await get(SMALL_PAGE_BYTES);
      } catch (failure) {
        if (!isKcpError(failure, 'too-large')) throw failure;
        giveBackSlot = await this.#slots.take(cluster, { signal });
        bytes = await get(limits.pageBytes);
        this.#garbage.add(bytes.length);
      }
      yield bytes;
    } finally {
      giveBackSlot?.();
      giveBack();
    }
  }

  #openNamed(list: DependentList, name: string, signal: AbortSignal): AsyncIterable<ObjectsPage> {
    const { limits } = this.#dependencies;
    const query = { ...this.#query(list, limits.objectsPerPage), fieldSelector: `metadata.name=${name}` };
    const open = (buffer: AnswerMemory, inner: OpenOptions): AsyncIterable<ListPage> =>
      persistentList((limit, options) => this.#workspace(list).list(list.type, { ...query, limit, buffer }, options), inner);
    const key = `${keyOf(list, 'objects')}/${name}`;
    return objectsPages(this.#paged({ cluster: list.cluster, key, perPage: limits.objectsPerPage, open, signal }));
  }

  async *#openSchema(
    exporter: LogicalClusterName,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<BoundSchema | undefined> {
    for await (const bytes of this.#bytesOf({ cluster: exporter, type: SCHEMAS, ref: { name }, timeoutMs: SCHEMA_TIMEOUT_MS }, signal)) {
      yield await inTurns(schemaIn(bytes), { sharer: exporter });
    }
  }

  #observed<P extends Page>(form: 'table' | 'objects', pages: AsyncIterable<P>): AsyncGenerator<P> {
    const { clock, decisions } = this.#dependencies;
    return observedList(pages, { of: 'dependents', form, clock, decisions });
  }

  /** The pages of a list, each in memory that its workspace has a share of; nobody waits for the lists of another workspace. */
  async *#paged<P extends Page>({ cluster, key, perPage, signal, open }: Opening<P>): AsyncGenerator<P> {
    const { clock } = this.#dependencies;
    const giveBack = await this.#asks.take(cluster, signal);
    const memory = new SlottedPage({ slots: this.#slots, buffers: this.#buffers, sharer: cluster, signal });
    const limit = Math.min(perPage, this.#pageLimits.of(key) ?? perPage);
    const onShrunk = (fitting: number): void => this.#pageLimits.remember(key, fitting);
    try {
      for await (const page of open(memory, { signal, clock, limit, onShrunk })) {
        this.#garbage.add(page.bytes.length);
        yield page;
      }
    } finally {
      memory.clear();
      giveBack();
    }
  }
}

function* bindingsOn(pieces: ObjectPieces, bindings: ConsumerBinding[]): Generator<void, void> {
  for (const binding of pieces) {
    if (binding !== undefined) bindings.push(readConsumerBinding(binding));
    yield;
  }
}

function notThatBinding(cluster: LogicalClusterName, name: string): KcpError {
  return new KcpError({ code: 'invalid-response', asked: `get apibindings ${name}`, at: cluster, problem: 'the answer is no such object' });
}

function* bindingIn(bytes: Buffer): Generator<void, ConsumerBinding | undefined> {
  const object = parseKubeObject(yield* BINDING_PARTS.parse(bytes));
  return object.ok ? readConsumerBinding(object.value) : undefined;
}

function* schemaIn(bytes: Buffer): Generator<void, BoundSchema | undefined> {
  const object = parseKubeObject(yield* EVERYTHING.parse(bytes));
  return object.ok ? readBoundSchema(object.value) : undefined;
}

/** Decides where a tenth of the pages has been read, as far as kcp tells how many follow. */
export function longLists<P extends { readonly restarted: boolean; readonly remainingItemCount?: number | undefined }>(
  perPage: number,
): LongLists<P> {
  return {
    shareToDecide: ({ remainingItemCount = 0 }, count) => {
      const pages = count + Math.ceil(remainingItemCount / perPage);
      return pages > LONG_PAGES && count === Math.floor(pages / LONG_PAGES) ? count / pages : undefined;
    },
    anew: (page) => ({ ...page, restarted: true }),
  };
}

/** One string per list; a slash can be in none of the parts. */
export function keyOf({ cluster, type, exporter, namespace }: DependentList, form: 'table' | 'objects'): string {
  return `${cluster}/${groupVersionResourceKey(type)}/${exporter}/${namespace ?? ''}/${form}`;
}
