// The graph as a picture that stands alone: no script, no font and no file beside it.
import { plainText } from '@dep-ctrl/command-settings';
import { printGroupResource } from '@dep-ctrl/kcp-names';
import { layOut, type Box, type Point, type Sized } from './layout.js';
import { routes } from './route.js';
import { arrowsOf, labelLines, type Arrow, type GraphType, type TypeGraph } from './type-graph.js';

// Of a monospaced font, as wide as the widest that systems have.
const WIDTH_OF_CHARACTER = { name: 8.5, group: 6.7, label: 6.7, workspace: 7.3 };
const MOST_CHARACTERS = 44;
// Of one arrow. The rules of one workspace may say the same reference in 6400 ways.
const MOST_TOLD = 10;
const NAME_HEIGHT = 30;
const LINE_HEIGHT = 14;
const TITLE_HEIGHT = 18;
const LEGEND_HEIGHT = 28;
const NOWHERE: Point = { x: 0, y: 0 };
const NOTHING: Sized = { width: 0, height: 0 };
/** Below a type that refers to itself. */
const LOOP_HEIGHT = 22;

const STYLE = `
text { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328; }
.name { font-size: 14px; text-anchor: middle; }
.group { font-size: 11px; text-anchor: middle; fill: #59636e; }
.label { font-size: 11px; text-anchor: middle; }
.workspace-name { font-size: 12px; fill: #59636e; stroke: #f6f8fa; stroke-width: 4px; paint-order: stroke; }
.legend { font-size: 11px; fill: #59636e; }
.paper { fill: #ffffff; }
.workspace { fill: #f6f8fa; stroke: #d1d9e0; }
.type { fill: #ffffff; stroke: #59636e; stroke-width: 1.2; }
.behind { fill: #ffffff; fill-opacity: 0.85; }
.arrow { fill: none; stroke: #59636e; stroke-width: 1.4; }
.idle { stroke-dasharray: 6 4; }
.type.cycle { stroke: #c62828; stroke-width: 2.5; }
.arrow.cycle { stroke: #c62828; stroke-width: 2.5; }
.head { fill: #59636e; }
.head.cycle { fill: #c62828; }
`;

/** A picture within a page, which has its style. */
export interface WithinPage {
  /** The link behind a type. */
  readonly linkTo: (type: GraphType) => string;
  /** The id of the type that was chosen. */
  readonly chosen: string | undefined;
  /** Without the names of fields, and of groups where boxes tell: they are half of the picture. */
  readonly isBare: boolean;
}

/** Draws it: to stand alone, or within a page. */
export async function svg(graph: TypeGraph, page?: WithinPage): Promise<string> {
  const isBare = page?.isBare === true;
  const arrows = arrowsOf(graph);
  const workspaces = [...new Set(graph.types.map(({ workspace }) => workspace))];
  const groupOf = new Map(workspaces.map((workspace, at) => [workspace, `w${String(at)}`]));
  const loops = new Map(arrows.flatMap((arrow) => (arrow.from === arrow.to ? [[arrow.from, arrow] as const] : [])));
  const others = arrows.filter(({ from, to }) => from !== to);
  const shapesWith = (small: (type: GraphType) => readonly string[]) =>
    graph.types.map((type) => shapeOf(type, { small: small(type), loop: loops.get(type.id) }));
  const labelSize = (arrow: Arrow): Sized => (isBare ? NOTHING : sizeOfLabel(arrow));
  const edges = others.map((arrow) => ({ from: arrow.from, to: arrow.to, ...labelSize(arrow) }));
  const place = async (shapes: readonly Shape[], groups: readonly string[]) => {
    const nodes = shapes.map(({ type, width, height }) => ({ id: type.id, group: groupOf.get(type.workspace) ?? '', width, height }));
    const laidOut = await layOut({ groups, nodes, edges, isBare });
    return laidOut && { shapes, laidOut };
  };
  // Without boxes around them, types say themselves where they are from.
  const placed =
    (await place(
      shapesWith(({ group }) => (isBare ? [] : [group])),
      [...groupOf.values()],
    )) ??
    (await place(
      shapesWith(({ group, workspace }) => [group, workspace]),
      [],
    ));
  if (placed === undefined) throw new Error('bug: types without boxes were not laid out');
  const { shapes, laidOut } = placed;
  const boxes = new Map(shapes.flatMap((shape) => upperPart(shape, laidOut.nodes.get(shape.type.id))));
  const labels = others.map((arrow, at) => ({ ...(laidOut.edges[at] ?? NOWHERE), ...labelSize(arrow) }));
  const lines = routes(
    others.map(({ from, to }, at) => ({ from, to, between: laidOut.edges[at]?.between ?? [] })),
    { boxes, labels },
  );
  const width = Math.ceil(Math.max(laidOut.width, 560));
  const height = Math.ceil(laidOut.height + TITLE_HEIGHT + LEGEND_HEIGHT);
  const nameOf = new Map(graph.types.map((type) => [type.id, printGroupResource(type)]));
  const title = `${String(graph.types.length)} types, ${String(graph.references.length)} references, ${String(graph.cycles.length)} circles`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 ${String(-TITLE_HEIGHT)} ${String(width)} ${String(height)}" role="${page === undefined ? 'img' : 'group'}">`,
    `<title>${title}</title>`,
    page === undefined ? `<style>${STYLE}</style>` : '',
    `<defs>${headOf('head', '')}${headOf('cycle-head', ' cycle')}</defs>`,
    `<rect class="paper" x="0" y="${String(-TITLE_HEIGHT)}" width="100%" height="100%"/>`,
    ...workspaces.map((workspace) => workspaceOf(workspace, laidOut.groups.get(groupOf.get(workspace) ?? ''))),
    ...others.map((arrow, at) => lineOf(arrow, lines[at], nameOf)),
    ...shapes.map((shape) => linked(shape, drawType(shape, boxes.get(shape.type.id), nameOf), page)),
    ...(isBare ? [] : others.map((arrow, at) => labelOf(arrow, laidOut.edges[at]))),
    ...workspaces.map((workspace) => workspaceName(workspace, laidOut.groups.get(groupOf.get(workspace) ?? ''))),
    legend(graph, height - TITLE_HEIGHT),
    '</svg>',
    '',
  ].join('\n');
}

