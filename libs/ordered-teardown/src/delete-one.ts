// One delete, or one annotation, in a dying workspace, and what its answer means.
import { isKcpError, type ClusterClient, type GroupVersionResource, type KcpError, type Stoppable } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Ordering } from './ordering.js';

/** What became of an object. */
export type Deleted =
  | { readonly kind: 'gone' }
  | { readonly kind: 'held' }
  | { readonly kind: 'referenced' }
  | { readonly kind: 'refused'; readonly message: string }
  /** kcp did not answer in time: a webhook of others may keep it waiting. What came of it, the next look shows. */
  | { readonly kind: 'unanswered' };

/** An object of a type. */
export interface Target {
  readonly type: GroupVersionResource;
  readonly object: KubeObject;
}

/** The terminator has no right to do this. Every object of the type would be refused so. */
export class RightMissing extends Error {
  readonly verb: string;

  constructor(verb: string, cause: unknown) {
    super(`the terminator may not ${verb}`, { cause });
    this.verb = verb;
  }
}

/** How long one request may take: whoever makes kcp wait takes the time of nobody else. */
export interface RequestOptions extends Stoppable {
  readonly timeoutMs: number;
}

/** Deletes the object with this uid; another one that has its name by now stays. Throws KcpError where kcp is away, and RightMissing. */
export async function deleteOne(
  client: Pick<ClusterClient, 'delete'>,
  target: Target,
  { isReferenced, ...options }: RequestOptions & { readonly isReferenced: Ordering['isReferenced'] | undefined },
): Promise<Deleted> {
  const { uid, finalizers = [] } = target.object.metadata;
  try {
    await client.delete(target.type, refOf(target), { ...options, preconditions: { uid }, propagationPolicy: 'Background' });
    return { kind: finalizers.length === 0 ? 'gone' : 'held' };
  } catch (failure) {
    if (isRightMissing(failure)) throw new RightMissing('delete', failure);
    if (isKcpError(failure, 'timeout')) return { kind: 'unanswered' };
    if (!isAnswer(failure)) throw failure;
    if (isKcpError(failure, 'not-found', 'conflict') && !isOfWebhook(failure)) return { kind: 'gone' };
    if (isReferenced?.(failure) === true) return { kind: 'referenced' };
    return { kind: 'refused', message: failure.statusBody?.message ?? failure.message };
  }
}

/** Lets the object with this uid go although others refer to it. Whether that was of use, the next delete shows. Throws as `deleteOne`. */
export async function annotateOne(
  client: Pick<ClusterClient, 'patch'>,
  target: Target,
  { annotation, ...options }: RequestOptions & { readonly annotation: string },
): Promise<boolean> {
  // Every object of kcp has annotations: kcp itself notes the logical cluster there.
  const path = `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const body = [
    { op: 'test', path: '/metadata/uid', value: target.object.metadata.uid },
    { op: 'add', path, value: 'true' },
  ];
  try {
    await client.patch(target.type, refOf(target), { kind: 'json', body }, options);
    return true;
  } catch (failure) {
    if (isRightMissing(failure)) throw new RightMissing('patch', failure);
    if (!isAnswer(failure) && !isKcpError(failure, 'timeout')) throw failure;
    return false;
  }
}

/** The virtual workspace itself refuses with plain text: what `terminatorPermissions` do not name. The workspace refuses with a Status. */
export function isRightMissing(failure: unknown): boolean {
  return isKcpError(failure, 'forbidden') && failure.statusBody === undefined;
}

/** Whether the workspace itself has answered about the object. */
function isAnswer(failure: unknown): failure is KcpError {
  if (!isKcpError(failure) || failure.statusBody === undefined) return false;
  return isOfWebhook(failure) || (failure.code !== 'unauthorized' && failure.code !== 'not-served');
}

/** Whether a webhook has refused it: that chooses the status, and must not pass for kcp. */
function isOfWebhook({ statusBody }: KcpError): boolean {
  return statusBody?.message?.startsWith('admission webhook "') === true;
}

function refOf({ object: { metadata } }: Target): { readonly name: string; readonly namespace?: string } {
  const { name = '', namespace } = metadata;
  return { name, ...(namespace !== undefined && { namespace }) };
}
