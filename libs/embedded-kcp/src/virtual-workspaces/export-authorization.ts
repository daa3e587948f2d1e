// Authorization of an APIExport's virtual workspace: the binding of the target workspace must allow the request, and the exporter must have granted the user
// the export's content.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import type { UserInfo } from '../authentication/user.js';
import type { RequestInfo, ResourceRequestInfo } from '../http/request-info.js';
import { stringAt } from '../json/json.js';
import { readClaims } from '../kcp/kinds/permission-claims.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import { API_BINDINGS, APIS_GROUP } from '../kcp/kinds/system-resources.js';
import { boundResourcesOf } from '../kcp/shards/workspace-catalog.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { ServedExport } from './export-api.js';

/** Whether a user may make a request. On the wildcard only the exporter's grant counts, never a claim. */
export function mayUseExport(
  { view, authorizer }: { readonly view: ShardView; readonly authorizer: Authorizer },
  served: ServedExport,
  target: LogicalClusterName | '*',
  user: UserInfo,
  info: RequestInfo,
): boolean {
  if (target !== '*' && info.kind === 'resource' && !bindingAllows(view, served, target, info)) return false;
  return mayReadContent(authorizer, served, user, info.verb);
}

/** Whether the exporter has granted the content of an export, which need not exist. */
export function mayReadContent(
  authorizer: Authorizer,
  { cluster, name }: Pick<ServedExport, 'cluster' | 'name'>,
  user: UserInfo,
  verb: string,
): boolean {
  const content = { kind: 'resource', verb, group: APIS_GROUP, resource: 'apiexports', subresource: 'content', name } as const;
  return authorizer.reaches(user, cluster) && authorizer.rbacAllows(user, cluster, content);
}

function bindingAllows(view: ShardView, served: ServedExport, target: LogicalClusterName, info: ResourceRequestInfo): boolean {
  const binding = view.store
    .bucket(API_BINDINGS.bucket)
    .list({ cluster: target })
    .find((one) => isBindingTo(one, served));
  if (binding === undefined) return false;
  const isSame = (one: { readonly group: string; readonly resource: string }): boolean =>
    one.group === info.group && one.resource === info.resource;
  if (boundResourcesOf(binding.object).some(isSame)) return true;
  const accepted = readClaims(binding.object).find((claim) => claim.accepted && isSame(claim));
  if (accepted !== undefined) {
    const offered = readClaims(served.stored.object).find(isSame);
    // The intersection is of words: "*" on one side and "get" on the other have nothing in common.
    const both = accepted.verbs.filter((verb) => offered?.verbs.includes(verb));
    return both.includes('*') || both.includes(info.verb);
  }
  return info.group === APIS_GROUP && info.resource === 'apibindings' && ['get', 'list', 'watch'].includes(info.verb);
}

function isBindingTo({ object }: StoredObject, { cluster, name }: ServedExport): boolean {
  if (stringAt(object, 'spec', 'reference', 'export', 'name') !== name) return false;
  const bound = stringAt(object, 'status', 'apiExportClusterName') ?? stringAt(object, 'spec', 'reference', 'export', 'path');
  return bound === cluster;
}