/** A type as it is drawn. */
interface Shape extends Sized {
  readonly type: GraphType;
  readonly name: string;
  /** The lines below the name. */
  readonly small: readonly string[];
  readonly loop: Arrow | undefined;
  /** Without its loop. */
  readonly ownHeight: number;
}

function shapeOf(type: GraphType, { small, loop }: Pick<Shape, 'small' | 'loop'>): Shape {
  const name = shown(type.inCycle ? `↻ ${type.resource}` : type.resource);
  const widest = Math.max(...small.map((line) => shown(line).length)) * WIDTH_OF_CHARACTER.group;
  const width = Math.max(name.length * WIDTH_OF_CHARACTER.name, widest) + 24;
  const ownHeight = NAME_HEIGHT + small.length * LINE_HEIGHT;
  if (loop === undefined) return { type, name, small, loop, ownHeight, width, height: ownHeight };
  const label = sizeOfLabel(loop);
  return { type, name, small, loop, ownHeight, width: Math.max(width, label.width + 24), height: ownHeight + LOOP_HEIGHT + label.height };
}

function sizeOfLabel(arrow: Arrow): Sized {
  const lines = labelLines(arrow).map(shown);
  return { width: Math.max(...lines.map((line) => line.length)) * WIDTH_OF_CHARACTER.label + 8, height: lines.length * LINE_HEIGHT };
}

function workspaceOf(workspace: string, box: Box | undefined): string {
  if (box === undefined) return '';
  const { x, y, width, height } = topLeft(box);
  const [top, tall] = [y - TITLE_HEIGHT, height + TITLE_HEIGHT];
  return [
    '<g>',
    `<title>${escaped(workspace)}</title>`,
    `<rect class="workspace" x="${px(x)}" y="${px(top)}" width="${px(width)}" height="${px(tall)}" rx="8"/>`,
    '</g>',
  ].join('');
}

function workspaceName(workspace: string, box: Box | undefined): string {
  if (box === undefined) return '';
  const { x, y, width } = topLeft(box);
  const most = Math.max(8, Math.floor((width - 12) / WIDTH_OF_CHARACTER.workspace));
  return `<text class="workspace-name" x="${px(x + 8)}" y="${px(y - TITLE_HEIGHT + 15)}">${escaped(shortened(plainText(workspace), most))}</text>`;
}

