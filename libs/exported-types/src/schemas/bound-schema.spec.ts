import { describe, expect, it } from '@jest/globals';
import {
  cellsOf,
  columnsByPath,
  defaultDescription,
  readBoundSchema,
  sizeOf,
  versionToRead,
  type BoundSchema,
  type PrinterColumn,
} from './bound-schema.js';
import { computeSchema, path } from '../testing/index.js';

describe(readBoundSchema, () => {
  it.each([
    { given: 'no uid', object: { ...computeSchema(), metadata: {} } },
    { given: 'no versions', object: { ...computeSchema(), spec: { scope: 'Cluster', versions: [] } } },
    { given: 'no scope', object: { ...computeSchema(), spec: { versions: [{ name: 'v1', served: true }] } } },
    { given: 'no spec', object: { metadata: { uid: 'x' } } },
  ])('given $given, then it is no schema', ({ object }) => {
    expect(readBoundSchema(object)).toBeUndefined();
  });

  it.each([
    ['Namespaced', true],
    ['Cluster', false],
  ])('given scope %s, then isNamespaced is %s', (scope, isNamespaced) => {
    expect(schema({ scope })).toMatchObject({ uid: 'schema-1', isNamespaced });
  });

  it('given versions without a name, then they are left out', () => {
    const versions = [null, 7, { served: true }, { name: 7 }, { name: 'v1' }];

    expect(readBoundSchema({ ...computeSchema(), spec: { scope: 'Cluster', versions } })?.versions).toEqual([
      { name: 'v1', isServed: false, columns: [], columnOf: new Map(), fields: undefined },
    ]);
  });

  it('given columns, then a field that is missing is empty, and the description is the one that kcp shows', () => {
    const whole = { name: 'c', type: 'string', jsonPath: '.spec.c', description: 'the network' };
    const versions = [{ name: 'v1', served: true, additionalPrinterColumns: [whole, { jsonPath: '.spec.d' }, null] }];

    expect(readBoundSchema({ ...computeSchema(), spec: { scope: 'Cluster', versions } })?.versions[0]?.columns).toEqual([
      whole,
      { name: '', type: '', jsonPath: '.spec.d', description: defaultDescription('.spec.d') },
      { name: '', type: '', jsonPath: '', description: defaultDescription('') },
    ]);
  });
});

describe(sizeOf, () => {
  it('given versions, then each counts, with its columns and its fields', () => {
    const [column] = columnsOf('.spec.c');
    const fields = { properties: { spec: { type: 'object' }, status: { type: 'object' } } };
    const version = { name: 'v1', isServed: true, columns: [column!, column!], columnOf: new Map(), fields };

    const versions = [version, { ...version, columns: [], fields: undefined }];

    expect(sizeOf({ uid: 'u', isNamespaced: true, versions })).toBe(1 + 2 + 3 + 1);
  });
});

describe(versionToRead, () => {
  const vpcRef = path('.spec.vpcRef.name');

  it.each([
    { given: 'the named version is served', named: 'v1', paths: [vpcRef], expected: 'v1' },
    { given: 'the named version is served, wherever its paths lead', named: 'v1', paths: [path('.spec.nowhere')], expected: 'v1' },
    { given: 'the named version is not served and another holds a string there', named: 'v0', paths: [vpcRef], expected: 'v1alpha1' },
    { given: 'the named version is unknown and another holds a string there', named: 'v7', paths: [vpcRef], expected: 'v1alpha1' },
    {
      given: 'the path leads to a label, which versions share',
      named: 'v0',
      paths: [path(".metadata.labels['vpc']")],
      expected: 'v1alpha1',
    },
    { given: 'no other holds anything there', named: 'v0', paths: [vpcRef, path('.spec.nowhere')], expected: undefined },
    { given: 'others hold an object there', named: 'v0', paths: [path('.spec.vpcRef')], expected: undefined },
    { given: 'others hold no array there', named: 'v0', paths: [path('.spec.vpcRef[*].name')], expected: undefined },
  ])('given $given, then $expected is read', ({ named, paths, expected }) => {
    expect(versionToRead(schema(), named, paths)?.name).toBe(expected);
  });

  it('given arrays and maps on the way, then they are walked', () => {
    const fields = {
      properties: {
        spec: {
          properties: {
            nics: { items: { properties: { net: { type: 'string' } } } },
            byRole: { additionalProperties: { type: 'string' } },
          },
        },
      },
    };
    const one: BoundSchema = {
      uid: 'u',
      isNamespaced: true,
      versions: [{ name: 'v1', isServed: true, columns: [], columnOf: new Map(), fields }],
    };

    expect(versionToRead(one, 'gone', [path('.spec.nics[*].net'), path(".spec.byRole['main.db']")])?.name).toBe('v1');
    expect(versionToRead(one, 'gone', [path('.spec.constructor')])).toBeUndefined();
  });
});

