// The part of a graph that the reader chose: the types that a word names, or those near one type. A picture of everything stops being readable long before
// a kcp stops having types. Pure.
import { printGroupResource } from '@dep-ctrl/kcp-names';
import type { GraphType, TypeGraph } from './type-graph.js';

/** What is asked for. */
export interface GraphQuestion {
  /** The type to look around, as {@link typeName} writes it; empty: none. */
  readonly of: string;
  /** How many arrows away from it. */
  readonly hops: number;
  /** A part of a name of a type, group or workspace; empty: all. */
  readonly search: string;
}

/** The types that were found, and of them and what they point at a graph. */
export interface GraphPart {
  readonly found: readonly GraphType[];
  readonly graph: TypeGraph;
  /** The type that was asked for. */
  readonly chosen: GraphType | undefined;
}

/** A name of a type that stays the same while others come and go. */
export function typeName(type: Pick<GraphType, 'workspace' | 'group' | 'resource'>): string {
  return `${type.workspace}/${printGroupResource(type)}`;
}

/** The part. A type that is not there has none. */
export function partOfGraph(graph: TypeGraph, { of, hops, search }: GraphQuestion): GraphPart {
  if (of !== '') {
    const chosen = graph.types.find((type) => typeName(type) === of);
    const near = around(graph, chosen === undefined ? [] : [chosen.id], hops);
    const part = within(graph, near);
    return { found: part.types, graph: part, chosen };
  }
  const word = search.toLowerCase();
  const found = graph.types.filter((type) => typeName(type).toLowerCase().includes(word));
  const near = around(
    graph,
    found.map(({ id }) => id),
    1,
  );
  return { found, graph: within(graph, near), chosen: undefined };
}

function around({ references }: TypeGraph, from: readonly string[], hops: number): ReadonlySet<string> {
  const near = new Set(from);
  let edge = new Set(from);
  for (let hop = 0; hop < hops && edge.size > 0; hop += 1) {
    const next = new Set<string>();
    for (const { from: dependent, to } of references) {
      if (edge.has(dependent) && !near.has(to)) next.add(to);
      if (edge.has(to) && !near.has(dependent)) next.add(dependent);
    }
    for (const id of next) near.add(id);
    edge = next;
  }
  return near;
}

function within({ types, references, cycles }: TypeGraph, ids: ReadonlySet<string>): TypeGraph {
  return {
    types: types.filter(({ id }) => ids.has(id)),
    references: references.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    cycles: cycles.filter((cycle) => cycle.every((id) => ids.has(id))),
  };
}
