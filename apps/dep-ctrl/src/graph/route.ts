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
  const ends = links.map((link) => endsOf(link, boxes));
  const all = ends.filter((both) => both !== undefined).flat();
  const lines = links.map(({ between }, at): readonly Level[] => {
    const both = ends[at];
    if (both === undefined) return [];
    const [a, b] = both;
    const [start, end] = [portOf(a, all), portOf(b, all)];
    return [
      { from: start, to: { x: a.box.x + a.way * halfWidth(a.box.x), y: start.y } },
      ...between.map(({ x, y }) => ({ from: { x: x - a.way * halfWidth(x), y }, to: { x: x + a.way * halfWidth(x), y } })),
      { from: { x: b.box.x + b.way * halfWidth(b.box.x), y: end.y }, to: end },
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

/** Where a line meets a box. */
interface End {
  readonly box: Box;
  /** The side of the box: 1 is the right one, -1 the left one. */
  readonly way: 1 | -1;
  /** The height at which the line goes on. */
  readonly towards: number;
}

function endsOf({ from, to, between }: Link, boxes: ReadonlyMap<string, Box>): readonly [End, End] | undefined {
  const [a, b] = [boxes.get(from), boxes.get(to)];
  if (a === undefined || b === undefined) return undefined;
  const isForward = a.x <= b.x;
  return [
    { box: a, way: isForward ? 1 : -1, towards: (between[0] ?? b).y },
    { box: b, way: isForward ? -1 : 1, towards: (between.at(-1) ?? a).y },
  ];
}

/** Lines that meet at one side of a box are spread over it, in the order of where they come from. */
function portOf(end: End, all: readonly End[]): Point {
  const { box, way } = end;
  const order = all.filter((each) => each.box === box && each.way === way).toSorted((a, b) => a.towards - b.towards);
  const step = box.height / (order.length + 1);
  return { x: box.x + (way * box.width) / 2, y: box.y - box.height / 2 + step * (order.indexOf(end) + 1) };
}

function point({ x, y }: Point): string {
  return `${String(Math.round(x * 10) / 10)} ${String(Math.round(y * 10) / 10)}`;
}
