import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** The types of kcp that set-up and removal touch. */
export const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
export const LOGICAL_CLUSTERS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
export const SHARDS: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'shards' };
export const API_RESOURCE_SCHEMAS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };
export const API_EXPORTS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
export const API_BINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
export const API_EXPORT_ENDPOINT_SLICES: GroupVersionResource = {
  group: 'apis.kcp.io',
  version: 'v1alpha1',
  resource: 'apiexportendpointslices',
};
