// The reads of consumer and exporter workspaces that decide a deletion, each shared by all reviews that arrive in time for it.
import {
  isKcpError,
  type Clock,
  type ListPage,
  type ListQuery,
  type Page,
  type PageBuffer,
  type TablePage,
  type TableQuery,
} from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readBoundSchema, type BoundSchema } from '../lookup/bound-schema.js';
import { readConsumerBinding, type ConsumerBinding, type SchemaRef } from '../lookup/consumer-bindings.js';
import type { Decisions } from '../review/decisions.js';
import { ListSlots } from './list-slots.js';
import { objectsPages, type ObjectsPage } from './objects-page.js';
import { observedList } from './observed-list.js';
import { PageBuffers } from './page-buffers.js';
import { persistentList } from './persistent-list.js';
import { SharedLists, type ListEnd, type ListReader, type LongLists } from './shared-lists.js';
import { rowsPages, type RowsPage } from './table-page.js';
import { YoungGarbage, type CollectYoung } from './young-garbage.js';

/** What is read of one workspace; a `ClusterClient` is one. */
export interface WorkspaceReader {
  get(
    type: GroupVersionResource,
    ref: { readonly name: string },
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<KubeObject>;
  list(type: GroupVersionResource, query: ListQuery, options: { readonly signal: AbortSignal }): AsyncIterable<ListPage>;
  listTable(type: GroupVersionResource, query: TableQuery, options: { readonly signal: AbortSignal }): AsyncIterable<TablePage>;
}

/** What bounds memory, however many reviews arrive and however large objects are. */
export interface ReadLimits {
  /** Lists of dependents that are read at a time; each holds one page. */
  readonly lists: number;
  readonly objectsPerPage: number;
  readonly rowsPerPage: number;
  readonly pageBytes: number;
}

/** Every page costs kcp some 10 ms on a busy machine, 1 000 objects are some 2.5 MB, and a row of a Table is some fifty bytes (kcp v0.32). */
export const defaultReadLimits: ReadLimits = { lists: 6, objectsPerPage: 1_000, rowsPerPage: 10_000, pageBytes: 16 * 1024 * 1024 };

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
}

/** What a list is opened with, beside the memory for its pages. */
interface OpenOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** How a reading of a shared list goes. */
export type Reader<P> = Omit<ListReader<P>, 'open'>;

const APIBINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const SCHEMAS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };

// A schema lives on the exporter's shard, and objects can be listed without it: a shard that hangs must not use up a review's time.
const SCHEMA_TIMEOUT_MS = 1_000;
// Whoever asks gives up before, by its own deadline.
const BINDING_TIMEOUT_MS = 10_000;

// Beginning anew costs what has been read: a tenth of a list that has at least so many pages.
const LONG_PAGES = 10;

/** The shared reads. Everything rejects with KcpError, or with the reason of the reader's signal. */
export class WorkspaceReads {
  readonly #dependencies: WorkspaceReadsDependencies;
  readonly #slots: ListSlots;
  readonly #buffers = new PageBuffers();
  readonly #garbage: YoungGarbage;
  readonly #bindings: SharedLists<readonly ConsumerBinding[]>;
  readonly #binding: SharedLists<ConsumerBinding | undefined>;
  readonly #schemas: SharedLists<BoundSchema | undefined>;
  readonly #objects: SharedLists<ObjectsPage>;
  readonly #tables: SharedLists<RowsPage>;
  readonly #named: SharedLists<readonly KubeObject[]>;
  readonly #namedUnderWay = new Map<string, number>();

