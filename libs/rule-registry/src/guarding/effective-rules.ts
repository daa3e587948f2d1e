// Which rules guard what: paths resolved to clusters, consent applied. The registry answers for one workspace from indexes; `effectiveRules`
// says the same for all at once, from a snapshot.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from '../rules/guard.js';
import { compareMatches, type Rule, type RuleMatch } from '../rules/rule.js';
import type { PathAnswers } from './workspace-map.js';

/** What there is to decide from. */
export interface EffectiveRulesInput {
  /** The rules in force: within the quota of their author. */
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

/** Every rule's dependencies, each in exactly one of the three. */
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
      const cluster = paths.clusterOf(dependency.export.path);
      if (cluster === 'unknown') unresolved.push(match);
      else if (cluster === 'missing') missing.push(match);
      else {
        const matches = named.get(cluster);
        if (matches === undefined) named.set(cluster, [match]);
        else matches.push(match);
      }
    }
  }
  return {
    guarded: new Map(
      [...named].map(([cluster, matches]) => [
        cluster,
        guardedWorkspace({ cluster, admits: admission(guards.get(cluster), paths), matches }),
      ]),
    ),
    unresolved: unresolved.toSorted(compareMatches),
    missing: missing.toSorted(compareMatches),
  };
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
 * What the consent of a guard comes to: its paths resolved once, then clusters are compared. While one of its paths cannot be resolved,
 * nobody is admitted for it, and no rule is let go that the guard's status names: not knowing neither widens a consent nor narrows it.
 */
export function admission(guard: Guard | undefined, paths: PathAnswers): Admits {
  if (guard === undefined || guard.allowRulesFrom === 'everyone') return () => true;
  const resolved = guard.allowRulesFrom.map((path: WorkspacePath) => paths.clusterOf(path));
  const clusters = new Set<string>([guard.cluster, ...resolved.filter((cluster) => cluster !== 'unknown' && cluster !== 'missing')]);
  const named = resolved.includes('unknown') ? new Set(guard.ruleRefs.map(({ key }) => key)) : undefined;
  return ({ cluster, key }) => clusters.has(cluster) || (named?.has(key) ?? false);
}
