// The consent of a guard: which of the rules that name its workspace guard it.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from '../rules/guard.js';
import { compareMatches, type Rule, type RuleMatch } from '../rules/rule.js';
import { isCluster, type PathAnswers } from './workspace-map.js';

/** The rules about resources of one workspace. */
export interface GuardedWorkspace {
  readonly cluster: LogicalClusterName;
  /** Rules that guard, sorted by rule and position. */
  readonly matches: readonly RuleMatch[];
  /** Rules that name the workspace, but its guard does not admit them. */
  readonly refused: readonly RuleMatch[];
}

/** Whether a guard admits a rule. */
export type Admits = (rule: Pick<Rule, 'cluster' | 'key'>) => boolean;

/** One workspace and the rules that name it. */
export interface GuardedWorkspaceInput {
  readonly cluster: LogicalClusterName;
  readonly admits: Admits;
  readonly matches: readonly RuleMatch[];
}

/** Splits the rules that name a workspace by its consent. A rule is asked for once, however many dependencies it has. */
export function guardedWorkspace({ cluster, admits, matches }: GuardedWorkspaceInput): GuardedWorkspace {
  const sorted = matches.toSorted(compareMatches);
  const admitted = new Set([...new Set(sorted.map(({ rule }) => rule))].filter(admits));
  return {
    cluster,
    matches: sorted.filter(({ rule }) => admitted.has(rule)),
    refused: sorted.filter(({ rule }) => !admitted.has(rule)),
  };
}

/**
 * Which rules the consent of a guard admits: its paths are resolved once, then clusters are compared. A path that cannot be resolved admits no rule, and
 * meanwhile no rule is dropped that the guard's status names: not knowing neither widens a consent nor narrows it.
 */
export function admission(guard: Guard | undefined, paths: PathAnswers): Admits {
  if (guard === undefined || guard.allowRulesFrom === 'everyone') return () => true;
  const resolved = guard.allowRulesFrom.map((path: WorkspacePath) => paths.clusterOf(path));
  const clusters = new Set<string>([guard.cluster, ...resolved.filter(isCluster)]);
  const named = resolved.includes('unknown') ? new Set(guard.ruleRefs.map(({ key }) => key)) : undefined;
  return ({ cluster, key }) => clusters.has(cluster) || (named?.has(key) ?? false);
}
