// The part of bootstrap that is about the type of the ordered teardown.
import { isKcpError, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { deriveTypes, type DerivedTypes } from '../read-access/derive-types.js';
import { TEARDOWN_TYPE, teardownAccessIn, teardownType } from '../teardown-type/teardown-type.js';
import { nextTeardownAccess, readTeardownType, writeTeardownType } from '../teardown-type/write-teardown-type.js';
import { applyObjects, refuseForeign, type ApplyOptions } from './apply-objects.js';
import { planned, type BootstrapPlan, type PlannedObject } from './plan-bootstrap.js';

/** Writes the type and the rights about it where it is asked for or there; returns notes for people. */
export async function writeOrderedTeardown(
  connection: Connection,
  home: ClusterClient,
  plan: BootstrapPlan,
  { isAsked, ...options }: ApplyOptions & { readonly isAsked: boolean },
): Promise<readonly string[]> {
  const { adopt, onEnsured, signal } = options;
  const first = await readTeardownType(home, options);
  if (first === undefined && !isAsked) return [];
  await applyObjects(home, plan.teardown, options);
  const derived = await deriveTypes(connection, home, options);
  const mayTouch = (observed: Parameters<typeof refuseForeign>[0]): void => refuseForeign({ kind: 'WorkspaceType', ...observed }, adopt);
  const { change } = await writeTeardownType(home, { first, derived, mayTouch, signal });
  onEnsured('WorkspaceType', TEARDOWN_TYPE, change);
  return derived.notes;
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
    // A user who may not read it cannot apply what is printed either.
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
