// The graph for Mermaid, which code hosts draw in Markdown. Pure.
import { plainText } from '@dep-ctrl/command-settings';
import { arrowsOf, labelLines, type Arrow, type GraphType, type TypeGraph } from './type-graph.js';

/** A flowchart. */
export function mermaid(graph: TypeGraph): string {
  const arrows = arrowsOf(graph);
  const workspaces = [...new Set(graph.types.map(({ workspace }) => workspace))];
  const inCycle = graph.types.filter((type) => type.inCycle).map(({ id }) => id);
  const circling = arrows.flatMap((arrow, at) => (arrow.inCycle ? [String(at)] : []));
  const lines = [
    'flowchart LR',
    ...workspaces.flatMap((workspace, at) => [
      `  subgraph w${String(at)}["${escaped(workspace)}"]`,
      ...graph.types.filter((type) => type.workspace === workspace).map((type) => `    ${nodeOf(type)}`),
      '  end',
    ]),
    ...arrows.map((arrow) => `  ${edgeOf(arrow)}`),
    ...(inCycle.length === 0 ? [] : ['  classDef cycle stroke:#c62828,stroke-width:3px', `  class ${inCycle.join(',')} cycle`]),
    ...(circling.length === 0 ? [] : [`  linkStyle ${circling.join(',')} stroke:#c62828,stroke-width:3px`]),
  ];
  return `${lines.join('\n')}\n`;
}

function nodeOf({ id, group, resource, inCycle }: GraphType): string {
  return `${id}["${inCycle ? `${escaped('↻')} ` : ''}${escaped(resource)}<br/>${escaped(group)}"]`;
}

function edgeOf(arrow: Arrow): string {
  const line = arrow.isIdle ? '-.->' : '-->';
  return `${arrow.from} ${line}|"${labelLines(arrow).map(escaped).join('<br/>')}"| ${arrow.to}`;
}

/**
 * Mermaid reads directives, HTML and Markdown even inside quotes, so whatever is more than a letter of a name is written as its number. A word that
 * begins with a number and a dot would become a list.
 */
function escaped(text: string): string {
  return plainText(text).replaceAll(/[^A-Za-z0-9:./() -]/gu, (character) => `#${String(character.codePointAt(0))};`);
}
