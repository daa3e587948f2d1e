// Objects as a watch tells them.
import type { Observed, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { parseVirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';

/** A name of a logical cluster. */
export function clusterName(text: string): LogicalClusterName {
  const name = parseLogicalClusterName(text);
  if (!name.ok) throw new Error(name.problem);
  return name.value;
}

/** The URL of a virtual workspace. */
export function viewUrl(text: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(text);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

/** A WorkspaceType named `ordered` in the logical cluster `home`. */
export function typeNaming(virtualWorkspaces: unknown, spec: object = {}): Observed {
  return { cluster: clusterName('home'), object: { metadata: { name: 'ordered', uid: 'u' }, spec, status: { virtualWorkspaces } } };
}

/** A LogicalCluster. */
export function logicalCluster(
  cluster: string,
  lists: { readonly terminators?: readonly string[]; readonly initializers?: readonly string[]; readonly phase?: string | undefined },
  { dying = true, uid = 'u' }: { readonly dying?: boolean; readonly uid?: string } = {},
): Observed {
  const metadata = { name: 'cluster', uid, ...(dying && { deletionTimestamp: '2026-01-01T00:00:00Z' }) };
  return { cluster: clusterName(cluster), object: { metadata, status: lists } };
}
