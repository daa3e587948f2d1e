// Which objects of a workspace would not go now: those of guarded types that are still referenced, and those of any bound type that finalizers keep.
import { isKcpError, listAll, type Connection } from '@dep-ctrl/kcp-client';
import {
  printGroupResource,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { versionServing } from '@dep-ctrl/exported-types';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { boundTypes, type BoundType } from './find-subject.js';
import { explainDelete, type Rehearsal } from './rehearse-reviews.js';
import { rulesNaming } from './unready-rules.js';
import { heldByFinalizers, heldByRules, type HeldObject } from './teardown.js';

// Of each type: more blockers than a person reads, few enough to ask about one by one.
const LOOK_AT = 200;

/** What holds, and the types of which not everything was looked at. */
export interface Held {
  readonly held: readonly HeldObject[];
  readonly cutTypes: readonly string[];
}

/** Looks at every bound type. */
export async function findHeld(connection: Connection, workspace: LogicalClusterName | WorkspacePath, rehearsal: Rehearsal): Promise<Held> {
  const { objects } = await listAll(connection.cluster(workspace), API_BINDINGS, {}, rehearsal);
  const held: HeldObject[] = [];
  const cutTypes: string[] = [];
  for (const bound of objects.flatMap(boundTypes)) {
    const found = await findOfType(connection, workspace, bound, rehearsal);
    held.push(...found.held);
    if (found.isCut) cutTypes.push(printGroupResource(bound));
  }
  return { held, cutTypes };
}

async function findOfType(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  bound: BoundType,
  rehearsal: Rehearsal,
): Promise<{ readonly held: readonly HeldObject[]; readonly isCut: boolean }> {
  const type = await typeOf(connection, workspace, bound, rehearsal);
  if (type === undefined) return { held: [], isCut: false };
  const isGuarded = rulesNaming({ cluster: bound.exporter, type: bound }, rehearsal.rules.snapshot()).length > 0;
  const held: HeldObject[] = [];
  for await (const page of connection.cluster(workspace).list(type, { limit: LOOK_AT }, rehearsal)) {
    for (const object of page.objects()) {
      const one = heldByFinalizers(type, object) ?? (isGuarded ? await refused(type, bound, object) : undefined);
      if (one !== undefined) held.push(one);
    }
    return { held, isCut: !page.last };
  }
  return { held, isCut: false };

  async function refused(of: GroupVersionResource, { exporter }: BoundType, object: KubeObject): Promise<HeldObject | undefined> {
    return heldByRules(await explainDelete(rehearsal, { type: of, guardedCluster: exporter, object }, workspace));
  }
}

/** Undefined: a type whose binding is gone already goes with it. */
async function typeOf(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  { group, resource }: BoundType,
  rehearsal: Rehearsal,
): Promise<GroupVersionResource | undefined> {
  try {
    const version = await versionServing(connection, workspace, { group, resource }, rehearsal);
    return version === undefined ? undefined : { group, version, resource };
  } catch (error) {
    if (isKcpError(error, 'not-found', 'not-served')) return undefined;
    throw error;
  }
}
