// The parts of an APIResourceSchema that decide how a type is listed.
import { pathOfColumn, type FieldPath } from '@dep-ctrl/fieldpath';
import { elements, record, text, type KubeObject } from '@dep-ctrl/kcp-names';
import { countFields, leadsToString, readFieldTypes, type FieldTypes } from './field-types.js';

/** A printer column. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  /** What Tables say about it. Where the author says nothing, kcp names the jsonPath. */
  readonly description: string;
}

/** One version of a type. */
export interface SchemaVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly columns: readonly PrinterColumn[];
  /** By the text of a path the first column that shows exactly its value. */
  readonly columnOf: ReadonlyMap<string, number>;
  readonly fields: FieldTypes | undefined;
}

/** An immutable schema. */
export interface BoundSchema {
  readonly uid: string;
  readonly isNamespaced: boolean;
  readonly versions: readonly SchemaVersion[];
}

/** Reads an APIResourceSchema; undefined when it lacks what every schema has. */
export function readBoundSchema({ metadata, ...object }: KubeObject): BoundSchema | undefined {
  const spec = record(object['spec']);
  const scope = spec?.['scope'];
  const versions = elements(spec?.['versions']).flatMap(readVersion);
  if (metadata.uid === undefined || (scope !== 'Namespaced' && scope !== 'Cluster') || versions.length === 0) return undefined;
  return { uid: metadata.uid, isNamespaced: scope === 'Namespaced', versions };
}

/**
 * The version to read a type in: the one that is named while it is served, else another served one with a string at every path.
 * Undefined: none.
 */
export function versionToRead({ versions }: BoundSchema, named: string, paths: readonly FieldPath[]): SchemaVersion | undefined {
  const served = versions.filter(({ isServed }) => isServed);
  return served.find(({ name }) => name === named) ?? served.find(({ fields }) => paths.every(({ steps }) => leadsToString(fields, steps)));
}

/** How much a schema takes to keep, in fields and columns. */
export function sizeOf({ versions }: BoundSchema): number {
  return versions.reduce((sum, { columns, fields }) => sum + 1 + columns.length + countFields(fields), 0);
}

/** What kcp says in Tables about a column that has no description of its own. */
export function defaultDescription(jsonPath: string): string {
  return `Custom resource definition column (in JSONPath format): ${jsonPath}`;
}

/**
 * Per path the index of the cell that shows exactly its value in a Table of this version, where the object's name is always the first
 * cell; undefined unless every path has one. For a moment after a change of schema kcp still serves Tables of the old one, and only the
 * jsonPath in a description tells the two apart; so a column that its author describes is not used.
 */
export function cellsOf({ columnOf }: Pick<SchemaVersion, 'columnOf'>, paths: readonly FieldPath[]): readonly number[] | undefined {
  const cells: number[] = [];
  for (const { text: path } of paths) {
    const column = columnOf.get(path);
    if (column === undefined) return undefined;
    cells.push(column + 1);
  }
  return cells;
}

/** By the text of a path the first of the columns that shows exactly its value. */
export function columnsByPath(columns: readonly PrinterColumn[]): ReadonlyMap<string, number> {
  const byPath = new Map<string, number>();
  columns.forEach((column, index) => {
    const path = shownBy(column);
    if (path !== undefined && !byPath.has(path)) byPath.set(path, index);
  });
  return byPath;
}

function shownBy({ type, jsonPath, description }: PrinterColumn): string | undefined {
  return type === 'string' && description === defaultDescription(jsonPath) ? pathOfColumn(jsonPath)?.text : undefined;
}

function readVersion(entry: unknown): readonly SchemaVersion[] {
  const version = record(entry) ?? {};
  const name = text(version['name']);
  if (name === undefined) return [];
  const columns = elements(version['additionalPrinterColumns']).map(readColumn);
  const columnOf = columnsByPath(columns);
  return [{ name, isServed: version['served'] === true, columns, columnOf, fields: readFieldTypes(version['schema']) }];
}

function readColumn(entry: unknown): PrinterColumn {
  const column = record(entry) ?? {};
  const jsonPath = text(column['jsonPath']) ?? '';
  const description = text(column['description']) ?? defaultDescription(jsonPath);
  return { name: text(column['name']) ?? '', type: text(column['type']) ?? '', jsonPath, description };
}
