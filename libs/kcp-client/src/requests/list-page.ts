import { isRecord, parseKubeObject, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Asked } from '../errors/failure.js';
import { invalidResponse, parseJson } from './json-body.js';
import type { ListHead } from './list-head.js';

/** As large as a page of a list is let become: to look through more of it takes long, and it is all in memory. */
export const MOST_PAGE_BYTES = 4 * 1024 * 1024;

/** What every page of a list says. */
export interface Page {
  /**
   * The answer as it came: valid as far as both ends of it show; parsed only when asked for. Where the query gave a buffer, both the bytes
   * and what parses them are good until the next page is asked for.
   */
  readonly bytes: Buffer;
  /** Of the whole list. Empty where kcp gives none: the type is not served there, and it cannot be watched from here. */
  readonly resourceVersion: string;
  /** No page follows. */
  readonly last: boolean;
  /** The list began anew: forget what its earlier pages said. */
  readonly restarted: boolean;
  readonly remainingItemCount?: number;
}

/** Where a page came from. */
export interface PageOrigin extends Asked {
  readonly bytes: Buffer;
  readonly head: ListHead;
  readonly restarted: boolean;
}

/** A page of objects, or of their metadata only. */
export interface ListPage extends Page {
  /** Parses the page. Throws KcpError `invalid-response`. */
  objects(): readonly KubeObject[];
  /** The same by another parser: of what it leaves out, nothing is there. Throws KcpError `invalid-response` where that throws SyntaxError. */
  objectsBy(parse: (bytes: Buffer) => Promise<unknown>): Promise<readonly KubeObject[]>;
}

/** A page of a Table: one row per object, the cells as the printer columns say. */
export interface TablePage extends Page {
  /** Parses the page. Throws KcpError `invalid-response`. */
  table(): Table;
}

/** A Table. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

/** A column; kcp adds `jsonPath` only where the column has no description. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** One object's cells, in the order of the columns. */
export interface TableRow {
  readonly cells: readonly unknown[];
  /** Its metadata, where the query asked for it. */
  readonly object?: KubeObject;
}

/** From here on a page or a line is large: what parses it in pieces is asked to. */
export const LARGE_BYTES = 64 * 1024;

/** Parses what is large, such as in pieces between which other work goes on. */
export type ParsePage = (json: Buffer) => Promise<unknown>;

/** The objects of a page; a large one is parsed by `parse`, where there is one. */
export function objectsOn(page: ListPage, parse: ParsePage | undefined): Promise<readonly KubeObject[]> | readonly KubeObject[] {
  return parse === undefined || page.bytes.length < LARGE_BYTES ? page.objects() : page.objectsBy(parse);
}

/** A page of objects. */
export function listPage(origin: PageOrigin): ListPage {
  return {
    ...pageOf(origin),
    objects: () => objectsIn(origin, parseJson(origin, origin.bytes)),
    objectsBy: async (parse) => objectsIn(origin, await parsedBy(parse, origin)),
  };
}

/** A page of a Table. */
export function tablePage(origin: PageOrigin): TablePage {
  return { ...pageOf(origin), table: () => parseTable(origin) };
}

function pageOf({ bytes, head, restarted }: PageOrigin): Page {
  const { resourceVersion, remainingItemCount } = head;
  const page = { bytes, resourceVersion, last: head.continue === '', restarted };
  return remainingItemCount === undefined ? page : { ...page, remainingItemCount };
}

async function parsedBy(parse: (bytes: Buffer) => Promise<unknown>, origin: PageOrigin): Promise<unknown> {
  try {
    return await parse(origin.bytes);
  } catch (failure) {
    if (failure instanceof SyntaxError) throw invalidResponse(origin, `the answer is not JSON: ${failure.message}`);
    throw failure;
  }
}

function objectsIn(origin: PageOrigin, list: unknown): readonly KubeObject[] {
  const items = isRecord(list) ? list['items'] : undefined;
  // Items of typed lists leave out what the list says: without it they could not be written back.
  const defaults = { apiVersion: origin.head.apiVersion, kind: origin.head.kind.slice(0, -'List'.length) };
  return arrayOf(origin, 'items', items ?? []).map((item, index) => {
    const object = parseKubeObject(item);
    if (!object.ok) throw invalidResponse(origin, `item ${index} of the list is no Kubernetes object: ${object.problem}`);
    return object.value.kind === undefined ? { ...defaults, ...object.value } : object.value;
  });
}

function parseTable(origin: PageOrigin): Table {
  const { columnDefinitions, rows } = parseJson(origin, origin.bytes) as { readonly columnDefinitions?: unknown; readonly rows?: unknown };
  const columns = arrayOf(origin, 'columnDefinitions', columnDefinitions).map((column, index): TableColumn => {
    if (isRecord(column) && typeof column['name'] === 'string' && typeof column['type'] === 'string')
      return column as unknown as TableColumn;
    throw invalidResponse(origin, `column ${index} of the table has no name and type`);
  });
  return { columns, rows: arrayOf(origin, 'rows', rows ?? []).map((row, index) => tableRow(origin, columns.length, row, index)) };
}

function tableRow(origin: PageOrigin, columns: number, row: unknown, index: number): TableRow {
  const cells = isRecord(row) ? row['cells'] : undefined;
  if (!isRecord(row) || !Array.isArray(cells) || cells.length !== columns) {
    throw invalidResponse(origin, `row ${index} of the table has not the ${columns} cells of its columns`);
  }
  const object = parseKubeObject(row['object']);
  return object.ok ? { cells, object: object.value } : { cells };
}

function arrayOf(origin: Asked, field: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw invalidResponse(origin, `.${field} of the answer is no array`);
}
