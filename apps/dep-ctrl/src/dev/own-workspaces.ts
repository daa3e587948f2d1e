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

/** The workspaces to remove in the end. */
export interface OwnWorkspaces {
  readonly consumers: readonly WorkspacePath[];
  readonly providers: readonly WorkspacePath[];
  readonly parents: readonly WorkspacePath[];
  readonly depCtrl: WorkspacePath;
}

/** What `dev` may remove afterwards: its own workspaces, and of their parents those that are not there yet. */
export async function claimWorkspaces(
  connection: Connection,
  { adopt, ...options }: Options & { readonly adopt: boolean },
): Promise<OwnWorkspaces> {
  const { depCtrl, network, compute, teamA, teamB } = DEV_PATHS;
  const taken = adopt ? [] : await existing(connection, [depCtrl, network, compute, teamA, teamB], options);
  if (taken[0] !== undefined) {
    throw new Error(
      `workspace "${taken[0]}" exists already, and dev would delete it in the end: remove it, or give --adopt to let dev have it`,
    );
  }
  const kept = await existing(connection, DEV_PARENTS, options);
  return { consumers: [teamA, teamB], providers: [network, compute], parents: DEV_PARENTS.filter((path) => !kept.includes(path)), depCtrl };
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
