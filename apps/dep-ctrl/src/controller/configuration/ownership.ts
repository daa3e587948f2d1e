import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Ownership } from '@dep-ctrl/webhook-installer';
import { isLeftByOriginal } from './adopt-original.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';

/** How to recognise the configurations of the installation whose export is in `exportCluster`. */
export function ownershipOf(exportCluster: LogicalClusterName): Ownership {
  return { label: OWNER_LABEL, value: exportCluster, adopt: isLeftByOriginal };
}

/** Whether a configuration belongs to this installation, or would be adopted by it. */
export function isOurs(configuration: KubeObject, exportCluster: LogicalClusterName): boolean {
  const owner = configuration.metadata.labels?.[OWNER_LABEL];
  return owner === undefined ? isLeftByOriginal(configuration) : owner === exportCluster;
}
