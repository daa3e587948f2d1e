import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** The types of kcp that set-up and removal touch. */
export const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
/** The types of workspaces. */
export const WORKSPACE_TYPES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' };
/** Logical clusters: the one of a workspace is called `cluster`. */
export const LOGICAL_CLUSTERS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
/** Shards, in `root`. */
export const SHARDS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'shards' };
/** The schemas behind what an APIExport exports. */
export const API_RESOURCE_SCHEMAS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };
/** APIExports. */
export const API_EXPORTS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
/** APIBindings. */
export const API_BINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
/** Where the virtual workspaces of an APIExport are. */
export const API_EXPORT_ENDPOINT_SLICES: GroupVersionResource = {
  group: 'apis.kcp.io',
  version: 'v1alpha1',
  resource: 'apiexportendpointslices',
};
