import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Ownership } from '@dep-ctrl/webhook-installer';
import { isLeftByOriginal } from './adopt-original.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';

/** How configurations of the installation whose export lives in `exportCluster` are told from all others. */
export function ownershipOf(exportCluster: LogicalClusterName): Ownership {
  return { label: OWNER_LABEL, value: exportCluster, adopt: isLeftByOriginal };
}

/** Whether a configuration is ours, or one that we would adopt. */
export function isOurs(configuration: KubeObject, exportCluster: LogicalClusterName): boolean {
  const owner = configuration.metadata.labels?.[OWNER_LABEL];
  return owner === undefined ? isLeftByOriginal(configuration) : owner === exportCluster;
}
