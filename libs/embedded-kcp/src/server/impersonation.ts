// Impersonation: acting as another user by Impersonate-* headers.
import type { IncomingHttpHeaders } from 'node:http';
import type { Authorizer } from '../authorization/authorizer.js';
import { accessDenied } from '../authorization/denial.js';
import { AUTHENTICATED, isMasters, KCP_ADMIN, MASTERS, type UserInfo } from '../authentication/user.js';
import { ApiError, badRequest } from '../http/api-status.js';
import type { ClusterRequest } from './cluster-request.js';

const AUTHENTICATION = 'authentication.k8s.io';
const SPECIAL = new Set([MASTERS, KCP_ADMIN, 'system:kcp:logical-cluster-admin', 'system:kcp:external-logical-cluster-admin']);

/** The request with the user that its headers name, if its own user may impersonate that user. */
export function impersonate(request: ClusterRequest, authorizer: Authorizer): ClusterRequest {
  const { headers } = request.http;
  const username = one(headers['impersonate-user']);
  const groups = many(headers['impersonate-group']);
  const uid = one(headers['impersonate-uid']);
  const wishes = extraOf(headers);
  if (username === undefined) {
    if (groups.length > 0 || uid !== undefined || wishes.size > 0) throw namelessRefused(uid ?? '', groups, wishes);
    return request;
  }
  const { user, cluster } = request;
  if (!isMasters(user)) {
    if (groups.some((group) => SPECIAL.has(group) && !user.groups.includes(group))) throw notAllowed();
    const wanted = { kind: 'resource', verb: 'impersonate', group: '', resource: 'users', name: username } as const;
    if (!authorizer.allows(user, cluster, wanted)) throw accessDenied(user, wanted);
    for (const name of groups) {
      const group = { ...wanted, resource: 'groups', name };
      if (!authorizer.allows(user, cluster, group)) throw accessDenied(user, group);
    }
    const further = [
      ...(uid === undefined ? [] : [{ ...wanted, group: AUTHENTICATION, resource: 'uids', name: uid }]),
      ...[...wishes].flatMap(([key, values]) =>
        values.map((name) => ({ ...wanted, group: AUTHENTICATION, resource: 'userextras', subresource: key, name })),
      ),
    ];
    for (const one of further) if (!authorizer.allows(user, cluster, one)) throw accessDenied(user, one);
  }
  // What a non-masters user borrows is good in this cluster only.
  const scopes: UserInfo['extra'] = isMasters(user) ? {} : { 'authentication.kcp.io/scopes': [`cluster:${cluster}`] };
  const extra = { ...Object.fromEntries(wishes), ...scopes };
  const borrowed = { username, groups: [...new Set([...groups, AUTHENTICATED])], extra, ...(uid === undefined ? {} : { uid }) };
  return { ...request, user: borrowed };
}

const EXTRA = 'impersonate-extra-';

function extraOf(headers: IncomingHttpHeaders): ReadonlyMap<string, readonly string[]> {
  const given = Object.entries(headers).filter(([name]) => name.startsWith(EXTRA));
  return new Map(given.map(([name, value]) => [decodeURIComponent(name.slice(EXTRA.length)), many(value)]));
}

// Go prints the identity that was asked for.
function namelessRefused(uid: string, groups: readonly string[], extra: ReadonlyMap<string, readonly string[]>): ApiError {
  const list = (values: readonly string[]): string => `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  const pairs = [...extra].map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`).join(', ');
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = extra.size === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs}}`;
  const shown = `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
  return badRequest(`requested ${shown} without impersonating a user name`);
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
