import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { UserInfo } from '../../authentication/user.js';
import type { ShardStore } from '../../storage/shard-store.js';
import type { Admission } from '../requests/admission.js';
import type { LabelSelector } from '../resources/label-selector.js';
import type { ResourceDefinition, ResourceVersion } from '../resources/resource-definition.js';

/** The parts that reading and writing objects need. */
export interface Machinery {
  readonly store: ShardStore;
  readonly admission: Admission;
  readonly now: () => number;
}

/** The target of a request in one cluster. */
export interface WriteTarget {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
  readonly cluster: LogicalClusterName;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly subresource?: string | undefined;
  readonly user: UserInfo;
  /** Labels without which an object does not exist for this caller: how virtual workspaces narrow what they show. */
  readonly visible?: LabelSelector | undefined;
}
