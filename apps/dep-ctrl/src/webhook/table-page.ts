// A page of a Table whose rows hold no objects: `[name, column, column…]` per object. It is believed only if its columns are those of
// the schema that the binding names; and even then a row is only a candidate.
import { elements, record } from './json-value.js';
import type { PrinterColumn } from './bound-schema.js';

/** Rows of a Table page; `unexpected`: its columns are not those of the schema, so its cells say nothing. */
export type TablePage =
  { readonly columns: 'as-expected'; readonly rows: readonly (readonly unknown[])[] } | { readonly columns: 'unexpected' };

/** Reads a page. When `mayMatter` is false for its bytes, only the columns are looked at, and no row is given. */
export function readTablePage(bytes: Buffer, columns: readonly PrinterColumn[], mayMatter: boolean): TablePage {
  const table = record((mayMatter ? undefined : parseHead(bytes)) ?? parse(bytes.toString()));
  if (table?.['kind'] !== 'Table' || !hasColumns(elements(table['columnDefinitions']), columns)) return { columns: 'unexpected' };
  if (!mayMatter) return { columns: 'as-expected', rows: [] };
  return { columns: 'as-expected', rows: elements(table['rows']).map((row) => elements(record(row)?.['cells'])) };
}

/** The names of the objects whose row shows the wanted text in one of the cells. */
export function candidatesIn(rows: readonly (readonly unknown[])[], cells: readonly number[], wanted: string): readonly string[] {
  return rows.flatMap((row) => (typeof row[0] === 'string' && cells.some((cell) => row[cell] === wanted) ? [row[0]] : []));
}

// kcp writes the rows last. If what stands before them is no whole JSON with columns, somebody writes them elsewhere: then parse it all.
function parseHead(bytes: Buffer): unknown {
  const rows = bytes.indexOf('"rows":');
  const head = rows === -1 ? undefined : record(parse(`${bytes.toString('utf8', 0, rows)}"rows":[]}`));
  return head?.['columnDefinitions'] === undefined ? undefined : head;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: no Table
  }
}

function hasColumns(definitions: readonly unknown[], columns: readonly PrinterColumn[]): boolean {
  const [name, ...others] = definitions.map(record);
  if (name?.['name'] !== 'Name' || name['type'] !== 'string' || others.length !== columns.length) return false;
  return columns.every((column, index) => others[index]?.['name'] === column.name && others[index]['type'] === column.type);
}
