// Finds types that refer to each other in a circle. Nodes are types of an export's workspace, edges are rules; a cycle is a strongly connected set of types
// (Tarjan's algorithm, with its own stack, so that long chains cannot overflow the call stack).

import { groupResourceKey, type GroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule, RuleKey } from '../rules/rule.js';
import type { PathAnswers } from './workspace-map.js';

/** A type as a node of the picture: the workspace that exports it (its cluster, or its path while that is unresolved) and its name. */
export interface TypeNode extends GroupResource {
  readonly workspace: string;
}

/** Types that refer to each other in a circle, or one that refers to itself. */
export interface TypeCycle {
  /** Sorted. */
  readonly types: readonly TypeNode[];
  /** The rules that close the circle, sorted. */
  readonly rules: readonly RuleKey[];
}

interface Edge {
  readonly to: string;
  readonly rule: RuleKey;
}

/** Every cycle of types, in stable order. Objects may still be free of cycles: this is a warning, not an error. */
export function dependencyCycles(rules: Iterable<Rule>, paths: PathAnswers): readonly TypeCycle[] {
  const nodes = new Map<string, TypeNode>();
  const edges = new Map<string, Edge[]>();
  for (const rule of rules) {
    const from = addNode(nodes, rule.cluster, rule.dependent);
    for (const dependency of rule.dependencies) {
      const to = addNode(nodes, workspaceOf(dependency.export.path, paths), dependency);
      const known = edges.get(from);
      if (known === undefined) edges.set(from, [{ to, rule: rule.key }]);
      else known.push({ to, rule: rule.key });
    }
  }
  return stronglyConnected([...nodes.keys()].toSorted(), edges).flatMap((keys) => cycleOf(keys, nodes, edges));
}

function addNode(nodes: Map<string, TypeNode>, workspace: string, { group, resource }: GroupResource): string {
  const key = `${workspace}/${groupResourceKey({ group, resource })}`;
  nodes.set(key, { workspace, group, resource });
  return key;
}

function workspaceOf(path: WorkspacePath, paths: PathAnswers): string {
  const cluster = paths.clusterOf(path);
  return cluster === 'unknown' || cluster === 'missing' ? path : cluster;
}

/** A component as a cycle; a single type that does not refer to itself is none. */
function cycleOf(
  keys: readonly string[],
  nodes: ReadonlyMap<string, TypeNode>,
  edges: ReadonlyMap<string, readonly Edge[]>,
): readonly TypeCycle[] {
  const inside = new Set(keys);
  const rules = new Set(keys.flatMap((key) => (edges.get(key) ?? []).filter(({ to }) => inside.has(to)).map(({ rule }) => rule)));
  if (rules.size === 0) return [];
  return [{ types: keys.toSorted().flatMap((key) => nodes.get(key) ?? []), rules: [...rules].toSorted() }];
}

interface Visit {
  readonly key: string;
  readonly index: number;
  /** The smallest index on the stack that can be reached from here. */
  low: number;
  /** The next edge to follow. */
  next: number;
}

function stronglyConnected(keys: readonly string[], edges: ReadonlyMap<string, readonly Edge[]>): readonly (readonly string[])[] {
  const indexOf = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];
  for (const start of keys) {
    const visits = indexOf.has(start) ? [] : [visit(start)];
    for (let current = visits.at(-1); current !== undefined; current = visits.at(-1)) {
      const edge = edges.get(current.key)?.[current.next++];
      if (edge === undefined) {
        visits.pop();
        const parent = visits.at(-1);
        if (parent !== undefined) parent.low = Math.min(parent.low, current.low);
        if (current.low === current.index) components.push(popComponent(current.key));
      } else if (!indexOf.has(edge.to)) {
        visits.push(visit(edge.to));
      } else if (onStack.has(edge.to)) {
        current.low = Math.min(current.low, indexOf.get(edge.to) ?? current.low);
      }
    }
  }
  return components;

  function visit(key: string): Visit {
    const index = indexOf.size;
    indexOf.set(key, index);
    onStack.add(key);
    stack.push(key);
    return { key, index, low: index, next: 0 };
  }

  function popComponent(root: string): string[] {
    const component = stack.splice(stack.lastIndexOf(root));
    for (const key of component) onStack.delete(key);
    return component;
  }
}
