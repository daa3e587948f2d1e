import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { UserInfo } from '../../authentication/user.js';
import type { IncomingRequest } from '../../http/incoming-request.js';
import type { ResourceRequestInfo } from '../../http/request-info.js';
import type { LabelSelector } from '../resources/label-selector.js';
import type { ResourceDefinition, ResourceVersion } from '../resources/resource-definition.js';

/** A request for a resource that is known to exist and to be allowed. */
export interface ResourceRequest {
  readonly info: ResourceRequestInfo;
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
  readonly cluster: LogicalClusterName | '*';
  readonly user: UserInfo;
  readonly http: Pick<IncomingRequest, 'query' | 'headers' | 'body' | 'signal'>;
  /** Labels without which an object does not exist for this caller. */
  readonly visible?: LabelSelector;
  /** Objects that are shown beyond that; events of others are dropped. */
  readonly shows?: (object: KubeObject) => boolean;
  /** Calls back when a watch of this caller is to end, beside the reasons that all watches have. */
  readonly closeOn?: (close: () => void) => () => void;
}
