// Which rules guard what, as one pure function that every role asks: paths resolved to clusters, consent applied.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from './guard.js';
import { compareMatches, type Rule, type RuleMatch } from './rule.js';
import type { PathAnswers } from './workspace-map.js';

/** What there is to decide from. */
export interface EffectiveRulesInput {
  readonly rules: Iterable<Rule>;
  readonly guards: ReadonlyMap<LogicalClusterName, Guard>;
  readonly paths: PathAnswers;
}

/** The rules about resources of one workspace. */
export interface GuardedWorkspace {
  readonly cluster: LogicalClusterName;
  /** Rules that guard, sorted by rule and position. */
  readonly matches: readonly RuleMatch[];
  /** Rules that name the workspace, but its guard does not admit them. */
  readonly refused: readonly RuleMatch[];
}

/** Every rule's dependencies, each in exactly one of the three, but once for every cluster that a path may name. */
export interface EffectiveRules {
  readonly guarded: ReadonlyMap<LogicalClusterName, GuardedWorkspace>;
  /** Their path could not be resolved yet: they count for every cluster, and nothing is installed for them. */
  readonly unresolved: readonly RuleMatch[];
  /** Their path is proven to name no workspace: they guard nothing. */
  readonly missing: readonly RuleMatch[];
}

/** Applies paths and consent to all rules. The order of the rules is irrelevant. */
export function effectiveRules({ rules, guards, paths }: EffectiveRulesInput): EffectiveRules {
  const named = new Map<LogicalClusterName, RuleMatch[]>();
  const unresolved: RuleMatch[] = [];
  const missing: RuleMatch[] = [];
  for (const rule of rules) {
    for (const dependency of rule.dependencies) {
      const match = { rule, dependency };
      const clusters = paths.clustersOf(dependency.export.path);
      if (clusters === undefined) unresolved.push(match);
      else if (clusters.length === 0) missing.push(match);
      for (const cluster of clusters ?? []) {
        const matches = named.get(cluster);
        if (matches === undefined) named.set(cluster, [match]);
        else matches.push(match);
      }
    }
  }
  return {
    guarded: new Map(
      [...named].map(([cluster, matches]) => [cluster, guardedWorkspace({ cluster, guard: guards.get(cluster), matches, paths })]),
    ),
    unresolved: unresolved.toSorted(compareMatches),
    missing: missing.toSorted(compareMatches),
  };
}

/** One workspace and the rules that name it. */
export interface GuardedWorkspaceInput {
  readonly cluster: LogicalClusterName;
  readonly guard: Guard | undefined;
  readonly matches: readonly RuleMatch[];
  readonly paths: PathAnswers;
}

/** Splits the rules that name a workspace by its consent. */
export function guardedWorkspace({ cluster, guard, matches, paths }: GuardedWorkspaceInput): GuardedWorkspace {
  const sorted = matches.toSorted(compareMatches);
  const admitted = (match: RuleMatch) => admits(guard, match.rule, paths);
  return {
    cluster,
    matches: sorted.filter((match) => admitted(match)),
    refused: sorted.filter((match) => !admitted(match)),
  };
}

/**
 * Whether a guard admits a rule. A consented path that nobody could resolve yet admits every rule whose workspace may be the one it
 * names: a rule is rather obeyed for a moment too long than dropped without knowing.
 */
export function admits(guard: Guard | undefined, rule: Pick<Rule, 'cluster'>, paths: PathAnswers): boolean {
  if (guard === undefined || guard.allowRulesFrom === 'everyone' || guard.cluster === rule.cluster) return true;
  return guard.allowRulesFrom.some((path) => {
    const clusters = paths.clustersOf(path);
    return clusters === undefined ? couldName(path, paths.pathOf(rule.cluster)) : clusters.includes(rule.cluster);
  });
}

/** Whether a path may name the workspace that kcp calls `known`. Only paths from the root are spelled in one way. */
function couldName(path: WorkspacePath, known: WorkspacePath | undefined): boolean {
  if (known === undefined || path === known) return true;
  return !(path.startsWith('root:') && known.startsWith('root:'));
}
