// Which rules guard what, for all workspaces at once and without an index: the law that the registry is held to.

import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { admission, guardedWorkspace, type GuardedWorkspace } from '../guarding/consent.js';
import type { RegistrySnapshot } from '../registry/registry-reader.js';
import type { RuleMatch } from '../rules/rule.js';

/** The rules by the workspace that they guard, and the paths of the others, which are not resolved yet. */
export interface EffectiveRules {
  readonly guarded: ReadonlyMap<LogicalClusterName, GuardedWorkspace>;
  readonly unresolved: ReadonlySet<string>;
}

/** Applies paths and consent to all rules. */
export function effectiveRules({ rules, guards, paths }: RegistrySnapshot): EffectiveRules {
  const matches: readonly RuleMatch[] = [...rules].flatMap((rule) => rule.dependencies.map((dependency) => ({ rule, dependency })));
  const clusterOf = ({ dependency }: RuleMatch) => paths.clusterOf(dependency.export.path);
  const unresolved = matches.filter((match) => clusterOf(match) === 'unknown');
  const clusters = new Set(matches.map(clusterOf).flatMap((cluster) => (cluster === 'unknown' || cluster === 'missing' ? [] : [cluster])));
  return {
    guarded: new Map(
      [...clusters].map((cluster) => {
        const admits = admission(guards.get(cluster), paths);
        return [cluster, guardedWorkspace({ cluster, admits, matches: matches.filter((match) => clusterOf(match) === cluster) })];
      }),
    ),
    unresolved: new Set(unresolved.map(({ dependency }) => dependency.export.path)),
  };
}
