// The graph for Graphviz. Pure.
import { plainText } from '@dep-ctrl/command-settings';
import { arrowsOf, labelLines, type Arrow, type GraphType, type TypeGraph } from './type-graph.js';

/** A digraph. */
export function dot(graph: TypeGraph): string {
  const workspaces = [...new Set(graph.types.map(({ workspace }) => workspace))];
  const lines = [
    'digraph dependencies {',
    '  rankdir=LR',
    '  node [shape=box, style=rounded, fontname="monospace"]',
    '  edge [fontname="monospace", fontsize=10]',
    ...workspaces.flatMap((workspace, at) => [
      `  subgraph cluster_${String(at)} {`,
      `    label=${quoted(workspace)}`,
      ...graph.types.filter((type) => type.workspace === workspace).map((type) => `    ${nodeOf(type)}`),
      '  }',
    ]),
    ...arrowsOf(graph).map((arrow) => `  ${edgeOf(arrow)}`),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

const IN_CYCLE = ', color="#c62828", penwidth=3';

function nodeOf({ id, group, resource, inCycle }: GraphType): string {
  return `${id} [label=${quoted(inCycle ? `↻ ${resource}` : resource, group)}${inCycle ? IN_CYCLE : ''}]`;
}

function edgeOf(arrow: Arrow): string {
  const { from, to, inCycle, isIdle } = arrow;
  return `${from} -> ${to} [label=${quoted(...labelLines(arrow))}${isIdle ? ', style=dashed' : ''}${inCycle ? IN_CYCLE : ''}]`;
}

/** Lines as one string. Graphviz gives meaning to backslashes and quotes, and to entities of HTML. */
function quoted(...lines: readonly string[]): string {
  return `"${lines.map((line) => plainText(line).replaceAll('&', '&amp;').replaceAll(/["\\]/g, '\\$&')).join('\\n')}"`;
}
