import { describe, expect, it } from '@jest/globals';
import { candidatesIn, readTablePage } from './table-page.js';
import { wire } from './testing/reviews.js';

const columns = [
  { name: 'VPC', type: 'string', jsonPath: '.spec.vpcRef.name' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];
const definitions = [
  { name: 'Name', type: 'string', format: 'name' },
  { name: 'VPC', type: 'string' },
  { name: 'Age', type: 'date' },
];
const rows = [{ cells: ['a', 'my-vpc', '5d'] }, { cells: ['b', null, '5d'] }, { cells: ['c', 'my-vpc', '1s'] }];
const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: definitions, rows };

describe(readTablePage, () => {
  it('given the columns of the schema, then the rows are read', () => {
    expect(readTablePage(wire(table), columns, true)).toEqual({
      columns: 'as-expected',
      rows: rows.map(({ cells }) => cells),
    });
  });

  it('given bytes that cannot matter, then the columns are still checked and no row is given', () => {
    expect(readTablePage(wire(table), columns, false)).toEqual({ columns: 'as-expected', rows: [] });
    expect(readTablePage(wire({ ...table, columnDefinitions: [] }), columns, false)).toEqual({ columns: 'unexpected' });
  });

  it('given rows that stand before the columns, then the columns are found all the same', () => {
    const { columnDefinitions, ...rest } = table;

    expect(readTablePage(wire({ ...rest, columnDefinitions }), columns, false)).toEqual({ columns: 'as-expected', rows: [] });
    expect(readTablePage(wire({ ...rest, columnDefinitions: [] }), columns, false)).toEqual({ columns: 'unexpected' });
  });

  it('given a column whose description quotes the rows, then nothing is cut in the middle of it', () => {
    const described = definitions.map((each) => ({ ...each, description: '"rows":[]}' }));

    expect(readTablePage(wire({ ...table, columnDefinitions: described }), columns, false)).toEqual({ columns: 'as-expected', rows: [] });
  });

  it.each([
    { given: 'another column', answer: { ...table, columnDefinitions: [definitions[0], { name: 'Net', type: 'string' }, definitions[2]] } },
    { given: 'another type', answer: { ...table, columnDefinitions: [definitions[0], { name: 'VPC', type: 'integer' }, definitions[2]] } },
    { given: 'another order', answer: { ...table, columnDefinitions: [definitions[0], definitions[2], definitions[1]] } },
    { given: 'one column more', answer: { ...table, columnDefinitions: [...definitions, { name: 'Extra', type: 'string' }] } },
    { given: 'one column less', answer: { ...table, columnDefinitions: definitions.slice(0, 2) } },
    { given: 'no name first', answer: { ...table, columnDefinitions: [{ name: 'Id', type: 'string' }, ...definitions.slice(1)] } },
    { given: 'no columns', answer: { ...table, columnDefinitions: undefined } },
    { given: 'a list of objects', answer: { kind: 'VirtualMachineList', items: [] } },
    { given: 'nothing', answer: null },
  ])('given $given, then no cell is believed', ({ answer }) => {
    expect(readTablePage(wire(answer), columns, true)).toEqual({ columns: 'unexpected' });
  });

  it('given half a page, then no cell is believed', () => {
    expect(readTablePage(wire(table).subarray(0, -20), columns, true)).toEqual({ columns: 'unexpected' });
  });
});

describe(candidatesIn, () => {
  it('given rows, then those count whose cell is the wanted text', () => {
    const cells = [...rows.map((row) => row.cells), ['d', 'My-VPC'], [null, 'my-vpc'], [], ['e', 'other', 'my-vpc']];

    expect(candidatesIn(cells, [1], 'my-vpc')).toEqual(['a', 'c']);
    expect(candidatesIn(cells, [1, 2], 'my-vpc')).toEqual(['a', 'c', 'e']);
  });
});
