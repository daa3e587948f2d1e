// Finds types that refer to each other in a circle. Nodes are types of an export's workspace, edges are rules; a cycle is a strongly connected set of types.

import { entryOf, groupResourceKey, stagesOf, type GroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule, RuleKey } from '../rules/rule.js';
import { isCluster, type PathAnswers } from './workspace-map.js';

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

const NO_EDGES: ReadonlySet<Edge> = new Set();

/** Every cycle of types, in stable order. Objects may still be free of cycles: this is a warning, not an error. */
export function dependencyCycles(rules: Iterable<Rule>, paths: PathAnswers): readonly TypeCycle[] {
  const nodes = new Map<string, TypeNode>();
  const edges = new Map<string, Set<Edge>>();
  for (const rule of rules) {
    const from = addNode(nodes, rule.cluster, rule.dependent);
    for (const dependency of rule.dependencies) {
      const to = addNode(nodes, workspaceOf(dependency.export.path, paths), dependency);
      entryOf(edges, from, () => new Set<Edge>()).add({ to, rule: rule.key });
    }
  }
  const stages = stagesOf([...nodes.keys()].toSorted(), edges);
  return stages.toReversed().flatMap((keys) => cycleOf(keys, nodes, edges));
}

function addNode(nodes: Map<string, TypeNode>, workspace: string, { group, resource }: GroupResource): string {
  const key = `${workspace}/${groupResourceKey({ group, resource })}`;
  nodes.set(key, { workspace, group, resource });
  return key;
}

function workspaceOf(path: WorkspacePath, paths: PathAnswers): string {
  const cluster = paths.clusterOf(path);
  return isCluster(cluster) ? cluster : path;
}

/** A component as a cycle; a single type that does not refer to itself is none. */
function cycleOf(
  keys: readonly string[],
  nodes: ReadonlyMap<string, TypeNode>,
  edges: ReadonlyMap<string, ReadonlySet<Edge>>,
): readonly TypeCycle[] {
  const inside = new Set(keys);
  const rules = new Set(
    keys.flatMap((key) => [...(edges.get(key) ?? NO_EDGES)].filter(({ to }) => inside.has(to)).map(({ rule }) => rule)),
  );
  if (rules.size === 0) return [];
  return [{ types: keys.toSorted().flatMap((key) => nodes.get(key) ?? []), rules: [...rules].toSorted() }];
}
