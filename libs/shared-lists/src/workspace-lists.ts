// Lists of workspaces, and objects by name. Readers that arrive in time share them.
import type { JsonProjection } from '@dep-ctrl/fieldpath';
import { isKcpError, type Clock } from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { objectNamed, type ObjectsPage } from './objects-page.js';
import { SharedLists, type ListEnd, type ListReader, type LongLists } from './shared-lists.js';
import type { RowsPage } from './table-page.js';
import type { PagedList, WorkspacePages } from './workspace-pages.js';

/** What to list where. */
export interface WorkspaceList {
  readonly cluster: LogicalClusterName;
  readonly type: GroupVersionResource;
  /** The exporter of the type: two exports may serve the same names. */
  readonly exporter: LogicalClusterName;
  readonly namespace?: string;
  /** Whether its name is all that it takes to find an object of the list. */
  readonly isNameEnough: boolean;
}

/** How a reading of a shared list goes. */
export type Reader<P> = Omit<ListReader<P>, 'open'>;

/** How a reading of something that comes whole goes. */
export type WholeReader = Omit<Reader<unknown>, 'accept'>;

/** Objects of one name. */
type NamedPage = Pick<ObjectsPage, 'restarted' | 'all'>;

/** What {@link WorkspaceLists} needs. */
export interface WorkspaceListsDependencies {
  readonly pages: WorkspacePages;
  readonly clock: Clock;
  /** What the lists are reported as. */
  readonly of: string;
}

/** How long the read of one object may last. A reader gives up earlier, by its own deadline. */
export const OBJECT_TIMEOUT_MS = 10_000;

// Beginning anew costs what has been read: a tenth of a list that has at least so many pages.
const LONG_PAGES = 10;

/** The shared lists. Everything rejects with KcpError, or with the reason of the reader's signal. */
export class WorkspaceLists {
  readonly #pages: WorkspacePages;
  readonly #of: string;
  readonly #objects: SharedLists<ObjectsPage>;
  readonly #tables: SharedLists<RowsPage>;
  readonly #named: SharedLists<NamedPage>;
  readonly #namedUnderWay = new Map<string, number>();

  constructor({ pages, clock, of }: WorkspaceListsDependencies) {
    this.#pages = pages;
    this.#of = of;
    const isWhole = ({ last }: { readonly last: boolean }): boolean => last;
    const { objectsPerPage, rowsPerPage } = pages.limits;
    this.#objects = new SharedLists({ clock, isWhole, long: longLists<ObjectsPage>(objectsPerPage) });
    this.#tables = new SharedLists({ clock, isWhole, long: longLists<RowsPage>(rowsPerPage) });
    this.#named = new SharedLists({ clock, isWhole: () => true });
  }

  /** Whole objects, page by page. */
  objects(list: WorkspaceList, reader: Reader<ObjectsPage>): Promise<ListEnd> {
    const key = keyOf(list, 'objects');
    return this.#objects.read(key, { ...reader, open: ({ signal }) => this.#pages.objects(paged(list, { key, of: this.#of }), signal) });
  }

  /** Cells of the printer columns, page by page. */
  rows(list: WorkspaceList, reader: Reader<RowsPage>): Promise<ListEnd> {
    const key = keyOf(list, 'table');
    return this.#tables.read(key, { ...reader, open: ({ signal }) => this.#pages.rows(paged(list, { key, of: this.#of }), signal) });
  }

  /** The objects of one name: one, or one per namespace. Of each at least the parts. */
  async named(
    list: WorkspaceList,
    { name, parts }: { readonly name: string; readonly parts: JsonProjection },
    reader: WholeReader,
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

  /** How many names of a list are being read at this moment, for all readers. */
  namedUnderWay(list: WorkspaceList): number {
    return this.#namedUnderWay.get(keyOf(list, 'objects')) ?? 0;
  }

  /** A LIST waits for kcp's watch cache, a GET does not. */
  async *#openOne({ cluster, type, namespace }: WorkspaceList, name: string, signal: AbortSignal): AsyncGenerator<NamedPage> {
    const ref = namespace === undefined ? { name } : { name, namespace };
    try {
      for await (const bytes of this.#pages.bytesOf({ cluster, type, ref, timeoutMs: OBJECT_TIMEOUT_MS }, signal)) {
        yield { restarted: false, all: (parts) => objectNamed(name, bytes, parts) };
      }
    } catch (failure) {
      // A 404 proves nothing: the reader lists then.
      if (!isKcpError(failure, 'not-found', 'not-served')) throw failure;
    }
  }

  #openNamed(list: WorkspaceList, name: string, signal: AbortSignal): AsyncIterable<ObjectsPage> {
    const key = `${keyOf(list, 'objects')}/${name}`;
    return this.#pages.objects({ ...paged(list, { key }), fieldSelector: `metadata.name=${name}` }, signal);
  }
}

function paged({ cluster, type, namespace }: WorkspaceList, reported: Pick<PagedList, 'key' | 'of'>): PagedList {
  return { cluster, type, ...reported, ...(namespace === undefined ? {} : { namespace }) };
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
function keyOf({ cluster, type, exporter, namespace }: WorkspaceList, form: 'table' | 'objects'): string {
  return `${cluster}/${groupVersionResourceKey(type)}/${exporter}/${namespace ?? ''}/${form}`;
}
