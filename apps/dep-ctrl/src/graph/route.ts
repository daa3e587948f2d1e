// The lines of a picture. Columns of boxes and labels stand side by side; a line crosses a column level, and rises and falls in the gaps between them
// only, so that it runs through no box. Pure.
import type { Box, Point } from './layout.js';

/** A line from one box to another, and the points between them, one a column. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly between: readonly Point[];
}

/** A line as SVG draws it, one for each link. */
export function routes(
  links: readonly Link[],
  { boxes, labels }: { readonly boxes: ReadonlyMap<string, Box>; readonly labels: readonly Box[] },
): readonly string[] {
  const halfWidth = columnsOf([...boxes.values(), ...labels]);
  const ports = portsOf(links, boxes);
  const lines = links.map(({ from, to, between }, at): readonly Level[] => {
    const [start, end] = ports[at] ?? [];
    const [a, b] = [boxes.get(from), boxes.get(to)];
    if (start === undefined || end === undefined || a === undefined || b === undefined) return [];
    const way = Math.sign(b.x - a.x) || 1;
    return [
      { from: start, to: { x: a.x + way * halfWidth(a.x), y: start.y } },
      ...between.map(({ x, y }) => ({ from: { x: x - way * halfWidth(x), y }, to: { x: x + way * halfWidth(x), y } })),
      { from: { x: b.x - way * halfWidth(b.x), y: end.y }, to: end },
    ];
  });
  const laneOf = lanesOf(lines);
  return lines.map((levels) => lineAlong(levels, laneOf));
}

/** The level part of a line, through one column. */
interface Level {
  readonly from: Point;
  readonly to: Point;
}

// Boxes of one column have the same middle.
function columnsOf(boxes: readonly Box[]): (x: number) => number {
  const halves = new Map<number, number>();
  for (const { x, width } of boxes) halves.set(Math.round(x), Math.max(halves.get(Math.round(x)) ?? 0, width / 2));
  return (x) => halves.get(Math.round(x)) ?? 0;
}

function lineAlong(levels: readonly Level[], laneOf: (after: Level) => number | undefined): string {
  const parts = levels.map((level, at) => {
    const before = levels[at - 1];
    const start = before === undefined ? `M${point(level.from)}` : riseTo(before, level, laneOf(before));
    return `${start} L${point(level.to)}`;
  });
  return parts.join(' ');
}

// The radius of a line's corners.
const ROUND = 8;

/** To the next level part: straight up or down in the lane, with round corners. */
function riseTo({ to: from }: Level, { from: to }: Level, lane = (from.x + to.x) / 2): string {
  const [way, rise] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  const round = Math.min(ROUND, Math.abs(to.y - from.y) / 2, Math.abs(lane - from.x), Math.abs(to.x - lane));
  const turn = (corner: Point, towards: Point): string => `Q${point(corner)} ${point(towards)}`;
  return [
    `L${point({ x: lane - way * round, y: from.y })}`,
    turn({ x: lane, y: from.y }, { x: lane, y: from.y + rise * round }),
    `L${point({ x: lane, y: to.y - rise * round })}`,
    turn({ x: lane, y: to.y }, { x: lane + way * round, y: to.y }),
    `L${point(to)}`,
  ].join(' ');
}

interface Rise {
  readonly after: Level;
  readonly left: Point;
  readonly right: Point;
}

/** Where in its gap the line rises or falls after a level part: each line elsewhere, and so that those of one direction do not cross. */
function lanesOf(lines: readonly (readonly Level[])[]): (after: Level) => number | undefined {
  const gaps = new Map<string, Rise[]>();
  for (const levels of lines) {
    levels.slice(1).forEach(({ from: next }, at) => {
      const after = levels[at];
      if (after === undefined || Math.abs(after.to.y - next.y) < 1) return;
      const [left, right] = after.to.x < next.x ? [after.to, next] : [next, after.to];
      const key = `${String(Math.round(left.x))} ${String(Math.round(right.x))}`;
      gaps.set(key, [...(gaps.get(key) ?? []), { after, left, right }]);
    });
  }
  const lanes = new Map<Level, number>();
  for (const rises of gaps.values()) {
    rises.toSorted(compareRises).forEach(({ after, left, right }, at) => {
      lanes.set(after, left.x + ((right.x - left.x) * (at + 1)) / (rises.length + 1));
    });
  }
  return (after) => lanes.get(after);
}

/** Of those that fall the lowest turns first, of those that rise the highest. */
function compareRises(a: Rise, b: Rise): number {
  const falls = (rise: Rise): boolean => rise.right.y > rise.left.y;
  if (falls(a) !== falls(b)) return falls(a) ? -1 : 1;
  return falls(a) ? b.left.y - a.left.y : a.left.y - b.left.y;
}

type Side = 'left' | 'right';

/** Lines that meet at one side of a box are spread over it, in the order of where they come from. */
function portsOf(links: readonly Link[], boxes: ReadonlyMap<string, Box>): readonly (readonly [Point, Point] | undefined)[] {
  const ends = links.map(({ from, to, between }) => {
    const [a, b] = [boxes.get(from), boxes.get(to)];
    if (a === undefined || b === undefined) return undefined;
    const isForward = a.x <= b.x;
    return {
      start: { box: from, side: isForward ? 'right' : 'left', towards: (between[0] ?? b).y },
      end: { box: to, side: isForward ? 'left' : 'right', towards: (between.at(-1) ?? a).y },
    } as const;
  });
  const sides = new Map<string, { readonly towards: number; readonly link: number; readonly which: 'start' | 'end' }[]>();
  ends.forEach((both, link) => {
    for (const which of ['start', 'end'] as const) {
      const end = both?.[which];
      if (end === undefined) continue;
      const key = `${end.box} ${end.side}`;
      sides.set(key, [...(sides.get(key) ?? []), { towards: end.towards, link, which }]);
    }
  });
  const portOf = (end: { readonly box: string; readonly side: Side } | undefined, link: number, which: 'start' | 'end'): Point => {
    const box = boxes.get(end?.box ?? '');
    const all = sides.get(`${end?.box ?? ''} ${end?.side ?? ''}`) ?? [];
    const order = all
      .toSorted((a, b) => a.towards - b.towards || a.link - b.link)
      .findIndex((each) => each.link === link && each.which === which);
    if (box === undefined) return { x: 0, y: 0 };
    const step = box.height / (all.length + 1);
    return { x: box.x + (end?.side === 'left' ? -1 : 1) * (box.width / 2), y: box.y - box.height / 2 + step * (order + 1) };
  };
  return ends.map((both, link) => (both === undefined ? undefined : [portOf(both.start, link, 'start'), portOf(both.end, link, 'end')]));
}

function point({ x, y }: Point): string {
  return `${String(Math.round(x * 10) / 10)} ${String(Math.round(y * 10) / 10)}`;
}
