// Nodes of a graph in order: strongly connected sets by Tarjan's algorithm, with its own stack, so that long chains cannot overflow the call stack.

/** An edge from the node that it belongs to. */
export interface EdgeTo {
  readonly to: string;
}

const NO_EDGES: ReadonlySet<EdgeTo> = new Set();

interface Visit {
  readonly key: string;
  readonly index: number;
  /** The smallest index on the stack that can be reached from here. */
  low: number;
  /** The edges that are not followed yet. */
  readonly ahead: Iterator<EdgeTo>;
}

/**
 * Nodes in an order that edges follow: who refers comes before what it refers to. Nodes that refer to each other in a circle are one stage. The same nodes
 * and edges in the same order give the same stages.
 */
export function stagesOf(keys: readonly string[], edges: ReadonlyMap<string, ReadonlySet<EdgeTo>>): readonly (readonly string[])[] {
  const indexOf = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];
  for (const start of keys) {
    if (indexOf.has(start)) continue;
    const visits = [visit(start)];
    for (let current = visits.at(-1); current !== undefined; current = visits.at(-1)) {
      const edge = current.ahead.next();
      if (edge.done === true) {
        visits.pop();
        const parent = visits.at(-1);
        if (parent !== undefined) parent.low = Math.min(parent.low, current.low);
        if (current.low === current.index) components.push(popComponent(current.key));
      } else if (!indexOf.has(edge.value.to)) {
        visits.push(visit(edge.value.to));
      } else if (onStack.has(edge.value.to)) {
        current.low = Math.min(current.low, indexOf.get(edge.value.to) ?? current.low);
      }
    }
  }
  // Tarjan's algorithm finds what is referred to first.
  return components.toReversed();

  function visit(key: string): Visit {
    const index = indexOf.size;
    indexOf.set(key, index);
    onStack.add(key);
    stack.push(key);
    return { key, index, low: index, ahead: (edges.get(key) ?? NO_EDGES).values() };
  }

  function popComponent(root: string): string[] {
    const component = stack.splice(stack.lastIndexOf(root));
    for (const key of component) onStack.delete(key);
    return component;
  }
}
