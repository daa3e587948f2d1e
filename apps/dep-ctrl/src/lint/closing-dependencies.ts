// Finds the dependencies of rules that close a circle of types, among all rules that are given. (The check at admission starts at one rule and is
// bounded.) Pure.
import { groupResourceKey, type GroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { dependencyCycles, type PathAnswers, type Rule, type TypeCycle, type TypeNode } from '@dep-ctrl/rule-registry';

/** Answers whether a dependency of a rule is part of a circle. */
export type ClosesCycle = (rule: Rule, index: number) => boolean;

/** The circles among all rules. */
export interface RuleCycles {
  readonly cycles: readonly TypeCycle[];
  readonly closes: ClosesCycle;
}

/** Looks for circles. */
export function cyclesAmong(rules: readonly Rule[], paths: PathAnswers): RuleCycles {
  const cycles = dependencyCycles(rules, paths);
  const cycleOf = new Map(cycles.flatMap((cycle, at) => cycle.types.map((type) => [nodeKey(type), at] as const)));
  const closes: ClosesCycle = (rule, index) => {
    const dependency = rule.dependencies.find((each) => each.index === index);
    const from = cycleOf.get(nodeKey(dependentNode(rule)));
    return dependency !== undefined && from !== undefined && from === cycleOf.get(nodeKey(dependencyNode(dependency, paths)));
  };
  return { cycles, closes };
}

/** The type of a rule's dependents. */
export function dependentNode({ cluster, dependent: { group, resource } }: Pick<Rule, 'cluster' | 'dependent'>): TypeNode {
  return { workspace: cluster, group, resource };
}

/** The type that a dependency names: in its workspace, or at its path if the workspace is not known. */
export function dependencyNode(
  { export: target, group, resource }: GroupResource & { readonly export: { readonly path: WorkspacePath } },
  paths: PathAnswers,
): TypeNode {
  const cluster = paths.clusterOf(target.path);
  return { workspace: cluster === 'unknown' || cluster === 'missing' ? target.path : cluster, group, resource };
}

/** One string per type. */
export function nodeKey({ workspace, ...type }: TypeNode): string {
  return `${workspace}/${groupResourceKey(type)}`;
}