function drawType({ type, name, small, loop }: Shape, box: Box | undefined, nameOf: ReadonlyMap<string, string>): string {
  if (box === undefined) return '';
  const { x, y, width, height } = topLeft(box);
  const lines = small.map(
    (line, at) => `<text class="group" x="${px(box.x)}" y="${px(y + NAME_HEIGHT + 5 + LINE_HEIGHT * at)}">${escaped(shown(line))}</text>`,
  );
  return [
    ...(loop === undefined ? [] : [drawLoop(loop, { x: box.x, y: y + height }, nameOf)]),
    '<g>',
    `<title>${escaped(`${printGroupResource(type)} of ${type.workspace}`)}</title>`,
    `<rect class="type${type.inCycle ? ' cycle' : ''}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="6"/>`,
    `<text class="name" x="${px(box.x)}" y="${px(y + 19)}">${escaped(name)}</text>`,
    ...lines,
    '</g>',
  ].join('');
}

/** Its name is what stands in it, title and all. */
function linked({ type }: Shape, drawn: string, page: WithinPage | undefined): string {
  if (page === undefined) return drawn;
  const chosen = page.chosen === type.id ? ' class="chosen" aria-current="true"' : '';
  return `<a href="${escaped(page.linkTo(type))}"${chosen}>${drawn}</a>`;
}

/** An arrow from the lower edge of a type back to it, and its label below. */
function drawLoop(arrow: Arrow, { x, y }: Point, nameOf: ReadonlyMap<string, string>): string {
  const low = y + LOOP_HEIGHT * 1.2;
  const line = `M${px(x + 26)} ${px(y)} C${px(x + 26)} ${px(low)} ${px(x - 26)} ${px(low)} ${px(x - 26)} ${px(y)}`;
  return lineOf(arrow, line, nameOf) + labelOf(arrow, { x, y: y + LOOP_HEIGHT + sizeOfLabel(arrow).height / 2 });
}

/** The box of a type without that of its loop. */
function upperPart({ type, height, ownHeight }: Shape, box: Box | undefined): readonly (readonly [string, Box])[] {
  return box === undefined ? [] : [[type.id, { ...box, y: box.y - (height - ownHeight) / 2, height: ownHeight }]];
}

function lineOf({ from, to, references, inCycle, isIdle }: Arrow, line: string | undefined, nameOf: ReadonlyMap<string, string>): string {
  if (line === undefined) return '';
  const told = references
    .slice(0, MOST_TOLD)
    .map(({ rule, fieldPath, enforcement }) => `${fieldPath} (${enforcement}, rule ${rule.workspace}/${rule.name})`);
  const more = references.length > MOST_TOLD ? [`and ${String(references.length - MOST_TOLD)} more`] : [];
  const title = [`${nameOf.get(from) ?? ''} refers to ${nameOf.get(to) ?? ''}`, ...told, ...more].map(escaped).join('\n');
  const kinds = `arrow${inCycle ? ' cycle' : ''}${isIdle ? ' idle' : ''}`;
  return `<path class="${kinds}" d="${line}" marker-end="url(#${inCycle ? 'cycle-head' : 'head'})"><title>${title}</title></path>`;
}

function labelOf(arrow: Arrow, edge: Point | undefined): string {
  if (edge === undefined) return '';
  const { width, height } = sizeOfLabel(arrow);
  const lines = labelLines(arrow).map(
    (line, at) =>
      `<text class="label" x="${px(edge.x)}" y="${px(edge.y - height / 2 + LINE_HEIGHT * (at + 0.8))}">${escaped(shown(line))}</text>`,
  );
  const behind = `<rect class="behind" x="${px(edge.x - width / 2)}" y="${px(edge.y - height / 2)}" width="${px(width)}" height="${px(height)}" rx="3"/>`;
  return `<g>${behind}${lines.join('')}</g>`;
}

function legend({ types, references }: TypeGraph, bottom: number): string {
  const parts = [
    'arrow: refers to',
    ...(types.some(({ inCycle }) => inCycle) ? ['red, ↻: in a circle'] : []),
    ...(references.some(({ inForce }) => inForce === false) ? ['dashed: not in force'] : []),
    ...(references.some(({ enforcement }) => enforcement !== 'Deny') ? ['(Warn), (Audit): refuses nothing'] : []),
  ];
  return `<text class="legend" x="24" y="${px(bottom - 10)}">${parts.join(' · ')}</text>`;
}

function headOf(id: string, kind: string): string {
  return `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="head${kind}" d="M0 0 L10 5 L0 10 Z"/></marker>`;
}

function topLeft({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function shown(text: string): string {
  return shortened(plainText(text), MOST_CHARACTERS);
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** The text, or its beginning where it is longer. */
function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
