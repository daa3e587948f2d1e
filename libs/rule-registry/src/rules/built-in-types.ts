import type { GroupResource } from '@dep-ctrl/kcp-names';

// Groups that kcp serves in every workspace by itself; no APIExport can (kcp's built-in APIs and its own system group).
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apis.kcp.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'rbac.authorization.k8s.io',
]);

/** Whether kcp serves the type in every workspace itself, so that no APIExport does: its deletes ask no provider's webhook. */
export function isBuiltInType({ group, resource }: GroupResource): boolean {
  return BUILT_IN_GROUPS.has(group) || (group === 'core.kcp.io' && resource === 'logicalclusters');
}
