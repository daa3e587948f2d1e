import { describe, expect, it } from '@jest/globals';
import type { TablePage } from '@dep-ctrl/kcp-client';
import fc from 'fast-check';
import { atOnce } from '@dep-ctrl/fair-shares';
import { rowsPages, TableRows, type RowsPage, type TableQuestion } from './table-page.js';

const columns = [
  { name: 'VPC', type: 'string', jsonPath: '.spec.vpcRef.name', description: 'shows .spec.vpcRef.name' },
  { name: 'Backup', type: 'string', jsonPath: '.spec.backupRef.name', description: 'shows .spec.backupRef.name' },
];
const definitions = [
  { name: 'Name', type: 'string', format: 'name', description: '' },
  ...columns.map(({ name, type, description }) => ({ name, type, description })),
];
const rows = [{ cells: ['a', 'my-vpc', null] }, { cells: ['b', null, 'other'] }, { cells: ['c', 'other', 'my-vpc'] }];
const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '1' }, columnDefinitions: definitions, rows };

const candidatesOn = (bytes: Buffer, question: TableQuestion) => atOnce(new TableRows(bytes).candidates(question));

describe(TableRows, () => {
  it.each([
    { given: 'one cell', cells: [1], wanted: 'my-vpc', expected: ['a'] },
    { given: 'two cells', cells: [1, 2], wanted: 'my-vpc', expected: ['a', 'c'] },
    { given: 'a text that no row shows', cells: [1, 2], wanted: 'nothing', expected: [] },
    { given: 'a text that stands in the head alone', cells: [1, 2], wanted: 'VPC', expected: [] },
    { given: 'a text that only a name shows', cells: [1, 2], wanted: 'b', expected: [] },
    { given: 'a text that only a column shows that is not asked for', cells: [2], wanted: 'other', expected: ['b'] },
  ])('given $given, then the candidates are $expected', ({ cells, wanted, expected }) => {
    expect(candidatesOn(wire(table), { columns, cells, wanted })).toEqual(expected);
  });

  it('given rows that stand before the columns, then both are found all the same', () => {
    const { columnDefinitions, ...rest } = table;

    expect(ask({ ...rest, columnDefinitions })).toEqual(['a', 'c']);
    expect(ask({ ...rest, columnDefinitions: [] })).toBe('unexpected');
  });

  it('given rows that begin with something else, then they are all read', () => {
    expect(ask({ ...table, rows: rows.map(({ cells }) => ({ object: null, cells })) })).toEqual(['a', 'c']);
  });

  it('given rows that are none, or have no name, then they are no candidates', () => {
    const strange = [null, 7, {}, { cells: 7 }, { cells: [7, 'my-vpc'] }, { cells: [null, null, 'my-vpc'] }];

    const { rows: _, columnDefinitions, ...rest } = table;

    expect(ask({ ...table, rows: [...strange, ...rows] })).toEqual(['a', 'c']);
    expect(ask({ ...rest, rows: [...strange, ...rows], columnDefinitions })).toEqual(['a', 'c']);
  });

  it.each([
    { given: 'rows that begin with something else', answer: { ...table, rows: [{ object: null, cells: ['a', 'my-vpc'] }] }, heads: 1 },
    { given: 'no rows at all', answer: { ...table, rows: undefined }, heads: 0 },
  ])('given $given, then the page is parsed once', ({ answer, heads }) => {
    const head = JSON.stringify({ ...answer, rows: [] });
    const page = JSON.stringify(answer);

    expect(lengthParsed(() => candidatesOn(Buffer.from(page), { columns, cells: [1], wanted: 'my-vpc' }))).toBe(
      heads * head.length + page.length,
    );
  });

  it('given a column whose description quotes the rows, then nothing is cut in the middle of it', () => {
    const description = '"rows":[{"cells":["x","my-vpc"]}]}';
    const described = definitions.map((each) => ({ ...each, description }));
    const question = { columns: columns.map((each) => ({ ...each, description })), cells: [1, 2], wanted: 'my-vpc' };

    expect(candidatesOn(wire({ ...table, columnDefinitions: described }), question)).toEqual(['a', 'c']);
  });

  it('given the columns of another schema, which show another field under the same name and type, then only cells that are not asked for may differ', () => {
    const [name, vpc, backup] = definitions;
    const answer = wire({ ...table, columnDefinitions: [name, vpc, { ...backup, description: 'shows .spec.old' }] });

    expect(candidatesOn(answer, { columns, cells: [1, 2], wanted: 'my-vpc' })).toBe('unexpected');
    expect(candidatesOn(answer, { columns, cells: [1], wanted: 'my-vpc' })).toEqual(['a']);
  });

  it.each([
    { given: 'another kind', answer: { ...table, kind: 'VirtualMachineList' } },
    { given: 'another column', answer: { ...table, columnDefinitions: withDefinition(1, { name: 'Net' }) } },
    { given: 'another type', answer: { ...table, columnDefinitions: withDefinition(1, { type: 'integer' }) } },
    { given: 'a name that is no text', answer: { ...table, columnDefinitions: withDefinition(0, { type: 'integer' }) } },
    { given: 'a column that is none', answer: { ...table, columnDefinitions: [definitions[0], null, definitions[2]] } },
    { given: 'another order', answer: { ...table, columnDefinitions: [definitions[0], definitions[2], definitions[1]] } },
    { given: 'one column more', answer: { ...table, columnDefinitions: [...definitions, { name: 'Extra', type: 'string' }] } },
    { given: 'one column less', answer: { ...table, columnDefinitions: definitions.slice(0, 2) } },
    { given: 'no name first', answer: { ...table, columnDefinitions: [{ name: 'Id', type: 'string' }, ...definitions.slice(1)] } },
    { given: 'no columns', answer: { ...table, columnDefinitions: undefined } },
    { given: 'a list of objects', answer: { kind: 'VirtualMachineList', items: [] } },
    { given: 'nothing', answer: null },
  ])('given $given, then no cell is believed', ({ answer }) => {
    expect(ask(answer)).toBe('unexpected');
  });

  it('finds exactly what parsing the whole page finds, whatever stands in it', () => {
    const anyText = fc.oneof(
      fc.constantFrom('my-vpc', '{"cells":["a","my-vpc"]}', '"my-vpc"', ',my-vpc', '\\u006dy-vpc', '<my-vpc>'),
      fc.string(),
    );
    const anyCell = fc.oneof(anyText, fc.constant(null), fc.integer());
    const anyRow = fc.tuple(anyText, anyCell, anyCell).map((cells) => ({ cells }));

    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), fc.array(anyText), fc.boolean(), (of, texts, escapes) => {
        const page = JSON.stringify({ ...table, rows: of });
        const shared = new TableRows(Buffer.from(escapes ? page.replaceAll('<', '\\u003c') : page));

        for (const wanted of texts) {
          const expected = of.flatMap(({ cells: [name, ...others] }) => (others.includes(wanted) ? [name] : []));
          expect(atOnce(shared.candidates({ columns, cells: [1, 2], wanted }))).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** A page of many rows, so large that it is not parsed at once, as another server may write it: the columns last. */
describe('a large page whose columns come last', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({ cells: [`vm-${index}`, index % 1_000 === 0 ? 'my-vpc' : 'other', null] }));
  const large = (changes: object): Buffer => {
    const { columnDefinitions, kind, ...rest } = table;
    return wire({ ...rest, rows: many, kind, columnDefinitions, ...changes });
  };

  it('is read all the same', () => {
    expect(large({}).length).toBeGreaterThan(64 * 1024);
    expect(candidatesOn(large({}), { columns, cells: [1], wanted: 'my-vpc' })).toEqual(['vm-0', 'vm-1000', 'vm-2000']);
  });

  it.each([
    { given: 'another kind', changes: { kind: 'VirtualMachineList' } },
    { given: 'another name', changes: { columnDefinitions: withDefinition(1, { name: 'Net' }) } },
    { given: 'another type', changes: { columnDefinitions: withDefinition(1, { type: 'integer' }) } },
    { given: 'another description', changes: { columnDefinitions: withDefinition(1, { description: 'shows .spec.old' }) } },
  ])('given $given, then no cell is believed', ({ changes }) => {
    expect(candidatesOn(large(changes), { columns, cells: [1], wanted: 'my-vpc' })).toBe('unexpected');
  });

  it('given a page that is cut off, then no cell is believed', () => {
    expect(candidatesOn(large({}).subarray(0, -1), { columns, cells: [1], wanted: 'my-vpc' })).toBe('unexpected');
  });
});

it.each([
  { given: 'the first row', row: 0, end: '' },
  { given: 'a row in the middle', row: 50, end: '' },
  { given: 'the last row', row: 99, end: '' },
  { given: 'the last row, and a line end as kcp writes it', row: 99, end: '\n' },
])('given what is wanted in $given, then no other row is parsed', ({ row, end }) => {
  const many = Array.from({ length: 100 }, (_, index) => ({ cells: [`vm-${index}`, index === row ? 'my-vpc' : 'other', 'a ]} b'] }));
  const page = Buffer.from(JSON.stringify({ ...table, rows: many }) + end);
  const head = JSON.stringify({ ...table, rows: [] });

  const parsed = lengthParsed(() => {
    expect(candidatesOn(page, { columns, cells: [1], wanted: 'my-vpc' })).toEqual([`vm-${row}`]);
  });

  expect(parsed).toBeLessThan(head.length + 2 * JSON.stringify(many[row]).length);
});

it.each([
  { given: 'an escape beside the name', note: 'a & b' },
  { given: 'escapes that could spell the name', note: '\\u006dy' },
])('given $given and many who ask about one page, then it is not parsed again for each', ({ note }) => {
  const many = Array.from({ length: 100 }, (_, index) => ({ cells: [`vm-${index}`, `vpc-${index}`, note] }));
  const page = JSON.stringify({ ...table, rows: many })
    .replaceAll('&', '\\u0026')
    .replaceAll('\\\\u006d', '\\u006d');
  const shared = new TableRows(Buffer.from(page));

  const parsed = lengthParsed(() => {
    for (let index = 0; index < 100; index += 1) {
      expect(atOnce(shared.candidates({ columns, cells: [1], wanted: `vpc-${index}` }))).toEqual([`vm-${index}`]);
    }
  });

  expect(parsed).toBeLessThan(3 * page.length);
});

it('given a page that is long to look at, then others may go on in between, and the candidates are the same', () => {
  const note = '<'.repeat(20);
  const many = Array.from({ length: 5_000 }, (_, index) => ({ cells: [`vm-${index}`, index % 2 === 0 ? 'my-vpc' : 'other', note] }));
  const page = JSON.stringify({ ...table, rows: many }).replaceAll('<', '\\u003c');

  const plain = [...new TableRows(wire({ ...table, rows: many })).candidates({ columns, cells: [1], wanted: 'my-vpc' })];
  const escaped = [...new TableRows(Buffer.from(page)).candidates({ columns, cells: [1], wanted: 'my-vpc' })];

  expect([plain.length, escaped.length]).toEqual([2_500, expect.any(Number)]);
  expect(escaped.length).toBeGreaterThan(page.length / 17_000);
  expect(candidatesOn(Buffer.from(page), { columns, cells: [1], wanted: 'my-vpc' })).toHaveLength(2_500);
});

it('given a page after the next one was read, then it answers nobody', async () => {
  const page = { bytes: wire(table), restarted: false, last: true, remainingItemCount: undefined } as unknown as TablePage;
  const kept: RowsPage[] = [];
  for await (const each of rowsPages(pagesOf(page))) kept.push(each);

  expect(() => kept[0]?.candidates({ columns, cells: [1], wanted: 'my-vpc' }).next()).toThrow('after the next one was read');
});

async function* pagesOf(...pages: readonly TablePage[]): AsyncGenerator<TablePage> {
  for (const page of pages) yield await Promise.resolve(page);
}

/** The columns with one of them changed. */
function withDefinition(at: number, changes: object): readonly object[] {
  return definitions.map((definition, index) => (index === at ? { ...definition, ...changes } : definition));
}

/** How much text some work parses. */
function lengthParsed(work: () => void): number {
  const { parse } = JSON;
  let length = 0;
  JSON.parse = (text, reviver): unknown => {
    length += text.length;
    return parse(text, reviver);
  };
  try {
    work();
  } finally {
    JSON.parse = parse;
  }
  return length;
}

function ask(answer: unknown): ReturnType<typeof candidatesOn> {
  return candidatesOn(wire(answer), { columns, cells: [1, 2], wanted: 'my-vpc' });
}

/** A JSON value as bytes on the wire. */
function wire(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
