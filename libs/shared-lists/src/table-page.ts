// A page of a Table whose rows hold no objects: `[name, column, column…]` per object. It is believed only if its columns are those of
// the schema that the binding names; and even then a row is only a candidate. Of a page that kcp wrote only the head is parsed, and the
// rows that hold the wanted text: a row begins with a mark that no string can hold, as quotes in strings are escaped.
import { elements, record } from '@dep-ctrl/kcp-names';
import { EACH, JsonProjection, PageScan, type PathStep } from '@dep-ctrl/fieldpath';
import type { Page, TablePage } from '@dep-ctrl/kcp-client';

/** What a Table says about one of its columns. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** Which cells to look at, and which columns the Table has to have for that. */
export interface TableQuestion {
  readonly columns: readonly TableColumn[];
  readonly cells: readonly number[];
  readonly wanted: string;
}

const ROWS_MARK = '"rows":';
const ROW_MARK = '{"cells":[';
const EMPTY_ROWS = Buffer.from('"rows":[]}');

// A parse of so much takes 10 ms at most, whatever its author put into it.
const PARSED_WHOLE_BYTES = 64 * 1024;
const TABLE = new JsonProjection([
  ['kind'],
  ...['name', 'type', 'description'].map((key): readonly PathStep[] => ['columnDefinitions', EACH, key]),
  ['rows', EACH, 'cells', EACH],
]);

/** A page of a Table, while it is there. */
export interface RowsPage extends Pick<Page, 'restarted' | 'last'> {
  /** How many rows follow this page, as far as kcp says. */
  readonly remainingItemCount: number | undefined;
  /**
   * The names of the objects whose row shows the wanted text in one of the cells; `unexpected`: the cells of this Table say nothing. Yields where
   * a piece of the work is done and others may go on.
   */
  candidates(question: TableQuestion): Generator<void, readonly string[] | 'unexpected'>;
}

/** The pages, each good until the next one is asked for. */
export async function* rowsPages(pages: AsyncIterable<TablePage>): AsyncGenerator<RowsPage, void> {
  for await (const { restarted, last, remainingItemCount, bytes } of pages) {
    const rows = new TableRows(bytes);
    try {
      yield { restarted, last, remainingItemCount, candidates: (question) => rows.candidates(question) };
    } finally {
      rows.end();
    }
  }
}

/** The content of a page, found out once for all readers. */
export class TableRows {
  readonly #bytes: Buffer;
  readonly #scan: PageScan;
  #head: Readonly<Record<string, unknown>> | 'none' | undefined;
  #whole: Readonly<Record<string, unknown>> | undefined;
  #isOver = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#scan = new PageScan(bytes);
  }

  *candidates({ columns, cells, wanted }: TableQuestion): Generator<void, readonly string[] | 'unexpected'> {
    this.#check();
    const head = (this.#head ??= (yield* this.#parseHead()) ?? 'none');
    const table = head === 'none' ? yield* this.#parsed() : head;
    if (table['kind'] !== 'Table' || !hasColumns(elements(table['columnDefinitions']), { columns, cells })) return 'unexpected';
    if (!this.#scan.couldHold(wanted)) return [];
    const found = head === 'none' ? undefined : yield* this.#rowsHolding(wanted);
    const rows = found ?? elements((yield* this.#parsed())['rows']);
    return rows.flatMap((row) => {
      const shown = elements(record(row)?.['cells']);
      return typeof shown[0] === 'string' && cells.some((cell) => shown[cell] === wanted) ? [shown[0]] : [];
    });
  }

  end(): void {
    this.#isOver = true;
  }

  // Other bytes stand there by now: what they show is no answer.
  #check(): void {
    if (this.#isOver) throw new Error('a page of a Table is asked for rows after the next one was read');
  }

  *#parsed(): Generator<void, Readonly<Record<string, unknown>>> {
    return (this.#whole ??= record(yield* this.#parse(this.#bytes)) ?? {});
  }

  // kcp writes the rows last. If the text before them is not complete JSON with columns, another server wrote them elsewhere: then parse it all.
  *#parseHead(): Generator<void, Readonly<Record<string, unknown>> | undefined> {
    const rows = this.#bytes.indexOf(ROWS_MARK);
    const head = rows === -1 ? undefined : record(yield* this.#parse(Buffer.concat([this.#bytes.subarray(0, rows), EMPTY_ROWS])));
    return head?.['columnDefinitions'] === undefined ? undefined : head;
  }

  *#parse(bytes: Buffer): Generator<void, unknown> {
    if (bytes.length <= PARSED_WHOLE_BYTES) return parse(bytes.toString());
    const pieces = TABLE.parse(bytes);
    for (;;) {
      try {
        const { done, value } = pieces.next();
        if (done === true) return value;
      } catch {
        return undefined; // no JSON: no Table
      }
      yield;
      this.#check();
    }
  }

  /** The rows in which the text stands; undefined where they cannot be cut out. */
  *#rowsHolding(wanted: string): Generator<void, readonly unknown[] | undefined> {
    if (this.#scan.mayHoldOtherwise(wanted)) return undefined;
    const bytes = this.#bytes;
    const needle = JSON.stringify(wanted);
    const found: unknown[] = [];
    const first = bytes.indexOf(ROWS_MARK);
    for (let at = bytes.indexOf(needle, first); at !== -1;) {
      const begin = bytes.lastIndexOf(ROW_MARK, at);
      const next = bytes.indexOf(ROW_MARK, at);
      const end = next === -1 ? bytes.length : next;
      const row = begin < first ? undefined : parse(bytes.toString('utf8', begin, end).replace(next === -1 ? /\]\}\s*$/ : /,\s*$/, ''));
      if (row === undefined) return undefined;
      found.push(row);
      yield;
      this.#check();
      at = bytes.indexOf(needle, end);
    }
    return found;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: no Table
  }
}

function hasColumns(definitions: readonly unknown[], { columns, cells }: Pick<TableQuestion, 'columns' | 'cells'>): boolean {
  const [name, ...others] = definitions.map(record);
  if (name?.['name'] !== 'Name' || name['type'] !== 'string' || others.length !== columns.length) return false;
  return columns.every((column, index) => {
    const definition = others[index];
    if (definition?.['name'] !== column.name || definition['type'] !== column.type) return false;
    // The same name and type may show something else in another schema.
    return !cells.includes(index + 1) || definition['description'] === column.description;
  });
}
