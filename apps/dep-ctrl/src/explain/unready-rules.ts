// Rules that are in force about an object and not as their authors meant them: a delete that goes through may do so for that alone, and one that
// would be refused goes through where kcp does not ask. Pure.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardingAnswer, RegistryReader } from '@dep-ctrl/rule-registry';
import { conditionsIn, READY } from '../controller/conditions.js';
import type { SeenReader } from '../rules/seen-objects.js';
import { ruleName } from '../telemetry/process-metrics.js';

/** A rule whose status says that it is not ready. */
export interface UnreadyRule {
  /** As blockers name their rules. */
  readonly rule: string;
  /** Whether nothing is installed for it: kcp asks nobody. */
  readonly isNotInstalled: boolean;
  /** For people. */
  readonly text: string;
}

const NOT_INSTALLED: ReadonlySet<string> = new Set(['NotBound', 'UnknownCluster', 'WorkspaceNotFound', 'ClaimNotAccepted', 'Uninstalled']);

/** The rules about a type whose status says that they are not ready. */
export function unreadyRules(
  { matches, held }: Pick<GuardingAnswer, 'matches' | 'held'>,
  { seen, paths }: { readonly seen: Pick<SeenReader, 'get'>; readonly paths: Pick<RegistryReader['paths'], 'pathOf'> },
): readonly UnreadyRule[] {
  const rules = new Map([...matches, ...held].map(({ rule }) => [rule.key, rule]));
  return [...rules.values()].flatMap(({ cluster, name }) => {
    const ready = readyOf(seen, cluster, name);
    if (ready?.status !== 'False') return [];
    const path = paths.pathOf(cluster);
    const rule = ruleName({ cluster, name, ...(path !== undefined && { path }) });
    const text = `rule ${rule} is not ready (${ready.reason}): ${ready.message}`;
    return [{ rule, isNotInstalled: NOT_INSTALLED.has(ready.reason), text }];
  });
}

function readyOf(seen: Pick<SeenReader, 'get'>, cluster: LogicalClusterName, name: string) {
  return conditionsIn(seen.get('rules', cluster, name)?.object ?? {}).find(({ type }) => type === READY);
}
