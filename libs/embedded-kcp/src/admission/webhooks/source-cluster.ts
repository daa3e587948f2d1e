import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { AdmissionRequest } from '../../machinery/requests/admission.js';

/** The one cluster whose webhooks and policies are asked about a resource: for a bound type the exporter's, for everything else the object's own. */
export function sourceOf({ definition, cluster }: Pick<AdmissionRequest, 'definition' | 'cluster'>): LogicalClusterName {
  return definition.origin.kind === 'bound' ? definition.origin.exportCluster : cluster;
}
