// The guard of the network provider on the stage of the webhook role, as a controller would write it.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { until } from '@dep-ctrl/kcp-objects';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { patience, type RoleStage } from './role-stage.js';

/** A rule as a guard names it. */
export interface NamedRule {
  readonly cluster: LogicalClusterName;
  readonly rule: string;
  readonly uid?: string;
  readonly generation?: number;
}

const options = { signal: patience.signal };

/** Makes the guard, and waits until the role has seen it. */
export async function makeGuard(
  { connection, network, registry }: RoleStage,
  rules: readonly NamedRule[],
  spec: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const client = connection.cluster(network);
  const manifest = { apiVersion: `${GUARDS.group}/${GUARDS.version}`, kind: 'DependencyGuard', metadata: { name: GUARD_NAME }, spec };
  const created = await client.create(GUARDS, manifest, options);
  await client.replaceStatus(GUARDS, { ...created, status: guardStatus(rules) }, options);
  const isSeen = (): boolean => registry.guard(network)?.namesEveryRule === true;
  await until('the guard being seen', () => Promise.resolve(isSeen() ? { done: true } : { waitingFor: 'the watch' }), patience);
}

/** Lets the existing guard name other rules. Does not wait until the role sees it. */
export async function letGuardName({ connection, network }: RoleStage, rules: readonly NamedRule[]): Promise<void> {
  const client = connection.cluster(network);
  const guard = await client.get(GUARDS, { name: GUARD_NAME }, options);
  await client.replaceStatus(GUARDS, { ...guard, status: guardStatus(rules) }, options);
}

function guardStatus(rules: readonly NamedRule[]): object {
  return { ruleCount: rules.length, rules: rules.map((each) => ({ ...each, dependent: 'x', resource: 'x', enforcement: 'Deny' })) };
}
