// One round over the objects of a type: page by page each is looked at once, and deleted unless it goes already. What is kept of them is bounded.
import type { BoundType } from '@dep-ctrl/exported-types';
import { atMost, isKcpError, MOST_PAGE_BYTES, type ClusterClient, type GroupVersionResource, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, KubeObject } from '@dep-ctrl/kcp-names';
import { annotateOne, deleteOne, isRightMissing, RightMissing, type Deleted, type Target } from './delete-one.js';
import type { Ordering } from './ordering.js';
import type { PassTime } from './pass-time.js';
import type { Round } from './stage-step.js';
import { MOST_NAMED, type HeldObject } from './teardown-line.js';

/** Where to sweep, until when, and who is told. */
export interface SweepContext {
  /** The workspace through the virtual workspace of the terminator. */
  readonly client: Pick<ClusterClient, 'list' | 'delete' | 'patch'>;
  readonly ordering: Pick<Ordering, 'isReferenced' | 'skipAnnotation' | 'hints'>;
  readonly time: PassTime;
  /** How long one request may take. */
  readonly requestMs: number;
  readonly onDeleted: () => void;
  readonly onAnnotated: () => void;
}

/** What a round over a type found. */
export interface Sweep {
  readonly kind: 'swept';
  readonly round: Round;
  /** Some of what is left, for people. */
  readonly named: readonly HeldObject[];
  /** Those that were refused as others refer to them, up to a bound. */
  readonly referenced: readonly Target[];
  /** There was no time for all of them. */
  readonly isCut: boolean;
  /** A request was not answered in time: the others were not begun. */
  readonly isSlow: boolean;
}

/** A type that is left to kcp, and a phrase that says why. */
export interface LeftType {
  readonly kind: 'left';
  readonly type: GroupResource;
  readonly why: string;
}

/** A type that is bound no more, or that kcp does not serve. */
export interface Unserved {
  readonly kind: 'unserved';
}

/** Requests at a time in one workspace: with ten workspaces, some half of the connections of a process. */
const IN_FLIGHT = 5;
/** How many refused objects a round remembers, to annotate them; the next round meets the others. */
const MOST_REFERENCED = 1_000;

/** Looks at each object of a type once. Throws KcpError where kcp does not answer as it should. */
export async function sweep(type: BoundType, context: SweepContext, options: Stoppable): Promise<Sweep | LeftType | Unserved> {
  for (const version of type.versions) {
    try {
      return await sweepAs({ group: type.group, version, resource: type.resource }, context, options);
    } catch (failure) {
      if (isRightMissing(failure)) return leftWithout('list', type, context);
      if (failure instanceof RightMissing) return leftWithout(failure.verb, type, context);
      if (!isKcpError(failure, 'not-served')) throw failure;
    }
  }
  return { kind: 'unserved' };
}

/** Lets refused objects go although they are referred to. Answers with what was left, where the right is missing. */
export async function annotate(targets: readonly Target[], context: SweepContext, { signal }: Stoppable): Promise<LeftType | undefined> {
  const { client, ordering, time, requestMs, onAnnotated } = context;
  const { skipAnnotation: annotation } = ordering;
  if (annotation === undefined) return undefined;
  try {
    const work = async (target: Target): Promise<void> => {
      if (await annotateOne(client, target, { signal, timeoutMs: requestMs, annotation })) onAnnotated();
    };
    await atMost(IN_FLIGHT, targets, work, () => time.isOver());
    return undefined;
  } catch (failure) {
    if (!(failure instanceof RightMissing) || targets[0] === undefined) throw failure;
    return leftWithout(failure.verb, targets[0].type, context);
  }
}

function leftWithout(verb: string, type: GroupResource, { ordering: { hints } }: SweepContext): LeftType {
  const how = ['add it to spec.terminatorPermissions of the WorkspaceType', hints?.onTypes].filter((part) => part !== undefined);
  return { kind: 'left', type, why: `"${verb}" is not allowed: ${how.join(', ')}` };
}

async function sweepAs(type: GroupVersionResource, context: SweepContext, { signal }: Stoppable): Promise<Sweep> {
  const { client, ordering, time, requestMs, onDeleted } = context;
  const { isReferenced } = ordering;
  let isSlow = false;
  const isOver = (): boolean => isSlow || time.isOver();
  const round = { gone: 0, held: 0, newlyHeld: 0, referenced: 0, refused: 0 };
  const [named, referenced]: [HeldObject[], Target[]] = [[], []];
  let isCut = false;
  for await (const page of client.list(type, { as: 'metadata', maxPageBytes: MOST_PAGE_BYTES, onTooLarge: 'shrink' }, { signal })) {
    let begun = 0;
    const work = async (object: KubeObject): Promise<void> => {
      begun += 1;
      const target = { type, object };
      const isGoing = object.metadata.deletionTimestamp !== undefined;
      const became: Deleted = isGoing ? { kind: 'held' } : await deleteOne(client, target, { signal, timeoutMs: requestMs, isReferenced });
      if (became.kind === 'unanswered') isSlow = true;
      round[became.kind === 'unanswered' ? 'refused' : became.kind] += 1;
      if (!isGoing && (became.kind === 'gone' || became.kind === 'held')) onDeleted();
      if (!isGoing && became.kind === 'held') round.newlyHeld += 1;
      if (became.kind === 'referenced' && referenced.length < MOST_REFERENCED) referenced.push(target);
      if (became.kind !== 'gone' && named.length < MOST_NAMED) named.push(heldObject(target, became));
    };
    const objects = page.objects();
    if (objects.length > 0) time.found();
    await atMost(IN_FLIGHT, objects, work, isOver);
    isCut = begun < objects.length || (isOver() && !page.last);
    if (isCut) break;
  }
  return { kind: 'swept', round, named, referenced, isCut, isSlow };
}

function heldObject({ type, object: { metadata } }: Target, became: Exclude<Deleted, { kind: 'gone' }>): HeldObject {
  const { name = '', namespace, finalizers = [] } = metadata;
  return { type, namespace, name, because: became.kind === 'held' ? { kind: 'finalizers', finalizers } : became };
}
