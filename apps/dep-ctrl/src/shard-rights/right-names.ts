// The names of our rights in `system:admin` of a shard. Other programs install there too, another dep-ctrl included. Pure.
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { READS_DEPENDENTS } from '../read-access/reader-role.js';

const RESOLVES_WORKSPACES = 'dep-ctrl:resolve-workspaces';

/** The ClusterRole that says what the webhook may read, and its binding; without an installation as the files of deploy/kcp name them. */
export function readerRoleName(installation: string | undefined): string {
  return nameOnShards(READS_DEPENDENTS, installation);
}

/** The ClusterRole by which the controller resolves paths, and its binding. */
export function resolverRoleName(installation: string | undefined): string {
  return nameOnShards(RESOLVES_WORKSPACES, installation);
}

/** Every name that bootstrap gives on shards for an installation. */
export function shardRightNames(installation: string): readonly string[] {
  return [readerRoleName(installation), resolverRoleName(installation)];
}

/** The installation that such a name is of: the logical cluster of its workspace. */
export function installationOf(name: string): LogicalClusterName | undefined {
  const prefix = [READS_DEPENDENTS, RESOLVES_WORKSPACES].find((each) => name.startsWith(`${each}:`));
  if (prefix === undefined) return undefined;
  const cluster = parseLogicalClusterName(name.slice(prefix.length + 1));
  return cluster.ok ? cluster.value : undefined;
}

function nameOnShards(name: string, installation: string | undefined): string {
  return installation === undefined ? name : `${name}:${installation}`;
}
