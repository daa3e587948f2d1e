// Changes an object that grants access to listed types. Several `bind` and `bootstrap` commands may change it at the same time, so it is read, changed
// and written with its resourceVersion.
import { isKcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import { printGroupResource, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { type Ensured, getIfExists, mergeDesired } from '@dep-ctrl/kcp-objects';
import { typesWithout, type ReadAccess } from './read-rules.js';
import { bytesOf, MOST_BYTES } from './share-out.js';

// Commands of several people may meet; each needs one turn.
const ATTEMPTS = 10;

/** An object that grants access: how it is found, read and written. */
export interface AccessHolder {
  /** For people. */
  readonly kind: string;
  readonly type: GroupVersionResource;
  readonly name: string;
  readonly accessIn: (object: KubeObject) => ReadAccess;
  readonly holding: (access: ReadAccess) => KubeObject;
}

/** A change of the access. */
export interface AccessChange {
  readonly change: Ensured;
  readonly before: ReadAccess | undefined;
  readonly after: ReadAccess | undefined;
}

/** How to change it. */
export interface ChangeOptions {
  readonly signal: AbortSignal;
  /** Can refuse by throwing. */
  readonly mayTouch?: (observed: KubeObject) => void;
}

/** Changes the object to the result of `accessAfter`, which gets the current access, undefined if there is no object; undefined leaves all as it is. */
export async function changeAccess(
  client: ClusterClient,
  holder: AccessHolder,
  accessAfter: (now: ReadAccess | undefined) => ReadAccess | undefined,
  { signal, mayTouch }: ChangeOptions,
): Promise<AccessChange> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const observed = await getIfExists(client, holder.type, { name: holder.name }, { signal });
      const before = observed && holder.accessIn(observed);
      const after = accessAfter(before);
      if (after === undefined) return { change: 'unchanged', before, after: before };
      refuseTooLarge(holder, before, after);
      const desired = holder.holding(after);
      if (observed === undefined) {
        await client.create(holder.type, desired, { signal });
        return { change: 'created', before, after };
      }
      mayTouch?.(observed);
      const merged = mergeDesired(observed, desired);
      if (merged === undefined) return { change: 'unchanged', before, after };
      await client.replace(holder.type, merged, { signal });
      return { change: 'updated', before, after };
    } catch (error) {
      const raced = isKcpError(error, 'conflict', 'already-exists');
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

function refuseTooLarge({ kind }: AccessHolder, before: ReadAccess | undefined, after: ReadAccess): void {
  if (after.kind === 'wildcard' || bytesOf(after.types) <= MOST_BYTES) return;
  const added = before?.kind === 'listed' ? typesWithout(after.types, before.types) : after.types;
  const first = added[0] === undefined ? '' : `, ${printGroupResource(added[0])} among them`;
  throw new Error(
    `${after.types.length} types are too many for one ${kind} (${added.length} of them new${first}): dep-ctrl bootstrap shares the room out among the providers${kind === 'ClusterRole' ? ', and with --read-access wildcard the webhook needs no list' : ''}`,
  );
}
