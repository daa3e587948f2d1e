// Reads pages and single objects of many workspaces, within bounds: requests to kcp at a time, large pages in memory, bytes of a page. A workspace does not
// wait for the lists of another one.
import { FairSlots, KcpAsks, type AskLimits } from '@dep-ctrl/fair-shares';
import {
  isKcpError,
  MOST_PAGE_BYTES,
  type AnswerMemory,
  type Clock,
  type ListPage,
  type ListQuery,
  type Page,
  type TablePage,
  type TableQuery,
  type Stoppable,
  type YoungGarbage,
} from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { objectsPages, type ObjectsPage } from './objects-page.js';
import { observedList, type ListObserver } from './observed-list.js';
import { PageBuffers } from './page-buffers.js';
import { PageLimits } from './page-limits.js';
import { persistentList, persistentRead } from './persistent-list.js';
import { SlottedPage, SMALL_PAGE_BYTES } from './slotted-page.js';
import { rowsPages, type RowsPage } from './table-page.js';

/** What is read of one workspace; a `ClusterClient` is one. */
export interface WorkspaceReader {
  getBytes(
    type: GroupVersionResource,
    ref: { readonly name: string; readonly namespace?: string },
    options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<Buffer>;
  list(type: GroupVersionResource, query: ListQuery, options: Stoppable): AsyncIterable<ListPage>;
  listTable(type: GroupVersionResource, query: TableQuery, options: Stoppable): AsyncIterable<TablePage>;
}

/** What bounds memory, however many readers there are and however large objects are. */
export interface ReadLimits extends AskLimits {
  /** Large pages that are in memory at a time. */
  readonly pages: number;
  readonly objectsPerPage: number;
  readonly rowsPerPage: number;
  readonly pageBytes: number;
}

/**
 * Every page costs kcp some 10 ms on a busy machine, 1 000 objects are some 2.5 MB, and a row of a Table is some fifty bytes (kcp v0.32). A page of
 * 16 MiB took 0.3 s to look through, made for that purpose. kcp takes 400 requests at a time from all clients together.
 */
export const defaultReadLimits: ReadLimits = {
  pages: 3,
  asks: 64,
  asksOfOne: 10,
  objectsPerPage: 1_000,
  rowsPerPage: 10_000,
  pageBytes: MOST_PAGE_BYTES,
};

/** What {@link WorkspacePages} needs. */
export interface WorkspacePagesDependencies {
  /** The workspaces, through the front-proxy. */
  readonly workspace: (cluster: LogicalClusterName) => WorkspaceReader;
  readonly clock: Clock;
  readonly observer: ListObserver;
  readonly limits: ReadLimits;
  /** Is told what was read, and has what is left of it collected. */
  readonly garbage: Pick<YoungGarbage, 'add'>;
}

/** A list that is read page by page. */
export interface PagedList {
  readonly cluster: LogicalClusterName;
  readonly type: GroupVersionResource;
  readonly namespace?: string;
  readonly fieldSelector?: string;
  /** Under which it is remembered how many objects fit on a page. */
  readonly key: string;
  /** What it is reported as when it ends; undefined: it is not. */
  readonly of?: string;
}

/** One object that is read by its name. */
export interface OneObject {
  readonly cluster: LogicalClusterName;
  readonly type: GroupVersionResource;
  readonly ref: { readonly name: string; readonly namespace?: string };
  readonly timeoutMs: number;
}

/** Opens a list with memory for its pages. */
type OpenList<P> = (buffer: AnswerMemory, options: Stoppable) => AsyncIterable<P>;

/** Reads pages and objects. Everything rejects with KcpError, or with the reason of the signal. */
export class WorkspacePages {
  readonly #dependencies: WorkspacePagesDependencies;
  readonly #asks: KcpAsks;
  readonly #slots: FairSlots;
  readonly #buffers = new PageBuffers();
  readonly #pageLimits: PageLimits;

