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

/**
 * Visits the values that a JSON object or array and the paths have in common, at the next places where paths end or part. So a walk meets each
 * value of an object at most once, however many paths there are: whoever makes both must not hold up everybody else.
 */
export function stepInto<N>(node: object, { next }: TreeNode<N>, visit: (value: unknown, node: N) => void): void {
  if (next.size === 0) return;
  if (Array.isArray(node)) {
    const each = next.get(EACH);
    if (each !== undefined) for (const element of node) follow(element, each, each.from + 1, visit);
    return;
  }
  const fields = node as Readonly<Record<string, unknown>>;
  if (next.size > FEW) {
    for (const [key, value] of Object.entries(fields)) {
      const edge = next.get(key);
      if (edge !== undefined) follow(value, edge, edge.from + 1, visit);
    }
    return;
  }
  for (const [step, edge] of next) {
    if (typeof step === 'string' && Object.hasOwn(fields, step)) follow(fields[step], edge, edge.from + 1, visit);
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

function follow<N>(value: unknown, edge: Edge<N>, at: number, visit: (value: unknown, node: N) => void): void {
  const step = edge.steps[at];
  if (at === edge.to) visit(value, edge.node);
  else if (typeof value !== 'object' || value === null) return;
  else if (Array.isArray(value)) {
    if (step === EACH) for (const element of value) follow(element, edge, at + 1, visit);
  } else if (typeof step === 'string' && Object.hasOwn(value, step)) {
    follow((value as Readonly<Record<string, unknown>>)[step], edge, at + 1, visit);
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