  constructor(dependencies: WorkspaceReadsDependencies) {
    this.#dependencies = dependencies;
    this.#slots = new ListSlots(dependencies.limits.lists);
    this.#garbage = new YoungGarbage(dependencies.collectYoung);
    this.#bindings = new SharedLists(dependencies);
    this.#binding = new SharedLists(dependencies);
    this.#schemas = new SharedLists(dependencies);
    const { objectsPerPage, rowsPerPage } = dependencies.limits;
    this.#objects = new SharedLists({ ...dependencies, long: longLists<ObjectsPage>(objectsPerPage) });
    this.#tables = new SharedLists({ ...dependencies, long: longLists<RowsPage>(rowsPerPage) });
    this.#named = new SharedLists(dependencies);
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
    const { objectsPerPage } = this.#dependencies.limits;
    const open = (buffer: PageBuffer, inner: OpenOptions): AsyncIterable<ListPage> =>
      persistentList((limit, options) => this.#workspace(list).list(list.type, { ...this.#query(list, limit), buffer }, options), {
        limit: objectsPerPage,
        ...inner,
      });
    return this.#objects.read(keyOf(list, 'objects'), {
      ...reader,
      open: (options) => objectsPages(this.#throughSlot(list, 'objects', open, options)),
    });
  }

  /** Cells of the printer columns, page by page. */
  rows(list: DependentList, reader: Reader<RowsPage>): Promise<ListEnd> {
    const { rowsPerPage } = this.#dependencies.limits;
    const open = (buffer: PageBuffer, inner: OpenOptions): AsyncIterable<TablePage> =>
      persistentList((limit, options) => this.#workspace(list).listTable(list.type, { ...this.#query(list, limit), buffer }, options), {
        limit: rowsPerPage,
        ...inner,
      });
    return this.#tables.read(keyOf(list, 'table'), {
      ...reader,
      open: (options) => rowsPages(this.#throughSlot(list, 'table', open, options)),
    });
  }

  /** The objects of one name: one, or one per namespace. */
  async named(list: DependentList, name: string, reader: Omit<Reader<unknown>, 'accept'>): Promise<readonly KubeObject[]> {
    let found: readonly KubeObject[] = [];
    const key = keyOf(list, 'objects');
    this.#namedUnderWay.set(key, this.namedUnderWay(list) + 1);
    try {
      await this.#named.read(`${key}/${name}`, {
        ...reader,
        open: (options) => this.#openNamed(list, name, options),
        accept: (objects) => ((found = objects), 'more'),
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
    const open = (limit: number, options: { readonly signal: AbortSignal }): AsyncIterable<ListPage> =>
      workspace.list(APIBINDINGS, this.#bounds(limit), options);
    const pages = persistentList(open, { limit: limits.objectsPerPage, clock, signal });
    let bindings: ConsumerBinding[] = [];
    for await (const page of observedList(pages, { of: 'bindings', form: 'objects', clock, decisions })) {
      if (page.restarted) bindings = [];
      bindings.push(...page.objects().map(readConsumerBinding));
    }
    yield bindings;
  }

  async *#openBinding(
    cluster: LogicalClusterName,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ConsumerBinding | undefined> {
    try {
      yield readConsumerBinding(await this.#workspace({ cluster }).get(APIBINDINGS, { name }, { signal, timeoutMs: BINDING_TIMEOUT_MS }));
    } catch (failure) {
      if (!isKcpError(failure, 'not-found')) throw failure;
      yield undefined;
    }
  }

  async *#openNamed(
    list: DependentList,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<readonly KubeObject[]> {
    const { clock, limits } = this.#dependencies;
    const query = { ...this.#query(list, limits.objectsPerPage), fieldSelector: `metadata.name=${name}` };
    const open = (limit: number, options: { readonly signal: AbortSignal }): AsyncIterable<ListPage> =>
      this.#workspace(list).list(list.type, { ...query, limit }, options);
    let found: KubeObject[] = [];
    for await (const page of persistentList(open, { limit: limits.objectsPerPage, clock, signal })) {
      found = page.restarted ? [...page.objects()] : [...found, ...page.objects()];
    }
    yield found;
  }

  async *#openSchema(
    exporter: LogicalClusterName,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<BoundSchema | undefined> {
    yield readBoundSchema(await this.#workspace({ cluster: exporter }).get(SCHEMAS, { name }, { signal, timeoutMs: SCHEMA_TIMEOUT_MS }));
  }

  async *#throughSlot<P extends Page>(
    { cluster }: Pick<DependentList, 'cluster'>,
    form: 'table' | 'objects',
    open: (buffer: PageBuffer, options: OpenOptions) => AsyncIterable<P>,
    { signal, isAnew }: { readonly signal: AbortSignal; readonly isAnew: boolean },
  ): AsyncGenerator<P> {
    const { clock, decisions } = this.#dependencies;
    const giveBack = await this.#slots.take(cluster, { signal, isHeir: isAnew });
    const buffer = this.#buffers.take();
    try {
      for await (const page of observedList(open(buffer, { signal, clock }), { of: 'dependents', form, clock, decisions })) {
        this.#garbage.add(page.bytes.length);
        yield page;
      }
    } finally {
      this.#buffers.give(buffer);
      giveBack();
    }
  }
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
