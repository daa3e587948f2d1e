import { parseLogicalClusterName, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';

/** One Workspace object, as far as it says where its content lives. */
export type SeenWorkspace =
  | { readonly state: 'scheduled'; readonly cluster: LogicalClusterName; readonly terminating: boolean; readonly uid?: string }
  | { readonly state: 'no-cluster'; readonly problem: string };

/** What asking for the Workspace objects of one parent gave. */
export type ParentReading =
  | { readonly state: 'listed'; readonly workspaces: ReadonlyMap<string, SeenWorkspace> }
  | { readonly state: 'refused' }
  | { readonly state: 'unreachable'; readonly problem: string };

/** Reads the parts of a Workspace that matter here. Unknown shapes have no cluster. */
export function seenWorkspace(workspace: KubeObject): SeenWorkspace {
  const spec = isRecord(workspace['spec']) ? workspace['spec'] : {};
  if (isRecord(spec['mount'])) return { state: 'no-cluster', problem: 'it is a mount: its content lives elsewhere' };
  const cluster = parseLogicalClusterName(typeof spec['cluster'] === 'string' ? spec['cluster'] : '');
  if (!cluster.ok) return { state: 'no-cluster', problem: 'kcp has not scheduled it yet' };
  const { uid, deletionTimestamp } = workspace.metadata;
  return { state: 'scheduled', cluster: cluster.value, terminating: deletionTimestamp !== undefined, ...(uid !== undefined && { uid }) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
