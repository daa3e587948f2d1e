// Acting as somebody else by Impersonate-* headers.
import type { Authorizer } from '../auth/authorizer.js';
import { accessDenied } from '../auth/denial.js';
import { AUTHENTICATED, isMasters, KCP_ADMIN, MASTERS, type UserInfo } from '../auth/user.js';
import { ApiError } from '../http/api-status.js';
import type { ClusterRequest } from './cluster-request.js';

const SPECIAL = new Set([MASTERS, KCP_ADMIN, 'system:kcp:logical-cluster-admin', 'system:kcp:external-logical-cluster-admin']);

/** The request as the user whom its headers name, if its own user may act so. */
export function impersonate(request: ClusterRequest, authorizer: Authorizer): ClusterRequest {
  const { headers } = request.http;
  const username = one(headers['impersonate-user']);
  if (username === undefined) return request;
  const groups = many(headers['impersonate-group']);
  const { user, cluster } = request;
  if (!isMasters(user)) {
    if (groups.some((group) => SPECIAL.has(group) && !user.groups.includes(group))) throw notAllowed();
    const wanted = { kind: 'resource', verb: 'impersonate', group: '', resource: 'users', name: username } as const;
    if (!authorizer.allows(user, cluster, wanted)) throw accessDenied(user, wanted);
    for (const name of groups) {
      const group = { ...wanted, resource: 'groups', name };
      if (!authorizer.allows(user, cluster, group)) throw accessDenied(user, group);
    }
  }
  // What a non-masters user borrows is good in this cluster only.
  const extra: UserInfo['extra'] = isMasters(user) ? {} : { 'authentication.kcp.io/scopes': [`cluster:${cluster}`] };
  return { ...request, user: { username, groups: [...new Set([...groups, AUTHENTICATED])], extra } };
}

function notAllowed(): ApiError {
  return new ApiError({ code: 403, reason: 'Forbidden', message: 'impersonation is not allowed for the requestor', details: {} });
}

function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

// Node joins repeated headers that it does not know with a comma and a space.
function many(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? value.split(', ') : value;
}
