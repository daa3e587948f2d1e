import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import type { Stored } from '@dep-ctrl/kcp-controller';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { OWNER_LABEL } from './configuration-labels.js';

/**
 * The configurations that this installation wrote, of those that the watch shows. A tenant may keep another one under their name, with another owner and
 * whatever CA and address: that says nothing about the certificate here. Pure.
 */
export function ownConfigurations(shown: readonly Pick<Stored<KubeObject>, 'endpoint' | 'value'>[]): readonly KubeObject[] {
  return shown.flatMap(({ endpoint, value }) => {
    const owner = value.metadata.labels?.[OWNER_LABEL];
    return owner !== undefined && owner === exportClusterOf(endpoint) ? [value] : [];
  });
}
