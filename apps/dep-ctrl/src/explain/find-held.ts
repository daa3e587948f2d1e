// Finds the objects that a teardown waits for: objects of guarded types that are still referenced, and objects of bound types with finalizers.
import { isKcpError, listAll, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  printGroupResource,
  type GroupResource,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { versionServing } from '@dep-ctrl/exported-types';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { HANDED_OVER } from '../own-objects/handed-over.js';
import { circleAmong, type RefusedObject } from './held-circle.js';
import { endingPart, type EndingPart } from './ending-parts.js';
import { boundTypes, type BoundType } from './find-subject.js';
import { explainDelete, type Rehearsal } from './rehearse-reviews.js';
import { rulesNaming } from './unready-rules.js';
import { heldByFinalizers, heldByRules, type HeldObject, type LeftType } from './teardown.js';

// Of each type: more blockers than a person reads, few enough to ask about one by one.
const LOOK_AT = 200;

/** The objects found, and the types that were not looked at completely. */
export interface Held {
  readonly held: readonly HeldObject[];
  readonly circle?: readonly string[];
  readonly cutTypes: readonly string[];
  readonly left: readonly LeftType[];
  readonly ending: readonly EndingPart[];
}

/** How much to look at. */
export interface Thoroughness {
  /** Objects of each type. */
  readonly ofEach: number;
  /** Whether to stop asking about rules. Objects that finalizers keep are still found. */
  readonly isEnough: () => boolean;
}

const NAMESPACES: GroupVersionResource = { group: '', version: 'v1', resource: 'namespaces' };

const NOTHING = { held: [], refused: [], isCut: false, left: { count: 0, isMore: false } };

const THOROUGH: Thoroughness = { ofEach: LOOK_AT, isEnough: () => false };

/** Looks at every bound type. */
export async function findHeld(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  rehearsal: Rehearsal,
  thoroughness: Thoroughness = THOROUGH,
): Promise<Held> {
  const { objects } = await listAll(connection.cluster(workspace), API_BINDINGS, {}, rehearsal);
  const held: HeldObject[] = [];
  const refused: RefusedObject[] = [];
  const cutTypes: string[] = [];
  const left: LeftType[] = [];
  for (const bound of objects.flatMap(boundTypes)) {
    const found = await findOfType(
      connection,
      workspace,
      { bound, version: await readVersion(connection, workspace, bound, rehearsal), thoroughness },
      rehearsal,
    );
    held.push(...found.held);
    refused.push(...found.refused);
    left.push({ type: printGroupResource(bound), ...found.left });
    if (found.isCut) cutTypes.push(printGroupResource(bound));
  }
  const namespaces = await listNamespaces(connection.cluster(workspace), rehearsal);
  const ending = [
    ...namespaces.flatMap((each) => endingPart('namespace', each) ?? []),
    ...objects.flatMap((each) => endingPart('binding', each) ?? []),
  ];
  const circle = circleAmong(refused);
  return { held, ...(circle !== undefined && { circle }), cutTypes, left, ending };
}

/** A user who may not read them is not told of them. */
async function listNamespaces(client: ClusterClient, options: Stoppable): Promise<readonly KubeObject[]> {
  try {
    return (await listAll(client, NAMESPACES, {}, options)).objects;
  } catch (error) {
    if (isKcpError(error, 'forbidden')) return [];
    throw error;
  }
}

interface TypeToLookAt {
  readonly bound: BoundType;
  /** Undefined: a type whose binding is gone already goes with it. */
  readonly version: string | undefined;
  readonly thoroughness: Thoroughness;
}

interface FoundOfType {
  readonly held: readonly HeldObject[];
  readonly refused: readonly RefusedObject[];
  readonly isCut: boolean;
  readonly left: Omit<LeftType, 'type'>;
}

async function findOfType(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  { bound, version, thoroughness: { ofEach, isEnough } }: TypeToLookAt,
  rehearsal: Rehearsal,
): Promise<FoundOfType> {
  if (version === undefined) return NOTHING;
  const type: GroupVersionResource = { group: bound.group, version, resource: bound.resource };
  const asked = await rehearsal.isAsked({ type, guardedCluster: bound.exporter });
  const isGuarded = asked === HANDED_OVER || rulesNaming({ cluster: bound.exporter, type: bound }, rehearsal.rules.snapshot()).length > 0;
  const held: HeldObject[] = [];
  const refused: RefusedObject[] = [];
  let isCut = false;
  for await (const page of connection.cluster(workspace).list(type, { limit: ofEach }, rehearsal)) {
    const here = page.objects();
    for (const object of here) {
      const byFinalizers = heldByFinalizers(type, object);
      const isLeft = byFinalizers === undefined && isGuarded && isEnough();
      isCut ||= isLeft;
      if (byFinalizers !== undefined) held.push(byFinalizers);
      else if (isGuarded && !isLeft) await askAbout(object);
    }
    return { held, refused, isCut: isCut || !page.last, left: { count: here.length, isMore: !page.last } };
  }
  return NOTHING;

  async function askAbout(object: KubeObject): Promise<void> {
    const alike = { ...rehearsal, isAsked: () => Promise.resolve(asked) };
    const explanation = await explainDelete(alike, { type, guardedCluster: bound.exporter, object }, workspace);
    const one = heldByRules(explanation);
    if (one === undefined) return;
    held.push(one);
    const { name = '', namespace } = object.metadata;
    const holders = explanation.blockers.filter(({ enforcement }) => enforcement === 'Deny').map(printObject);
    refused.push({ object: printObject({ type: printGroupResource(type), name, namespace }), holders });
  }
}

function printObject({
  type,
  name,
  namespace,
}: {
  readonly type: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}): string {
  return `${type}/${name}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

async function readVersion(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  type: GroupResource,
  rehearsal: Rehearsal,
): Promise<string | undefined> {
  try {
    return await versionServing(connection, workspace, type, rehearsal);
  } catch (error) {
    if (isKcpError(error, 'not-served')) return undefined;
    throw error;
  }
}
