// Rules that are in force about an object and not as their authors meant them: a delete that goes through may do so for that alone. Pure.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardingAnswer, RegistryReader } from '@dep-ctrl/rule-registry';
import { readConditions } from '../controller/conditions.js';
import type { SeenReader } from '../rules/seen-objects.js';
import { ruleName } from '../telemetry/process-metrics.js';

/** One line for each rule about a type whose status says that it is not ready. */
export function unreadyRules(
  { matches, held }: Pick<GuardingAnswer, 'matches' | 'held'>,
  { seen, paths }: { readonly seen: Pick<SeenReader, 'get'>; readonly paths: Pick<RegistryReader['paths'], 'pathOf'> },
): readonly string[] {
  const rules = new Map([...matches, ...held].map(({ rule }) => [rule.key, rule]));
  return [...rules.values()].flatMap(({ cluster, name }) => {
    const ready = readyOf(seen, cluster, name);
    if (ready?.status !== 'False') return [];
    const path = paths.pathOf(cluster);
    return [`rule ${ruleName({ cluster, name, ...(path !== undefined && { path }) })} is not ready (${ready.reason}): ${ready.message}`];
  });
}

function readyOf(seen: Pick<SeenReader, 'get'>, cluster: LogicalClusterName, name: string) {
  const status = seen.get('rules', cluster, name)?.object['status'];
  const conditions = typeof status === 'object' && status !== null ? (status as Record<string, unknown>)['conditions'] : undefined;
  return readConditions(conditions).find(({ type }) => type === 'Ready');
}
