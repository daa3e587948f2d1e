import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { AccessAttributes } from '../authorization/rbac.js';
import type { UserInfo } from '../authentication/user.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { RequestInfo } from '../http/request-info.js';

/** A request inside a logical cluster, after authentication and without the cluster in its path. */
export interface ClusterRequest {
  readonly cluster: LogicalClusterName | '*' | '';
  readonly user: UserInfo;
  readonly method: string;
  /** The path after the cluster: `/api/v1/namespaces`. */
  readonly path: string;
  readonly http: Pick<IncomingRequest, 'query' | 'headers' | 'body' | 'signal'>;
}

/** The attributes by which a request is authorized. */
export function attributesOf(info: RequestInfo): AccessAttributes {
  if (info.kind === 'path') return { kind: 'path', verb: info.verb, path: info.path };
  const { verb, group, resource, subresource, namespace, name } = info;
  // The namespace of a Namespace is itself for requests, but not for rights.
  return { kind: 'resource', verb, group, resource, subresource, namespace, name };
}
