// What uninstall takes away, decided from what was listed. Pure.
import { clusterOf, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, parseGuard } from '@dep-ctrl/rule-registry';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { saysLookedAfter } from '../own-objects/conditions.js';
import { isHeld } from '../controller/guard/guard-objects.js';

/** One thing to do in one workspace. */
export interface Removal {
  readonly cluster: LogicalClusterName;
  /**
   * `delete-admission`: rules and guards are checked as they are written until it is gone. `delete-configuration`: it refuses deletes until it is gone. `delete-guard`: we made it. `release-guard`: the provider wrote it, only our finalizer
   * goes, and its status says that nobody looks after it. `mark-rule`: it is its author's, and its status says that nothing is held for it.
   * `delete-right`: a ClusterRole or ClusterRoleBinding of this installation on a shard.
   */
  readonly action: 'delete-admission' | 'delete-configuration' | 'delete-guard' | 'release-guard' | 'mark-rule' | 'delete-right';
  readonly object: KubeObject;
}

/** What was listed in one place. */
export interface Listed {
  readonly configurations: readonly KubeObject[];
  readonly guards: readonly KubeObject[];
  readonly rules: readonly KubeObject[];
}

/** Everything that this installation put into other workspaces, configurations first: a guard is what lets us come back for them. */
export function planRemoval({ configurations, guards, rules }: Listed, owner: LogicalClusterName): readonly Removal[] {
  return [
    ...ownConfigurations(configurations, owner),
    ...guards.flatMap(guardRemoval),
    ...rules.filter(saysLookedAfter).flatMap((rule) => inCluster(rule, 'mark-rule')),
  ];
}

/** The configurations of this installation among others of their kind. */
export function ownConfigurations(configurations: readonly KubeObject[], owner: LogicalClusterName): readonly Removal[] {
  return configurations
    .filter(({ metadata }) => metadata.name === GUARD_NAME && metadata.labels?.[OWNER_LABEL] === owner)
    .flatMap((object) => inCluster(object, 'delete-configuration'));
}

function guardRemoval(guard: KubeObject): readonly Removal[] {
  const parsedGuard = parseGuard(guard);
  // A spec that cannot be read was written by somebody.
  const isOurs = parsedGuard.ok && !parsedGuard.value.madeByProvider;
  if (isOurs) return inCluster(guard, 'delete-guard');
  return isHeld(guard) || saysLookedAfter(guard) ? inCluster(guard, 'release-guard') : [];
}

function inCluster(object: KubeObject, action: Removal['action']): readonly Removal[] {
  const cluster = clusterOf(object);
  return cluster.ok ? [{ cluster: cluster.value, action, object }] : [];
}
