// Paths in one tree: what they begin with in common stands there once, and a rest that one path has alone is no more than its steps. So a tree
// is as large as there are paths, and not as they are long.
import { EACH, type PathStep } from './field-path.js';

/** Where paths end, or part. */
export interface TreeNode<N> {
  /** By the first step. */
  readonly next: Map<PathStep, Edge<N>>;
}

/** The steps `from` … `to` of a path, to the next place where something happens. */
export interface Edge<N> {
  readonly steps: readonly PathStep[];
  readonly from: number;
  readonly to: number;
  readonly node: N;
}

// Up to so many keys are asked for one by one; beyond, it costs less to go through those that the object has.
const FEW = 16;

/** What is done at a place where paths end or part; it yields where a piece of its work is done. */
export type Visit<N> = (value: unknown, node: N) => Iterable<void> | undefined;

// Some hundred microseconds.
const PIECE_ELEMENTS = 500;

/**
 * Visits the values that a JSON object or array and the paths have in common, at the next places where paths end or part. So a walk meets each
 * value of an object at most once, however many paths there are: an author of both must not hold up others. Yields within long arrays.
 */
export function* stepInto<N>(node: object, { next }: TreeNode<N>, visit: Visit<N>): Generator<void, void> {
  if (Array.isArray(node)) {
    const each = next.get(EACH);
    if (each !== undefined) yield* followAll(node, each, each.from + 1, visit);
    return;
  }
  const fields = node as Readonly<Record<PathStep, unknown>>;
  if (next.size > FEW) {
    for (const [key, value] of Object.entries(fields)) {
      const edge = next.get(key);
      if (edge !== undefined) yield* follow(value, edge, edge.from + 1, visit) ?? [];
    }
    return;
  }
  for (const [step, edge] of next) {
    if (Object.hasOwn(fields, step)) yield* follow(fields[step], edge, edge.from + 1, visit) ?? [];
  }
}

/** The node that the steps `from` … lead to, which `makeNode` makes where there is none. */
export function nodeAt<N extends TreeNode<N>>(start: N, steps: readonly PathStep[], from: number, to: number, makeNode: () => N): N {
  let node = start;
  for (let at = from; at < to;) {
    const step = steps[at];
    if (step === undefined) break;
    const edge = node.next.get(step);
    if (edge === undefined) {
      const made = makeNode();
      node.next.set(step, { steps, from: at, to, node: made });
      return made;
    }
    const shared = sharedLength(edge, steps, at, to);
    const common = edge.from + shared === edge.to ? edge : split(edge, edge.from + shared, makeNode());
    node.next.set(step, common);
    node = common.node;
    at += shared;
  }
  return node;
}

/** Undefined: all is done. Most values are at their place after a few keys. */
function follow<N>(start: unknown, edge: Edge<N>, from: number, visit: Visit<N>): Iterable<void> | undefined {
  let value = start;
  for (let at = from; ; at += 1) {
    if (at === edge.to) return visit(value, edge.node);
    const step = edge.steps[at];
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return step === EACH ? followAll(value, edge, at + 1, visit) : undefined;
    if (typeof step !== 'string' || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
}

function* followAll<N>(elements: readonly unknown[], edge: Edge<N>, at: number, visit: Visit<N>): Generator<void, void> {
  let count = 0;
  for (const element of elements) {
    const rest = follow(element, edge, at, visit);
    if (rest !== undefined) yield* rest;
    count += 1;
    if (count % PIECE_ELEMENTS === 0) yield;
  }
}

function sharedLength({ steps: known, from, to: end }: Edge<unknown>, steps: readonly PathStep[], at: number, to: number): number {
  const most = Math.min(end - from, to - at);
  let length = 1;
  while (length < most && known[from + length] === steps[at + length]) length += 1;
  return length;
}

/** The same steps with a node between them: the edge that leads to it. */
function split<N extends TreeNode<N>>(edge: Edge<N>, at: number, middle: N): Edge<N> {
  const step = edge.steps[at];
  if (step !== undefined) middle.next.set(step, { ...edge, from: at });
  return { ...edge, to: at, node: middle };
}
