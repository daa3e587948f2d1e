// What paths mean, many at once, for commands that people wait for.
import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';

// Anybody can name thousands of paths. Those beyond are not known, and are not judged.
const MOST_PATHS = 500;
const AT_A_TIME = 8;

/** Of each path the cluster that kcp names for it; absent: not known. */
export async function resolvePaths(
  connection: Connection,
  paths: readonly WorkspacePath[],
  { signal }: Stoppable,
): Promise<ReadonlyMap<WorkspacePath, LogicalClusterName | 'missing'>> {
  const resolver = new WorkspaceResolver({ connection });
  const known = new Map<WorkspacePath, LogicalClusterName | 'missing'>();
  const wanted = [...new Set(paths)].slice(0, MOST_PATHS);
  for (let at = 0; at < wanted.length; at += AT_A_TIME) {
    await Promise.all(
      wanted.slice(at, at + AT_A_TIME).map(async (path) => {
        const resolution = await resolver.resolve(path, { signal });
        if (resolution.state === 'found') known.set(path, resolution.cluster);
        else if (resolution.state === 'missing') known.set(path, 'missing');
      }),
    );
  }
  return known;
}

/** A workspace, and the path that it says of itself: whoever may write in it may write any path there. */
export interface PathClaim {
  readonly cluster: LogicalClusterName;
  readonly path?: WorkspacePath;
}

/** Without the path, unless kcp names this workspace for it: people go by it, and copy commands with it. */
export function withProvenPath<T extends PathClaim>(claim: T, paths: ReadonlyMap<WorkspacePath, LogicalClusterName | 'missing'>): T {
  const { path, ...rest } = claim;
  return path === undefined || paths.get(path) === claim.cluster ? claim : (rest as T);
}
