import { isKcpError, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, parseWorkspacePath, PATH_ANNOTATION, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';

const ONLY = { name: 'cluster' };

/**
 * The path of a logical cluster, for texts. The admin of a workspace may write any path there, so it counts only if kcp leads from that path to the same
 * logical cluster. Undefined if that is not so, or cannot be read.
 */
export async function provenPath(
  connection: Pick<Connection, 'cluster'>,
  cluster: LogicalClusterName,
  options: Stoppable,
): Promise<WorkspacePath | undefined> {
  try {
    const { metadata } = await connection.cluster(cluster).get(LOGICAL_CLUSTERS, ONLY, options);
    const path = parseWorkspacePath(metadata.annotations?.[PATH_ANNOTATION] ?? '');
    if (!path.ok) return undefined;
    const found = clusterOf(await connection.cluster(path.value).get(LOGICAL_CLUSTERS, ONLY, options));
    return found.ok && found.value === cluster ? path.value : undefined;
  } catch (error) {
    if (!isKcpError(error)) throw error;
    return undefined;
  }
}
