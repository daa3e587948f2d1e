// Decides from lists what uninstall removes. Pure.
import { clusterOf, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, parseGuard } from '@dep-ctrl/rule-registry';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { saysLookedAfter } from '../own-objects/conditions.js';
import { isHeld } from '../controller/guard/guard-objects.js';

/** One thing to do in one workspace. */
export interface Removal {
  readonly cluster: LogicalClusterName;
  /**
   * `delete-admission`: the configuration that makes kcp check rules and guards. `delete-configuration`: it refuses deletes until it is gone.
   * `delete-guard`: a guard that we made. `release-guard`: a guard of the provider; only our finalizer goes, and its status says so. `mark-rule`: a rule
   * stays with its author; its status says that it is not in force. `delete-right`: a ClusterRole or ClusterRoleBinding of this installation on a shard.
   * `delete-protection`: a policy in root, or its binding, that keeps the workspace of dep-ctrl from being deleted. `delete-type`: the WorkspaceType of the
   * ordered teardown.
   */
  readonly action:
    | 'delete-admission'
    | 'delete-configuration'
    | 'delete-guard'
    | 'release-guard'
    | 'mark-rule'
    | 'delete-right'
    | 'delete-protection'
    | 'delete-type';
  readonly object: KubeObject;
}

/** What was listed in one place. */
export interface Listed {
  readonly configurations: readonly KubeObject[];
  readonly guards: readonly KubeObject[];
  readonly rules: readonly KubeObject[];
}

/** Everything that this installation wrote into other workspaces. Configurations come first: as long as a guard stays, we can return for them. */
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
  // A spec that cannot be read was written by the provider.
  const isOurs = parsedGuard.ok && !parsedGuard.value.madeByProvider;
  if (isOurs) return inCluster(guard, 'delete-guard');
  return isHeld(guard) || saysLookedAfter(guard) ? inCluster(guard, 'release-guard') : [];
}

function inCluster(object: KubeObject, action: Removal['action']): readonly Removal[] {
  const cluster = clusterOf(object);
  return cluster.ok ? [{ cluster: cluster.value, action, object }] : [];
}