describe(cellsOf, () => {
  const columns = columnsOf;
  const cells = (of: readonly PrinterColumn[], paths: readonly string[]): readonly number[] | undefined =>
    cellsOf({ columnOf: columnsByPath(of) }, paths.map(path));

  it.each([
    {
      given: 'a column for each path',
      of: columns('.spec.size', '.spec.a.b', '.spec.c'),
      paths: ['.spec.c', '.spec.a.b'],
      expected: [3, 2],
    },
    { given: 'a path without a column', of: columns('.spec.c'), paths: ['.spec.c', '.spec.a.b'], expected: undefined },
    {
      given: 'a path into an array, of which a column shows the first element',
      of: columns('.spec.a[*].b'),
      paths: ['.spec.a[*].b'],
      expected: undefined,
    },
    { given: 'two columns of one path', of: columns('.spec.a.b', '.spec.c', '.spec.c'), paths: ['.spec.c'], expected: [2] },
    { given: 'a column of nothing that is a path', of: columns('.spec', '{.spec.c}', '', '.spec.c'), paths: ['.spec.c'], expected: [4] },
    { given: 'no columns', of: columns(), paths: ['.spec.c'], expected: undefined },
  ])('given $given, then the cells are $expected', ({ of, paths, expected }) => {
    expect(cells(of, paths)).toEqual(expected);
  });

  it('given columns that show no path, then none is found', () => {
    expect(columnsByPath(columns('.spec', '{.spec.c}'))).toEqual(new Map());
  });

  it('given a column that is no string, then it is not trusted to show one', () => {
    const integers = columns('.spec.c').map((column) => ({ ...column, type: 'integer' }));

    expect(cells(integers, ['.spec.c'])).toBeUndefined();
  });

  it('given a column with a description of its own, then a Table of another schema could not be told apart, and it is not used', () => {
    const described = columns('.spec.c').map((column) => ({ ...column, description: 'the network' }));

    expect(cells(described, ['.spec.c'])).toBeUndefined();
    expect(schemaWithColumn({ description: 'the network' })).toEqual(['the network']);
    expect(schemaWithColumn({ description: '' })).toEqual(['Custom resource definition column (in JSONPath format): .spec.c']);
  });
});

function columnsOf(...jsonPaths: readonly string[]): readonly PrinterColumn[] {
  return jsonPaths.map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath, description: defaultDescription(jsonPath) }));
}

/** The descriptions that are read from a schema with one column. */
function schemaWithColumn(more: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const column = { name: 'c', type: 'string', jsonPath: '.spec.c', ...more };
  const spec = { scope: 'Cluster', versions: [{ name: 'v1', served: true, additionalPrinterColumns: [column] }] };
  return readBoundSchema({ ...computeSchema(), spec })?.versions[0]?.columns.map(({ description }) => description);
}

function schema(change: Parameters<typeof computeSchema>[0] = {}): BoundSchema {
  const read = readBoundSchema(computeSchema(change));
  if (read === undefined) throw new Error('not a schema');
  return read;
}
