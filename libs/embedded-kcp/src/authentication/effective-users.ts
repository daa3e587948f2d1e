// The identities that count for a user in a cluster. Scopes may exclude an identity, warrants add further ones, and a ServiceAccount of another workspace
// has a name of its own.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { isRecord, stringAt, stringsAt, recordAt } from '../json/json.js';
import { AUTHENTICATED, type UserInfo } from './user.js';

/** The extra key that names a ServiceAccount's workspace. */
export const CLUSTER_NAME_EXTRA = 'authentication.kcp.io/cluster-name';
/** The extra key that limits an identity to clusters. */
export const SCOPES_EXTRA = 'authentication.kcp.io/scopes';
/** The extra key of further identities. */
export const WARRANT_EXTRA = 'authorization.kcp.io/warrant';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** All identities of a user in a cluster: a request is allowed if one of them is. */
export function effectiveUsers(user: UserInfo, cluster: LogicalClusterName): readonly UserInfo[] {
  const own = effectiveUser(user, cluster);
  const warranted = (user.extra?.[WARRANT_EXTRA] ?? []).flatMap((text) => {
    const warrant = parseWarrant(text);
    return warrant === undefined ? [] : effectiveUsers(warrant, cluster);
  });
  return [own, ...warranted];
}

/** Whether a user is a ServiceAccount of this very cluster, in scope. */
export function isLocalServiceAccount(user: UserInfo, cluster: LogicalClusterName): boolean {
  if (!SERVICE_ACCOUNT.test(user.username) || !isInScope(user, cluster)) return false;
  const home = user.extra?.[CLUSTER_NAME_EXTRA];
  return home === undefined || home.includes(cluster);
}

/** The name of a ServiceAccount outside its own workspace. */
export function globalServiceAccountName(user: UserInfo): string | undefined {
  const match = SERVICE_ACCOUNT.exec(user.username);
  const home = user.extra?.[CLUSTER_NAME_EXTRA]?.[0];
  return match === null || home === undefined ? undefined : `system:kcp:serviceaccount:${home}:${match[1] ?? ''}:${match[2] ?? ''}`;
}

function effectiveUser(user: UserInfo, cluster: LogicalClusterName): UserInfo {
  const home = user.extra?.[CLUSTER_NAME_EXTRA]?.[0];
  if (SERVICE_ACCOUNT.test(user.username) && home !== undefined && home !== cluster) {
    return { username: globalServiceAccountName(user) ?? user.username, groups: [AUTHENTICATED, `system:cluster:${home}`] };
  }
  if (isInScope(user, cluster)) return user;
  return { username: 'system:anonymous', groups: [AUTHENTICATED] };
}

// A comma separates alternatives within one value; every value must allow the cluster.
function isInScope(user: UserInfo, cluster: LogicalClusterName): boolean {
  return (user.extra?.[SCOPES_EXTRA] ?? []).every((value) => value.split(',').some((scope) => scope.trim() === `cluster:${cluster}`));
}

function parseWarrant(text: string): UserInfo | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const extra = Object.fromEntries(Object.keys(recordAt(value, 'extra')).map((key) => [key, stringsAt(value, 'extra', key)]));
    return { username: stringAt(value, 'user') ?? '', groups: stringsAt(value, 'groups'), extra };
  } catch {
    return undefined;
  }
}
