// A flowchart as a picture in a page, laid out as `dep-ctrl graph` lays out types. It takes the colours of the text, light or dark.
import { layOut, routes, type Box } from '../app-sources.js';
import type { Flowchart } from './read-flowchart.js';

// Of a monospaced font of 13 px, as wide as the widest that systems have.
const CHARACTER = 8;
const LINE = 16;
const PADDING = 10;
const TITLE = 18;

/** The picture; undefined where it cannot be laid out. Arrows without a label that follow from others are not drawn, and the picture says so. */
export async function drawFlowchart({ groups, nodes, edges: all }: Flowchart): Promise<string | undefined> {
  const edges = all.filter((edge) => edge.label !== '' || !isImplied(edge, all));
  const sized = nodes.map((node) => ({
    ...node,
    width: Math.max(...node.lines.map((line) => line.length)) * CHARACTER + 2 * PADDING,
    height: node.lines.length * LINE + PADDING,
  }));
  const labelled = edges.map((edge) => ({ ...edge, width: edge.label.length * CHARACTER, height: edge.label === '' ? 0 : LINE }));
  const laidOut = await layOut({ groups: groups.map(({ id }) => id), nodes: sized, edges: labelled });
  if (laidOut === undefined) return undefined;
  const labels = labelled.map((edge, at) => ({
    x: laidOut.edges[at]?.x ?? 0,
    y: laidOut.edges[at]?.y ?? 0,
    width: edge.width,
    height: edge.height,
  }));
  const links = edges.map(({ from, to }, at) => ({ from, to, between: laidOut.edges[at]?.between ?? [] }));
  const lines = routes(links, { boxes: laidOut.nodes, labels });
  const said = all.map(({ from, to, label }) => `${from} to ${to}${label === '' ? '' : ` by ${label}`}`).join(', ');
  const [width, height] = [Math.ceil(laidOut.width), Math.ceil(laidOut.height + TITLE)];
  return [
    `<svg class="flowchart" role="img" aria-label="${escaped(said)}" width="${String(width)}" height="${String(height)}" viewBox="0 ${String(-TITLE)} ${String(width)} ${String(height)}">`,
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L10 5 L0 10 Z"/></marker></defs>',
    ...groups.map(({ id, label }) => groupOf(label, laidOut.groups.get(id))),
    ...lines.map((line) => `<path class="line" d="${line}" marker-end="url(#arrow)"/>`),
    ...sized.map(({ id, lines: texts }) => nodeOf(texts, laidOut.nodes.get(id))),
    ...labelled.map(({ label }, at) => (label === '' ? '' : `<text class="label" ${placeOf(labels[at])}>${escaped(label)}</text>`)),
    '</svg>',
    edges.length === all.length ? '' : '<p class="note">Arrows that follow from others are not drawn.</p>',
  ].join('');
}

/** Whether another way leads from its start to its end. */
function isImplied({ from, to }: Flowchart['edges'][number], all: Flowchart['edges']): boolean {
  const seen = new Set<string>();
  const reaches = (node: string): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    return all.some((edge) => edge.from === node && (edge.to === to ? node !== from : reaches(edge.to)));
  };
  return reaches(from);
}

function nodeOf(lines: readonly string[], box: Box | undefined): string {
  if (box === undefined) return '';
  const top = box.y - ((lines.length - 1) * LINE) / 2 + 4;
  const texts = lines.map((line, at) => `<text x="${px(box.x)}" y="${px(top + at * LINE)}">${escaped(line)}</text>`);
  return `<rect class="node" ${cornerOf(box)} rx="5"/>${texts.join('')}`;
}

function groupOf(label: string, box: Box | undefined): string {
  if (box === undefined) return '';
  const above = { ...box, y: box.y - TITLE / 2, height: box.height + TITLE };
  const [x, y] = [above.x - above.width / 2 + 8, above.y - above.height / 2 + 14];
  return `<rect class="group" ${cornerOf(above)} rx="8"/><text class="group-name" x="${px(x)}" y="${px(y)}">${escaped(label)}</text>`;
}

function cornerOf({ x, y, width, height }: Box): string {
  return `x="${px(x - width / 2)}" y="${px(y - height / 2)}" width="${px(width)}" height="${px(height)}"`;
}

function placeOf(at: { readonly x: number; readonly y: number } | undefined): string {
  return `x="${px(at?.x ?? 0)}" y="${px((at?.y ?? 0) + 4)}"`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
