import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ResourceDefinition } from './resource-definition.js';

/** The resources that a cluster serves. A port: workspaces and virtual workspaces serve different ones. */
export interface ResourceCatalog {
  /** Every resource of a cluster, in a stable order. */
  readonly all: (cluster: LogicalClusterName | '*') => readonly ResourceDefinition[];
  /** One resource. The identity is the hash after a colon in a wildcard request. */
  readonly find: (cluster: LogicalClusterName | '*', group: string, resource: string, identity?: string) => ResourceDefinition | undefined;
}
