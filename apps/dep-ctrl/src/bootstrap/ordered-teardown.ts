// The part of bootstrap that is about the type of the ordered teardown.
import { isKcpError, type ClusterClient, type Connection, type Stoppable, type Waiting } from '@dep-ctrl/kcp-client';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { deriveTypes, type DerivedTypes } from '../read-access/derive-types.js';
import { TEARDOWN_TYPE, teardownAccessIn, teardownType } from '../teardown-type/teardown-type.js';
import { followersIn, mayFollow, type Follower } from '../teardown-type/type-rights.js';
import { nextTeardownAccess, readTeardownType, writeTeardownType } from '../teardown-type/write-teardown-type.js';
import { applyObjects, refuseForeign, type ApplyOptions } from './apply-objects.js';
import { TEARDOWN_ROLE } from './manifests.js';
import { planned, type BootstrapPlan, type PlannedObject } from './plan-bootstrap.js';

/** Writes the type and the rights about it where it is asked for or there; returns notes for people. */
export async function writeOrderedTeardown(
  connection: Connection,
  home: ClusterClient,
  plan: BootstrapPlan,
  { isAsked, cluster, ...options }: ApplyOptions & Waiting & { readonly isAsked: boolean; readonly cluster: LogicalClusterName },
): Promise<readonly string[]> {
  const { adopt, onEnsured, signal } = options;
  const first = await readTeardownType(home, options);
  if (first === undefined && !isAsked) return [];
  await applyObjects(home, plan.teardown, options);
  const unable = await unableFollowers(home, plan, cluster, options);
  // Workspaces of the type would wait for ever. If the type is there already, an upgrade must go on, and a note says so.
  if (unable.length > 0 && first === undefined) throw new Error(`--ordered-teardown: ${nobodyEnds(unable)}`);
  const derived = await deriveTypes(connection, home, options);
  const mayTouch = (observed: Parameters<typeof refuseForeign>[0]): void => refuseForeign({ kind: 'WorkspaceType', ...observed }, adopt);
  const { change } = await writeTeardownType(home, { first, derived, mayTouch, signal });
  onEnsured('WorkspaceType', TEARDOWN_TYPE, change);
  return [...derived.notes, ...(unable.length > 0 ? [nobodyEnds(unable)] : [])];
}

/** Identities of the controller that kcp does not let follow the type. A right counts a moment after it is written. */
async function unableFollowers(
  home: ClusterClient,
  { teardown }: BootstrapPlan,
  cluster: LogicalClusterName,
  { clock, signal }: Waiting,
): Promise<readonly Follower[]> {
  const binding = teardown.find(({ object: { kind, metadata } }) => kind === 'ClusterRoleBinding' && metadata.name === TEARDOWN_ROLE);
  const followers = binding === undefined ? [] : followersIn(binding.object, cluster);
  const start = clock.monotonic();
  for (;;) {
    const answers = await Promise.all(followers.map((each) => mayFollow(home, each, { signal })));
    const unable = followers.filter((_, at) => answers[at]?.includes('denied') === true);
    // No right helps an account: there is nothing to wait for.
    const isSure = unable.every(({ isAccount }) => isAccount) || clock.monotonic() - start > COUNT_WITHIN_MS;
    if (isSure) return unable;
    await clock.sleep(PAUSE_MS, { signal });
  }
}

const COUNT_WITHIN_MS = 5_000;
const PAUSE_MS = 100;

function nobodyEnds(unable: readonly Follower[]): string {
  const says = `kcp does not let ${unable.map(({ name }) => name).join(' and ')} follow the WorkspaceType ${TEARDOWN_TYPE} and end its workspaces, which would wait for ever`;
  if (!unable.some(({ isAccount }) => isAccount)) return `${says}: dep-ctrl doctor says which right is missing`;
  return `${says}: it shows WorkspaceTypes to no ServiceAccount; run bootstrap with --controller-user and --webhook-user, which name users with client certificates`;
}

/** Whether the type of the ordered teardown is asked for or there; `first`: as it is there. */
export interface WantedTeardown {
  readonly isWanted: boolean;
  readonly first: KubeObject | undefined;
}

/** The same, read. `client`: undefined where the workspace would be made first. */
export async function wantedTeardown(client: ClusterClient | undefined, isAsked: boolean, options: Stoppable): Promise<WantedTeardown> {
  try {
    const first = client && (await readTeardownType(client, options));
    return { isWanted: isAsked || first !== undefined, first };
  } catch (error) {
    // Who may not read it cannot apply what is printed either.
    if (isKcpError(error, 'forbidden')) return { isWanted: isAsked, first: undefined };
    throw error;
  }
}

/** The type of the ordered teardown and the rights about it, as they would be. Pure. */
export function teardownObjects(
  { teardown }: BootstrapPlan,
  { isWanted, first }: WantedTeardown,
  derived: DerivedTypes,
): readonly PlannedObject[] {
  if (!isWanted) return [];
  return [planned(teardownType(nextTeardownAccess(first && teardownAccessIn(first), first, derived))), ...teardown];
}
