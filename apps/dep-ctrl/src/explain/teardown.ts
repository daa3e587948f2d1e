// What the teardown of a workspace waits for, from what stands in it. Pure.
import type { GroupVersionResource, KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { printFirst } from '@dep-ctrl/exported-types';
import { SKIP_ANNOTATION } from '@dep-ctrl/rule-registry';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { printEnding, type EndingPart } from './ending-parts.js';
import { UNSEEN, type Explanation } from './explanation.js';

/** What `explain` answers about a workspace. */
export interface TeardownExplanation {
  readonly workspace: string;
  /** When its deletion began; absent: it is not being deleted, and the rest says what would be in its way. */
  readonly deletingSince?: string;
  /** What kcp itself says about the content that is left. */
  readonly kcpSays?: string;
  /** Controllers that have asked to be waited for. */
  readonly terminators: readonly string[];
  /** The one of dep-ctrl among them. */
  readonly ownTerminator?: string;
  /** What of the bound types is there. */
  readonly left: readonly LeftType[];
  /** Namespaces and bindings that are being deleted. */
  readonly ending: readonly EndingPart[];
  /** Present where kcp was refused: its next try comes within this time, as far as that can be known. */
  readonly triesAgainWithinSeconds?: number;
  readonly held: readonly HeldObject[];
  /** Present where some of the refused refer to each other in a circle: one such circle. */
  readonly circle?: readonly string[];
  /** Types of which more objects exist than were looked at. */
  readonly cutTypes: readonly string[];
}

/** One object that does not go now. */
export interface HeldObject {
  readonly object: string;
  readonly namespace?: string;
  readonly because: 'refused' | 'finalizers';
  readonly message: string;
  /** Present if it may not hold: these credentials may not read whether kcp asks dep-ctrl. */
  readonly isDoubtful?: true;
}

/** How many objects of a type are there; `isMore`: at least so many. */
export interface LeftType {
  readonly type: string;
  readonly count: number;
  readonly isMore: boolean;
}

/** What the LogicalCluster inside the workspace says about its end. */
export function readTeardown(
  logicalCluster: KubeObject,
  workspace: LogicalClusterName | WorkspacePath,
  ownEntry?: string,
): Pick<TeardownExplanation, 'workspace' | 'deletingSince' | 'kcpSays' | 'terminators' | 'ownTerminator'> {
  const { deletionTimestamp } = logicalCluster.metadata;
  const { conditions = [], terminators = [] } = (logicalCluster['status'] ?? {}) as LogicalClusterStatus;
  const content = conditions.find(({ type, status }) => type === 'WorkspaceContentDeleted' && status !== 'True');
  return {
    workspace,
    ...(deletionTimestamp === undefined ? {} : { deletingSince: deletionTimestamp }),
    ...(content?.message === undefined || content.message === '' ? {} : { kcpSays: content.message }),
    terminators,
    ...(ownEntry !== undefined && terminators.includes(ownEntry) && { ownTerminator: ownEntry }),
  };
}

// kcp doubles its pause after each failure, up to this: 5 ms * 2^n (client-go's exponential rate limiter).
const LONGEST_PAUSE_S = { namespace: 60, binding: 1_000, workspace: 1_000 };

/**
 * Says when kcp tries again where it was refused: pauses double, so that the next one is about as long as all of them so far. The workspace, a namespace and
 * a binding have pauses of their own; the first to come counts. Pure.
 */
export function withNextTry(explanation: TeardownExplanation, nowMs: number): TeardownExplanation {
  const { deletingSince, held, ending } = explanation;
  const refused = held.filter(({ because }) => because === 'refused');
  if (refused.length === 0) return explanation;
  const deleting = [
    ...(deletingSince === undefined ? [] : [{ what: 'workspace', since: deletingSince } as const]),
    ...ending.filter(({ what, name }) => what === 'binding' || refused.some(({ namespace }) => namespace === name)),
  ];
  const pauses = deleting.flatMap(({ what, since }) => {
    const soFarS = Math.ceil((nowMs - Date.parse(since)) / 1000);
    return Number.isNaN(soFarS) ? [] : [Math.min(Math.max(soFarS, 1), LONGEST_PAUSE_S[what])];
  });
  return pauses.length === 0 ? explanation : { ...explanation, triesAgainWithinSeconds: Math.min(...pauses) };
}

interface LogicalClusterStatus {
  readonly terminators?: readonly string[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
}

/** The object, when its delete was accepted and finalizers keep it. */
export function heldByFinalizers(type: GroupVersionResource, { metadata }: KubeObject): HeldObject | undefined {
  const { deletionTimestamp, finalizers = [], namespace, name = '' } = metadata;
  if (deletionTimestamp === undefined || finalizers.length === 0) return undefined;
  const message = `is being deleted and waits for ${finalizers.length === 1 ? 'its finalizer' : 'its finalizers'} ${finalizers.join(', ')}`;
  return { object: `${type.resource}/${name}`, ...(namespace === undefined ? {} : { namespace }), because: 'finalizers', message };
}

/** The object, when its delete would be refused. */
export function heldByRules(explanation: Explanation): HeldObject | undefined {
  const { allowed, object, namespace, message = 'a delete would be refused', warnings } = explanation;
  if (allowed) return undefined;
  const doubt = warnings.includes(UNSEEN) ? ({ isDoubtful: true } as const) : {};
  return { object, ...(namespace === undefined ? {} : { namespace }), because: 'refused', message, ...doubt };
}

/** The explanation as text. */
export function printTeardown(explanation: TeardownExplanation): string {
  const { workspace, deletingSince, kcpSays, terminators, held: found, cutTypes, ending, ownTerminator } = explanation;
  const isDeleting = deletingSince !== undefined;
  // What the controller will take in order is nothing to wait for.
  const isInOrder = ({ because }: HeldObject): boolean => !isDeleting && ownTerminator !== undefined && because === 'refused';
  const held = found.filter((object) => !isInOrder(object));
  const waits = terminators.length + held.length > 0;
  const begins = isDeleting
    ? `${workspace} is being deleted (since ${deletingSince})${waits ? ' and waits for' : ': nothing that dep-ctrl knows of holds it; kcp pauses longer after each of its tries'}`
    : `${workspace} is not being deleted${waits ? '; if it were, kcp would have to wait for' : ', and nothing would hold it'}`;
  const tries = triesAgain(explanation);
  const circle = closedCircle(explanation);
  const lines = [
    begins,
    ...terminators.map((terminator) => `  terminator ${terminator}${whose(terminator, explanation)}`),
    ...held.map(
      ({ object, namespace, message }) => `  ${object}${namespace === undefined ? '' : ` in namespace ${namespace}`}: ${message}`,
    ),
    ...cutTypes.map((type) => `  (of ${type} only the first were looked at)`),
    ...(isDeleting ? printLeft(explanation) : []),
    ...ending.map(printEnding),
    ...(kcpSays === undefined ? [] : [`  kcp says: ${kcpSays}`]),
    ...(tries === undefined ? [] : [tries]),
    ...(circle === undefined ? [] : [circle]),
    ...(held.some(({ isDoubtful }) => isDoubtful === true) ? [`warning: ${UNSEEN}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** What becomes of what is refused now, and when; undefined: nothing is. */
export function triesAgain({ held, ownTerminator, circle, triesAgainWithinSeconds: within }: TeardownExplanation): string | undefined {
  // The controller does not pause like that, and it has an order.
  if (ownTerminator !== undefined || !held.some(({ because }) => because === 'refused')) return undefined;
  const next = within === undefined ? '' : `; it pauses longer after each refusal: its next try comes within about ${printSeconds(within)}`;
  const except = circle === undefined ? '' : ', except in a circle';
  return `kcp deletes in no particular order and tries again: what is refused now goes once nothing refers to it any more${except}${next}`;
}

/** What never goes by itself, and what to do about it; undefined: nothing is known of that kind. */
export function closedCircle({ circle, ownTerminator }: TeardownExplanation): string | undefined {
  // The controller finds circles itself.
  if (circle === undefined || ownTerminator !== undefined) return undefined;
  const named = printFirst(circle, { most: 5 });
  return `${named} refer to each other in a circle, so that none of them goes by itself: change the reference of one, or annotate one with ${SKIP_ANNOTATION}=true`;
}

function whose(terminator: string, { ownTerminator, deletingSince }: TeardownExplanation): string {
  // One of that name may be of an installation that was not asked for.
  if (!terminator.endsWith(`:${TEARDOWN_TYPE}`)) return ' (not of dep-ctrl: the owner of that type must remove it)';
  if (terminator !== ownTerminator) return '';
  return deletingSince === undefined
    ? ' (of dep-ctrl: its controller then deletes dependents first)'
    : ' (of dep-ctrl: its controller deletes dependents first, then removes this terminator; if nothing changes, see dep-ctrl doctor)';
}

function printLeft({ left }: TeardownExplanation): readonly string[] {
  const counts = left.filter(({ count }) => count > 0).map(({ type, count, isMore }) => `${type} ${count}${isMore ? ' or more' : ''}`);
  return counts.length === 0 ? [] : [`  left: ${printFirst(counts, { most: 10 })}`];
}

function printSeconds(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
