/*
 * Finalizers, added and removed with a merge patch that names uid and resourceVersion: it never overwrites what somebody else wrote, and never meets an object
 * that was made anew under the same name. After a conflict the object is read again.
 */
import type { GroupVersionResource, ObjectMeta } from '@dep-ctrl/kcp-names';
import { isAbsent, isKcpError, type PatchClient, type Stoppable } from '@dep-ctrl/kcp-client';

/** Which object of which type. The metadata may be what the store shows. */
export interface FinalizedObject {
  readonly type: GroupVersionResource;
  readonly metadata: ObjectMeta;
}

/** What became of a finalizer. `leaving`: the object is being deleted, and takes no new finalizer. `gone`: kcp says that this very object is not there. */
export type FinalizerAnswer = 'added' | 'removed' | 'unchanged' | 'leaving' | 'gone';

/** Reads and writes in turns; others who write that often are worth a retry by the queue. */
const ATTEMPTS = 5;

/** Makes sure that an object has a finalizer, before anything is made that needs it. Without a request where the metadata has it. Throws KcpError. */
export function addFinalizer(
  client: PatchClient,
  object: FinalizedObject,
  finalizer: string,
  options: Stoppable,
): Promise<FinalizerAnswer> {
  return change(client, object, options, ({ finalizers = [], deletionTimestamp }) => {
    if (finalizers.includes(finalizer)) return 'unchanged';
    return deletionTimestamp === undefined ? { answer: 'added', finalizers: [...finalizers, finalizer] } : 'leaving';
  });
}

/** Makes sure that an object does not have a finalizer, after everything that needed it is undone. Throws KcpError. */
export function removeFinalizer(
  client: PatchClient,
  object: FinalizedObject,
  finalizer: string,
  options: Stoppable,
): Promise<FinalizerAnswer> {
  return change(client, object, options, ({ finalizers = [] }) => {
    if (!finalizers.includes(finalizer)) return 'unchanged';
    return { answer: 'removed', finalizers: finalizers.filter((each) => each !== finalizer) };
  });
}

type Decision = FinalizerAnswer | { readonly answer: FinalizerAnswer; readonly finalizers: readonly string[] };

async function change(
  client: PatchClient,
  { type, metadata: shown }: FinalizedObject,
  { signal }: Stoppable,
  decide: (metadata: ObjectMeta) => Decision,
): Promise<FinalizerAnswer> {
  const { namespace, name = '' } = shown;
  const ref = { ...(namespace === undefined ? {} : { namespace }), name };
  let metadata = shown;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const decision = decide(metadata);
      if (typeof decision === 'string') return decision;
      const { uid, resourceVersion } = metadata;
      const body = { metadata: { uid, resourceVersion, finalizers: decision.finalizers } };
      try {
        await client.patch(type, ref, { kind: 'merge', body }, { signal });
        return decision.answer;
      } catch (error) {
        if (!isKcpError(error, 'conflict') || attempt >= ATTEMPTS) throw error;
      }
      ({ metadata } = await client.get(type, ref, { signal }));
      if (shown.uid !== undefined && metadata.uid !== shown.uid) return 'gone';
    }
  } catch (error) {
    if (isAbsent(error, type, name)) return 'gone';
    throw error;
  }
}
