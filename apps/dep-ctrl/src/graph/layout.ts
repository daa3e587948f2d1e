// Places types and arrows in a picture with dagre, which is loaded only for a picture (docs/adr/0006-dependencies.md).

/** Something with a size. */
export interface Sized {
  readonly width: number;
  readonly height: number;
}

/** A box, by its middle. */
export interface Box extends Sized {
  readonly x: number;
  readonly y: number;
}

/** A point of a line. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is to be laid out. */
export interface ToLayOut {
  readonly groups: readonly string[];
  readonly nodes: readonly (Sized & { readonly id: string; readonly group: string })[];
  /** With the size of their labels. */
  readonly edges: readonly (Sized & { readonly from: string; readonly to: string })[];
  /** No edge has a label: columns stand closer. */
  readonly isBare?: boolean;
}

/** The picture. */
export interface LaidOut extends Sized {
  readonly groups: ReadonlyMap<string, Box>;
  readonly nodes: ReadonlyMap<string, Box>;
  /** In the order given; the label stands at x and y, and the points between its nodes are one a column. */
  readonly edges: readonly (Point & { readonly between: readonly Point[] })[];
}

/** As much of dagre as is used. Its own types import each other in a way that Node's resolution does not follow. */
interface Dagre {
  readonly Graph: new (options: { readonly compound: boolean }) => DagreGraph;
  readonly layout: (graph: DagreGraph) => void;
}

interface DagreGraph {
  setGraph(label: Readonly<Record<string, string | number>>): void;
  graph(): Partial<Sized>;
  setNode(id: string, label: Sized): void;
  node(id: string): Sized & Partial<Point>;
  setParent(id: string, parent: string): void;
  setEdge(from: string, to: string, label: Sized & { readonly labelpos: 'c' }): void;
  edge(from: string, to: string): Partial<Point> & { readonly points?: readonly Point[] };
}

const MARGIN = 24;
const NODE_SEP = 32;
// Between the boxes of two groups dagre leaves as much as between two lines: the name of a group has to fit in.
const EDGE_SEP = 30;
// Lines rise and fall in the gaps between columns. A column of labels stands between two of nodes, so a gap is half of this.
const RANK_SEP = 104;
const BARE_RANK_SEP = 56;

// Beyond that groups, and the shortest lines, take too long: 500 types took 35 s of a core with groups, 16 s with the shortest lines, 1.2 s so.
const MOST_WITH_CARE = 120;

/**
 * Lays out from left to right, the nodes of a group together. Undefined where that is not to be had: some groups that interlock make dagre fail, of
 * two dozen with two nodes each. Without groups it always succeeds.
 */
export async function layOut({ groups, nodes, edges, isBare = false }: ToLayOut): Promise<LaidOut | undefined> {
  const dagre = (await import('@dagrejs/dagre')) as unknown as Dagre;
  const compound = groups.length > 0;
  if (compound && nodes.length > MOST_WITH_CARE) return undefined;
  const ranker = nodes.length > MOST_WITH_CARE ? 'tight-tree' : 'network-simplex';
  const graph = new dagre.Graph({ compound });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: NODE_SEP,
    edgesep: EDGE_SEP,
    ranksep: isBare ? BARE_RANK_SEP : RANK_SEP,
    marginx: MARGIN,
    marginy: MARGIN,
    ranker,
  });
  for (const group of groups) graph.setNode(group, { width: 0, height: 0 });
  for (const { id, group, width, height } of nodes) {
    graph.setNode(id, { width, height });
    if (compound) graph.setParent(id, group);
  }
  for (const { from, to, width, height } of edges) graph.setEdge(from, to, { width, height, labelpos: 'c' });
  try {
    dagre.layout(graph);
  } catch (error) {
    if (compound) return undefined;
    throw error;
  }
  const boxOf = (id: string): readonly [string, Box] => {
    const { x = 0, y = 0, width, height } = graph.node(id);
    return [id, { x, y, width, height }];
  };
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    groups: new Map(groups.map(boxOf)),
    nodes: new Map(nodes.map(({ id }) => boxOf(id))),
    edges: edges.map(({ from, to }) => {
      const { x = 0, y = 0, points = [] } = graph.edge(from, to);
      return { x, y, between: points.slice(1, -1) };
    }),
  };
}
