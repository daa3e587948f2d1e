// On a kcp that is not ours, `dev` makes its workspaces and removes exactly those. One that is there already may be somebody's: it is taken over
// only when told so.
import type { Clock, Connection } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { getIfExists } from '../kcp-objects/ensure-object.js';
import { isNotThereYet, removeWorkspace } from '../kcp-objects/ensure-workspace.js';
import { WORKSPACES } from '../kcp-objects/types.js';
import { DEV_PARENTS, DEV_PATHS } from './dev-paths.js';

interface Options {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * What `dev` may remove afterwards: its workspaces, each with the topmost parent that is not there yet. Throws when a workspace of the story exists
 * and may not be taken over.
 */
export async function claimWorkspaces(
  connection: Connection,
  { adopt, ...options }: Options & { readonly adopt: boolean },
): Promise<readonly WorkspacePath[]> {
  const leaves = Object.values(DEV_PATHS);
  const [taken] = adopt ? [] : await existing(connection, leaves, options);
  if (taken !== undefined) {
    throw new Error(
      `workspace "${taken}" exists already, and dev would delete it in the end: remove it, or give --adopt to let dev have it`,
    );
  }
  const kept = await existing(connection, DEV_PARENTS, options);
  const parents = DEV_PARENTS.filter((path) => !kept.includes(path));
  return [...leaves.filter((path) => !parents.some((parent) => path.startsWith(`${parent}:`))), ...parents];
}

/** Removes workspaces and waits until they are gone. */
export async function removeWorkspaces(connection: Connection, paths: readonly WorkspacePath[], options: Options): Promise<void> {
  await Promise.all(paths.map((path) => removeWorkspace(connection, path, options)));
}

async function existing(connection: Connection, paths: readonly WorkspacePath[], options: Options): Promise<readonly WorkspacePath[]> {
  const found = await Promise.all(paths.map(async (path) => ({ path, exists: await exists(connection, path, options) })));
  return found.filter((each) => each.exists).map(({ path }) => path);
}

async function exists(connection: Connection, path: WorkspacePath, options: Options): Promise<boolean> {
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
