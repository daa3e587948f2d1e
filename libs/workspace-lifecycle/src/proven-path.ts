import type { Stoppable } from '@dep-ctrl/kcp-client';
import {
  hintedPath,
  notParsed,
  parsed,
  type KubeObject,
  type LogicalClusterName,
  type Parsed,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { printResolution, type WorkspaceResolver } from '@dep-ctrl/workspace-resolver';

/**
 * The path of a workspace, or why it cannot be told. The annotation only says which path to ask for: whoever may write the LogicalCluster may write any path
 * into it. It counts if kcp answers that this path is this cluster.
 */
export async function provenPath(
  { cluster, object }: { readonly cluster: LogicalClusterName; readonly object: KubeObject },
  resolver: Pick<WorkspaceResolver, 'resolve'>,
  options: Stoppable,
): Promise<Parsed<WorkspacePath>> {
  const path = hintedPath(object);
  if (path === undefined) return notParsed(`logical cluster ${cluster} names no path`);
  const resolution = await resolver.resolve(path, options);
  if (resolution.state !== 'found') return notParsed(printResolution(path, resolution));
  return resolution.cluster === cluster ? parsed(path) : notParsed(`workspace "${path}" is another logical cluster than ${cluster}`);
}
