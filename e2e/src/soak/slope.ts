// How fast something rises, and how sure that is: a straight line through the points by least squares. What a process uses now depends on what
// it used a moment ago, so that points tell less than their number says; the interval is widened by how alike neighbours are.

/** One value at one time. */
export interface Point {
  readonly second: number;
  readonly value: number;
}

/** With 95 % certainty the true slope lies between `perHour - margin` and `perHour + margin`. */
export interface Slope {
  readonly perHour: number;
  readonly margin: number;
}

// A line and how far points are off it take three points; with fewer than this the margin says nothing.
const FEWEST = 8;
const HOUR_S = 3_600;
// Neighbours that are as good as equal would leave less than one independent point of twenty.
const MOST_ALIKE = 0.9;

/** The slope; undefined where there are too few points to say one. */
export function slopeOf(points: readonly Point[]): Slope | undefined {
  const count = points.length;
  const middle = { second: mean(points.map(({ second }) => second)), value: mean(points.map(({ value }) => value)) };
  const spread = sum(points.map(({ second }) => (second - middle.second) ** 2));
  if (count < FEWEST || spread === 0) return undefined;
  const perSecond = sum(points.map(({ second, value }) => (second - middle.second) * (value - middle.value))) / spread;
  const off = points.map(({ second, value }) => value - middle.value - perSecond * (second - middle.second));
  const alike = likenessOf(off);
  // So many points without likeness would tell as much (Santer and others, 2000).
  const freedom = Math.max(1, (count * (1 - alike)) / (1 + alike) - 2);
  const error = Math.sqrt(sum(off.map((each) => each ** 2)) / freedom / spread);
  return { perHour: perSecond * HOUR_S, margin: studentOf(freedom) * error * HOUR_S };
}

/** How much a value tells about the next one: 0 nothing, towards 1 everything. */
function likenessOf(off: readonly number[]): number {
  const all = sum(off.map((each) => each ** 2));
  if (all === 0) return 0;
  const neighbours = sum(off.slice(1).map((each, at) => each * (off[at] ?? 0)));
  return Math.min(MOST_ALIKE, Math.max(0, neighbours / all));
}

/** How many standard errors 95 % takes with so many degrees of freedom: Student's t by the expansion of Cornish and Fisher. */
function studentOf(freedom: number): number {
  const z = 1.96;
  const steps = [(z ** 3 + z) / 4, (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96, (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384];
  return steps.reduce((t, step, at) => t + step / freedom ** (at + 1), z);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
}
