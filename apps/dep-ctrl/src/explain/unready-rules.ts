// Rules about an object whose status is not ready. They may be the only reason why a delete goes through: kcp does not call the webhook for a rule
// without a configuration. Pure.
import { printGroupResource, type GroupResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { RegistrySnapshot, Rule } from '@dep-ctrl/rule-registry';
import { conditionsIn, READY } from '../own-objects/conditions.js';
import type { SeenObjects } from '../rules/watched-objects.js';
import { ruleName } from '../telemetry/rule-series.js';

/** A rule whose status says that it is not ready, or that has no status. */
export interface UnreadyRule {
  /** As blockers name their rules. */
  readonly rule: string;
  /** Whether a controller has looked at it. */
  readonly isSeen: boolean;
  /** Whether no configuration is installed for it: kcp calls no webhook. */
  readonly isNotInstalled: boolean;
  /** For people. */
  readonly text: string;
}

const NOT_INSTALLED: ReadonlySet<string> = new Set(['NotBound', 'ClaimNotAccepted', 'Uninstalled', 'OverQuota', 'NoRoom']);

/**
 * The rules about a type whose status is missing or not ready. Also those that name the type and do not count for it, because their path leads nowhere or the
 * guard does not admit them.
 */
export function unreadyRules(
  rules: readonly Rule[],
  { seen, paths }: { readonly seen: Pick<SeenObjects, 'get'>; readonly paths: Pick<RegistrySnapshot['paths'], 'pathOf'> },
): readonly UnreadyRule[] {
  return rules.flatMap(({ cluster, name }): readonly UnreadyRule[] => {
    const ready = readyOf(seen, cluster, name);
    if (ready !== undefined && ready.status !== 'False') return [];
    const path = paths.pathOf(cluster);
    const rule = ruleName({ cluster, name, ...(path !== undefined && { path }) });
    if (ready === undefined)
      return [{ rule, isSeen: false, isNotInstalled: false, text: `rule ${rule} has no status: no controller has looked at it` }];
    const text = `rule ${rule} is not ready (${ready.reason}): ${ready.message}`;
    return [{ rule, isSeen: true, isNotInstalled: NOT_INSTALLED.has(ready.reason), text }];
  });
}

/** The rules that name a type of a workspace, or one of that name at a path that leads nowhere: another provider may export one as well. */
export function rulesNaming(
  { cluster, type }: { readonly cluster: LogicalClusterName; readonly type: GroupResource },
  { rules, paths }: Pick<RegistrySnapshot, 'rules'> & { readonly paths: Pick<RegistrySnapshot['paths'], 'clusterOf'> },
): readonly Rule[] {
  return rules.filter(({ dependencies }) =>
    dependencies.some(
      (dependency) =>
        printGroupResource(dependency) === printGroupResource(type) &&
        [cluster, 'unknown', 'missing'].includes(paths.clusterOf(dependency.export.path)),
    ),
  );
}

function readyOf(seen: Pick<SeenObjects, 'get'>, cluster: LogicalClusterName, name: string) {
  return conditionsIn(seen.get({ cluster, name })?.value ?? {}).find(({ type }) => type === READY);
}
