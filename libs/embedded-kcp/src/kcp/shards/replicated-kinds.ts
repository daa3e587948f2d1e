import type { BucketEvent } from '../../storage/shard-store.js';

// What kcp's shards tell each other. Roles are replicated by kcp only when they concern other shards (bind, content, use, access …);
// the others make no difference there, so they are not told apart here.
const REPLICATED = new Set([
  'apis.kcp.io/apiexports',
  'apis.kcp.io/apiexportendpointslices',
  'apis.kcp.io/apiresourceschemas',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'core.kcp.io/logicalclusters',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/clusterrolebindings',
]);
const REPLICATED_BOUND = ['core.kcp.io/shards:', 'tenancy.kcp.io/workspacetypes:'];

/** Whether a change reaches other shards. Nothing of system clusters does. */
export function isReplicated({ bucket, event }: BucketEvent): boolean {
  if (event.current.cluster.startsWith('system:')) return false;
  return REPLICATED.has(bucket) || REPLICATED_BOUND.some((prefix) => bucket.startsWith(prefix));
}
