import type { LogicalClusterName } from './logical-cluster-name.js';
import type { WorkspacePath } from './workspace-path.js';

/** All logical clusters of a shard or of a virtual workspace. Lists and watches only. */
export const WILDCARD = '*';

/** The wildcard as a type. */
export type Wildcard = typeof WILDCARD;

/** Where a request goes: one cluster by name, one workspace by path, or every cluster. */
export type ClusterAddress = LogicalClusterName | WorkspacePath | Wildcard;
