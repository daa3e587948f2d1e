// The content of a workspace, to choose an object from: the types that it binds, and the objects of one of them. Reads only.
import { listAll, type Connection } from '@dep-ctrl/kcp-client';
import { compareText, printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, inside } from '@dep-ctrl/kcp-objects';
import { versionServing } from '@dep-ctrl/exported-types';
import { boundTypes } from '../../explain/find-subject.js';

/** An object that was found. */
export interface FoundName {
  readonly namespace?: string;
  readonly name: string;
}

/** Objects by a part of their names. */
export interface FoundNames {
  readonly names: readonly FoundName[];
  /** How many objects were looked at, and whether there are more. */
  readonly lookedAt: number;
  readonly isCut: boolean;
}

interface Options {
  readonly signal: AbortSignal;
}

type Workspace = LogicalClusterName | WorkspacePath;

/** The types that bindings serve there. */
export async function typesIn(connection: Connection, workspace: Workspace, options: Options): Promise<readonly GroupResource[]> {
  const read = () => listAll(connection.cluster(workspace), API_BINDINGS, {}, options);
  const { objects } = await inside(connection, { path: workspace, by: 'that was asked for' }, read, options);
  return objects.flatMap(boundTypes).toSorted((a, b) => compareText(printGroupResource(a), printGroupResource(b)));
}

// More than anybody picks from, and a search that ends: 50 pages take about 2 s.
const MOST_NAMES = 100;
const MOST_OBJECTS = 25_000;

/** Objects of a type whose name or namespace holds a word. */
export async function namesOf(
  connection: Connection,
  workspace: Workspace,
  type: GroupResource,
  { search, signal }: Options & { readonly search: string },
): Promise<FoundNames> {
  const version = await versionServing(connection, workspace, type, { signal });
  if (version === undefined) throw new Error(`workspace "${workspace}" serves no version of ${printGroupResource(type)}`);
  const names: FoundName[] = [];
  const word = search.trim().toLowerCase();
  let lookedAt = 0;
  for await (const page of connection.cluster(workspace).list({ ...type, version }, { as: 'metadata' }, { signal })) {
    for (const { metadata } of page.objects()) {
      const { name = '', namespace } = metadata;
      if (names.length === MOST_NAMES) return { names, lookedAt, isCut: true };
      lookedAt += 1;
      if (`${namespace ?? ''}/${name}`.toLowerCase().includes(word))
        names.push({ ...(namespace === undefined ? {} : { namespace }), name });
    }
    if (lookedAt >= MOST_OBJECTS && !page.last) return { names, lookedAt, isCut: true };
  }
  return { names, lookedAt, isCut: false };
}
