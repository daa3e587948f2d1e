// With --against, `dev` makes its workspaces and removes exactly those. A workspace that exists already may belong to other people: it is used only with
// --adopt, and stays.
import type { Connection, Waiting } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { API_EXPORTS, getIfExists, isNotThereYet, removeWorkspace, WORKSPACES } from '@dep-ctrl/kcp-objects';
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
  const [taken, ...others] = await existing(connection, leaves, options);
  if (taken !== undefined && !adopt) {
    throw new Error(`workspace "${taken}" exists already: remove it, or give --adopt to use it and leave it in the end`);
  }
  const kept = [taken, ...others, ...(await existing(connection, DEV_PARENTS, options))];
  if (kept.includes(DEV_PATHS.depCtrl)) await refuseInstalled(connection, options);
  const parents = DEV_PARENTS.filter((path) => !kept.includes(path));
  return [...leaves.filter((path) => !kept.includes(path) && !parents.some((parent) => path.startsWith(`${parent}:`))), ...parents];
}

/** Two installations on one export would rewrite each other's configurations, and ours goes in the end. */
async function refuseInstalled(connection: Connection, options: Waiting): Promise<void> {
  const { depCtrl } = DEV_PATHS;
  if ((await getIfExists(connection.cluster(depCtrl), API_EXPORTS, { name: EXPORT_NAME }, options)) === undefined) return;
  throw new Error(
    `workspace "${depCtrl}" exports ${EXPORT_NAME} already: dev would take its providers over, give it a kcp without an installation`,
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
    if (isNotThereYet(error) && !error.retryable) return false;
    throw error;
  }
}
