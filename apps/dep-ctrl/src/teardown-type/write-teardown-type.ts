// Makes the type of the ordered teardown and keeps its permissions at what is bound. Whether it is wanted is said once, with `bootstrap
// --ordered-teardown`; from then on the type says it, so that an upgrade does not lose it.
import { isKcpError, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { getIfExists, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { olderThan, versionOf, type KcpVersion } from '../command-line/kcp-version.js';
import { changeAccess, type AccessChange, type ChangeOptions } from '../read-access/change-access.js';
import type { DerivedTypes } from '../read-access/derive-types.js';
import { accessAfterBind, accessAfterBootstrap } from '../read-access/next-access.js';
import type { ReadAccess } from '../read-access/read-rules.js';
import { isOwnType, permissionsOf, TEARDOWN_ACCESS, TEARDOWN_TYPE, teardownAccessIn, teardownType } from './teardown-type.js';

/** The first version of kcp that serves a terminator the content of dying workspaces. */
const SINCE: KcpVersion = [0, 32];

/** Throws where kcp says that it is too old. `path`: any workspace that is there. */
export async function refuseOldKcp(connection: Connection, path: WorkspacePath, options: Stoppable): Promise<void> {
  const version = olderThan(SINCE, await versionOf(connection, path, options));
  if (version !== undefined) throw new Error(`--ordered-teardown needs kcp v0.32 or later, and this is ${version}: ${GAINS_NOTHING}`);
}

const GAINS_NOTHING = 'an older one shows a terminator nothing of what is in a dying workspace';

/** The type, if dep-ctrl made it; of another owner it is not there for us. */
export async function readTeardownType(home: ClusterClient, options: Stoppable): Promise<KubeObject | undefined> {
  const found = await getIfExists(home, WORKSPACE_TYPES, { name: TEARDOWN_TYPE }, options);
  return found !== undefined && isOwnType(found) ? found : undefined;
}

/** The access after `bootstrap`, by the type that was there before the bound providers were read. Pure. */
export function nextTeardownAccess(
  now: ReadAccess | undefined,
  first: KubeObject | undefined,
  { types, isWhole }: Pick<DerivedTypes, 'types' | 'isWhole'>,
): ReadAccess {
  return accessAfterBootstrap(now, { wanted: 'listed', types, isWhole, first: first && teardownAccessIn(first) });
}

/** Makes the type, or brings it up to date. */
export async function writeTeardownType(
  home: ClusterClient,
  { first, derived, ...options }: ChangeOptions & { readonly first: KubeObject | undefined; readonly derived: DerivedTypes },
): Promise<AccessChange> {
  if (first === undefined) await refuseWithoutPermissions(home, options);
  return changeAccess(home, TEARDOWN_ACCESS, (now) => nextTeardownAccess(now, first, derived), options);
}

/** After `bind`: adds the types, where the type is there. */
export async function addToTeardownType(
  home: ClusterClient,
  types: readonly GroupResource[],
  options: ChangeOptions,
): Promise<AccessChange> {
  return changeAccess(home, TEARDOWN_ACCESS, (now) => accessAfterBind(now, types), options);
}

/** A kcp that does not tell its version tells by a dry run: an older one drops the permissions, and would act as the creator of the workspace. */
async function refuseWithoutPermissions(home: ClusterClient, { signal }: Stoppable): Promise<void> {
  try {
    const made = await home.create(WORKSPACE_TYPES, teardownType({ kind: 'listed', types: [] }), { dryRun: true, signal });
    if (permissionsOf(made).length > 0) return;
  } catch (error) {
    if (isKcpError(error, 'already-exists')) return;
    throw error;
  }
  throw new Error(`--ordered-teardown needs kcp v0.32 or later, and this one does not know terminatorPermissions: ${GAINS_NOTHING}`);
}
