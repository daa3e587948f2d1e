// What the teardown of a workspace waits for, from what stands in it. Pure.
import type { GroupVersionResource, KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
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
  readonly held: readonly HeldObject[];
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

/** What the LogicalCluster inside the workspace says about its end. */
export function readTeardown(
  logicalCluster: KubeObject,
  workspace: LogicalClusterName | WorkspacePath,
): Pick<TeardownExplanation, 'workspace' | 'deletingSince' | 'kcpSays' | 'terminators'> {
  const { deletionTimestamp } = logicalCluster.metadata;
  const { conditions = [], terminators = [] } = (logicalCluster['status'] ?? {}) as LogicalClusterStatus;
  const content = conditions.find(({ type, status }) => type === 'WorkspaceContentDeleted' && status !== 'True');
  return {
    workspace,
    ...(deletionTimestamp === undefined ? {} : { deletingSince: deletionTimestamp }),
    ...(content?.message === undefined || content.message === '' ? {} : { kcpSays: content.message }),
    terminators,
  };
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
export function printTeardown({ workspace, deletingSince, kcpSays, terminators, held, cutTypes }: TeardownExplanation): string {
  const isDeleting = deletingSince !== undefined;
  const waits = terminators.length + held.length > 0;
  const begins = isDeleting
    ? `${workspace} is being deleted since ${deletingSince}${waits ? ' and waits for' : ': nothing that dep-ctrl knows of holds it'}`
    : `${workspace} is not being deleted${waits ? '; if it were, kcp would have to wait for' : ', and nothing would hold it'}`;
  const lines = [
    begins,
    ...terminators.map((terminator) => `  terminator ${terminator}`),
    ...held.map(
      ({ object, namespace, message }) => `  ${object}${namespace === undefined ? '' : ` in namespace ${namespace}`}: ${message}`,
    ),
    ...cutTypes.map((type) => `  (of ${type} only the first were looked at)`),
    ...(kcpSays === undefined ? [] : [`  kcp says: ${kcpSays}`]),
    ...(held.some(({ because }) => because === 'refused')
      ? ['kcp deletes in no particular order and tries again: what is refused now goes once nothing refers to it any more']
      : []),
    ...(held.some(({ isDoubtful }) => isDoubtful === true) ? [`warning: ${UNSEEN}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
