// With --against, `dev` makes its workspaces and removes exactly those. A workspace that exists already may belong to other people: it is used only with
// --adopt, and stays.
import type { Connection, Waiting } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { API_EXPORTS, getIfExists, isRefusal, removeWorkspace, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { DEV_PARENTS, DEV_PATHS } from './dev-paths.js';

/**
 * What `dev` may remove afterwards: the workspaces that are not there yet, each with its topmost parent that is not. Throws when a workspace of the
 * story exists and may not be used.
 */
export async function claimWorkspaces(
  connection: Connection,
  { adopt, ...options }: Waiting & { readonly adopt: boolean },
): Promise<readonly WorkspacePath[]> {
  const leaves = Object.values(DEV_PATHS);
  const taken = await existing(connection, leaves, options);
  if (taken.includes(DEV_PATHS.depCtrl)) await refuseInstalled(connection, options);
  if (taken.length > 0 && !adopt) {
    const names = taken.map((path) => `"${path}"`).join(', ');
    throw new Error(
      `the story needs workspaces of its own, and ${names} exist${taken.length === 1 ? 's' : ''} already: give it another kcp, or --adopt to use what is there and leave it in the end`,
    );
  }
  const kept = [...taken, ...(await existing(connection, DEV_PARENTS, options))];
  const parents = DEV_PARENTS.filter((path) => !kept.includes(path));
  return [...leaves.filter((path) => !kept.includes(path) && !parents.some((parent) => path.startsWith(`${parent}:`))), ...parents];
}

/** Two installations on one export would rewrite each other's configurations, and ours goes in the end. */
async function refuseInstalled(connection: Connection, options: Waiting): Promise<void> {
  const { depCtrl } = DEV_PATHS;
  if ((await getIfExists(connection.cluster(depCtrl), API_EXPORTS, { name: EXPORT_NAME }, options)) === undefined) return;
  throw new Error(
    `dep-ctrl is installed on this kcp, in workspace "${depCtrl}": leave that as it is, and tell the story on a kcp without dep-ctrl (dep-ctrl dev runs one of its own)`,
  );
}

/** Removes workspaces and waits until they are gone. */
export async function removeWorkspaces(connection: Connection, paths: readonly WorkspacePath[], options: Waiting): Promise<void> {
  await Promise.all(paths.map((path) => removeWorkspace(connection, path, options)));
}

async function existing(connection: Connection, paths: readonly WorkspacePath[], options: Waiting): Promise<readonly WorkspacePath[]> {
  const found = await Promise.all(paths.map(async (path) => ({ path, exists: await exists(connection, path, options) })));
  return found.filter((each) => each.exists).map(({ path }) => path);
}

async function exists(connection: Connection, path: WorkspacePath, options: Waiting): Promise<boolean> {
  const split = splitWorkspacePath(path);
  if (split === undefined) return true;
  try {
    return (await getIfExists(connection.cluster(split.parent), WORKSPACES, { name: split.name }, options)) !== undefined;
  } catch (error) {
    // The parent is not there either; kcp says 403 or 404 for that.
    if (isRefusal(error)) return false;
    throw error;
  }
}