  constructor(dependencies: WorkspacePagesDependencies) {
    this.#dependencies = dependencies;
    this.#asks = new KcpAsks(dependencies);
    this.#slots = new FairSlots({ count: dependencies.limits.pages });
    this.#pageLimits = new PageLimits(dependencies);
  }

  get limits(): ReadLimits {
    return this.#dependencies.limits;
  }

  /** Whole objects. Each page is good until the next one is asked for. */
  objects(list: PagedList, signal: AbortSignal): AsyncIterable<ObjectsPage> {
    const workspace = this.#dependencies.workspace(list.cluster);
    const open: OpenList<ListPage> = (buffer, options) =>
      workspace.list(list.type, { ...this.#query(list, this.limits.objectsPerPage), buffer }, options);
    return objectsPages(this.#observed(list, 'objects', this.#paged(list, open, signal)));
  }

  /** Cells of the printer columns. Each page is good until the next one is asked for. */
  rows(list: PagedList, signal: AbortSignal): AsyncIterable<RowsPage> {
    const workspace = this.#dependencies.workspace(list.cluster);
    const open: OpenList<TablePage> = (buffer, options) =>
      workspace.listTable(list.type, { ...this.#query(list, this.limits.rowsPerPage), buffer }, options);
    return rowsPages(this.#observed(list, 'table', this.#paged(list, open, signal)));
  }

  /** kcp's answer, while a reader reads it. A large object is asked for once more when it has a slot, as a large page has. */
  async *bytesOf({ cluster, type, ref, timeoutMs }: OneObject, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { clock, garbage, limits, workspace } = this.#dependencies;
    const get = (maxBytes: number): Promise<Buffer> =>
      persistentRead(() => workspace(cluster).getBytes(type, ref, { signal, timeoutMs, maxBytes }), { signal, clock });
    const ask = await this.#asks.take(cluster, signal, { isList: false });
    let giveBackSlot: (() => void) | undefined;
    try {
      let bytes: Buffer;
      try {
        bytes = await get(SMALL_PAGE_BYTES);
      } catch (failure) {
        if (!isKcpError(failure, 'too-large')) throw failure;
        giveBackSlot = await this.#slots.take(cluster, { signal });
        bytes = await get(limits.pageBytes);
        garbage.add(bytes.length);
      }
      ask.answered(bytes.length);
      yield bytes;
    } finally {
      giveBackSlot?.();
      ask.end();
    }
  }

  #query({ key, namespace, fieldSelector }: PagedList, perPage: number): ListQuery & TableQuery {
    return {
      limit: perPage,
      firstLimit: this.#pageLimits.of(key),
      onTooLarge: 'shrink',
      onShrunk: (fitting) => this.#pageLimits.remember(key, fitting),
      maxPageBytes: this.limits.pageBytes,
      maxBytes: Number.MAX_SAFE_INTEGER,
      onExpired: 'restart',
      ...(namespace === undefined ? {} : { namespace }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  #observed<P extends Page>({ of }: PagedList, form: 'table' | 'objects', pages: AsyncIterable<P>): AsyncIterable<P> {
    return of === undefined ? pages : observedList(pages, { of, form, ...this.#dependencies });
  }

  /** The pages of a list, each in memory that its workspace has a share of. */
  async *#paged<P extends Page>({ cluster }: PagedList, open: OpenList<P>, signal: AbortSignal): AsyncGenerator<P> {
    const { clock, garbage } = this.#dependencies;
    const ask = await this.#asks.take(cluster, signal);
    const memory = new SlottedPage({ slots: this.#slots, buffers: this.#buffers, sharer: cluster, signal, onBytes: ask.answered });
    try {
      for await (const page of persistentList((options) => open(memory, options), { signal, clock })) {
        garbage.add(page.bytes.length);
        yield page;
        memory.clear(); // before the wait: others may have it meanwhile
        if (!page.last) await ask.goOn();
      }
    } finally {
      memory.clear();
      ask.end();
    }
  }
}
