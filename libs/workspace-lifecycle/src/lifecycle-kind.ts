import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** Which workspaces a controller waits for: those that are being deleted, or those that are being prepared. */
export type LifecycleKind = 'terminating' | 'initializing';

interface LifecycleWords {
  /** The list in the status of a LogicalCluster. */
  readonly list: 'terminators' | 'initializers';
  /** The verb on the WorkspaceType that the virtual workspace asks for. */
  readonly verb: 'terminate' | 'initialize';
  /** The field of the WorkspaceType that says what may be done to the content; without it kcp acts as the creator of the workspace. */
  readonly permissions: 'terminatorPermissions' | 'initializerPermissions';
}

/** What kcp calls things, by kind. */
export const LIFECYCLE_WORDS: Readonly<Record<LifecycleKind, LifecycleWords>> = {
  terminating: { list: 'terminators', verb: 'terminate', permissions: 'terminatorPermissions' },
  initializing: { list: 'initializers', verb: 'initialize', permissions: 'initializerPermissions' },
};

/** The type that both kinds of virtual workspaces show. */
export const LOGICAL_CLUSTERS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

/** Each logical cluster has one LogicalCluster, of this name. */
export const LOGICAL_CLUSTER_NAME = 'cluster';

/** The type of the types. */
export const WORKSPACE_TYPES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' };
