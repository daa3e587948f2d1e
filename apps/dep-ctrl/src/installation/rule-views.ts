// Every rule: what its status says, and whether the configurations of its targets hold it. Pure.
import { groupResourceKey, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { isRejected, ruleInForce, ruleKeyOf, type Condition, type RuleTarget } from '@dep-ctrl/rule-registry';
import { guardedBy } from '../controller/configuration/desired-webhooks.js';
import { conditionsIn, READY } from '../own-objects/conditions.js';
import { inForceByCondition, weaker, type InForce } from '../own-objects/in-force.js';
import type { InstallationFacts } from './facts.js';
import { allOf, knownRules } from './known-rules.js';
import { isWhole, workspaceNames, type Provider } from './providers.js';

/** One rule. */
export interface RuleView {
  readonly cluster: LogicalClusterName;
  /** The workspace that it is in. */
  readonly workspace: string;
  readonly name: string;
  readonly ready: Condition | undefined;
  /** Whether the controller has looked at it as it is now. */
  readonly isSeen: boolean;
  readonly createdAt: string;
  /** As its condition says, and no more than the configurations of its targets hold. */
  readonly inForce: InForce;
  /** What cannot be read in it. */
  readonly problems: readonly string[];
  readonly targets: readonly RuleTarget[];
  /** The paths of its targets at which kcp has no workspace. */
  readonly lost: readonly string[];
  /** The workspaces that it names, as far as their paths are known. */
  readonly guarded: readonly LogicalClusterName[];
}

/** All rules, in the order of their workspaces and names. */
export function ruleViews(installation: InstallationFacts, providers: readonly Provider[]): readonly RuleView[] {
  const { shards, paths } = installation;
  const registry = knownRules(shards, paths);
  const isKnown = isWhole(installation);
  const nameOf = workspaceNames(providers, installation);
  return allOf(shards, 'rules')
    .map(({ cluster, object }): RuleView => {
      const { name = '', generation = 0, creationTimestamp: createdAt = '' } = object.metadata;
      const key = ruleKeyOf(cluster, name);
      const report = registry.rule(key);
      const rule = report === undefined || registry.isOverQuota(key) ? undefined : ruleInForce(report);
      const status = (object['status'] ?? {}) as { readonly observedGeneration?: number; readonly targets?: readonly RuleTarget[] };
      const held = (rule?.dependencies ?? []).map(({ export: { path }, ...type }) =>
        holdsType(registry.paths.clusterOf(path), groupResourceKey(type), { providers, isKnown }),
      );
      const rejected = report !== undefined && isRejected(report) ? report : undefined;
      return {
        cluster,
        workspace: nameOf(cluster),
        name,
        ready: conditionsIn(object).find(({ type }) => type === READY),
        isSeen: status.observedGeneration === generation,
        createdAt,
        inForce: weaker(inForceByCondition(object), sumUp([...held, ...(rejected?.unreadable ?? []).map(() => 'no' as const)])),
        problems: (rejected?.problems ?? []).map(({ path, message }) => `${path}: ${message}`),
        targets: status.targets ?? [],
        lost: (status.targets ?? [])
          .map(({ path }) => path)
          .filter((path) => registry.paths.clusterOf(path as WorkspacePath) === 'missing'),
        guarded: (report === undefined ? [] : (ruleInForce(report)?.dependencies ?? [])).flatMap(({ export: { path } }) => {
          const target = registry.paths.clusterOf(path);
          return target === 'missing' || target === 'unknown' ? [] : [target];
        }),
      };
    })
    .sort((a, b) => (`${a.workspace}/${a.name}` < `${b.workspace}/${b.name}` ? -1 : 1));
}

type Held = 'yes' | 'no' | 'unknown';

function holdsType(
  target: LogicalClusterName | 'missing' | 'unknown',
  type: string,
  { providers, isKnown }: { readonly providers: readonly Provider[]; readonly isKnown: boolean },
): Held {
  const provider = providers.find(({ cluster }) => cluster === target);
  if (target === 'unknown' || (provider?.configuration === undefined && !isKnown)) return 'unknown';
  if (provider?.configurationState.state === 'unknown' && provider.configuration === undefined) return 'unknown';
  if (provider?.configuration === undefined || provider.configurationState.state === 'foreign') return 'no';
  return guardedBy(provider.configuration).some((each) => groupResourceKey(each) === type) ? 'yes' : 'no';
}

function sumUp(held: readonly Held[]): InForce {
  if (held.includes('unknown')) return 'unknown';
  if (!held.includes('yes')) return 'no';
  return held.includes('no') ? 'partly' : 'yes';
}
