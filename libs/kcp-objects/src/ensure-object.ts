import { isKcpError, type ClusterClient, type ObjectClient, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { mergeDesired } from './merge-desired.js';

/** What it took to make an object as it should be. */
export type Ensured = 'created' | 'updated' | 'unchanged';

// Another writer may come in between each time; five in a row are a quarrel that a person should see.
const ATTEMPTS = 5;

/** Makes sure that the object exists and says what `desired` says; what others added to it stays. `mayTouch` can refuse by throwing. */
export async function ensureObject(
  client: ClusterClient,
  type: GroupVersionResource,
  desired: KubeObject,
  { signal, mayTouch }: { readonly signal: AbortSignal; readonly mayTouch?: (observed: KubeObject) => void },
): Promise<Ensured> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const observed = await getIfExists(client, type, desired.metadata, { signal });
      if (observed === undefined) {
        await client.create(type, desired, { signal });
        return 'created';
      }
      mayTouch?.(observed);
      const merged = mergeDesired(observed, desired);
      if (merged === undefined) return 'unchanged';
      await client.replace(type, merged, { signal });
      return 'updated';
    } catch (error) {
      const raced = isKcpError(error, 'conflict', 'already-exists');
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The object, or undefined when the server says that there is none of that name. Any other 404, such as a kcp that starts gives, is thrown. */
export async function getIfExists(
  client: Pick<ObjectClient, 'get'>,
  type: GroupVersionResource,
  { name, namespace }: KubeObject['metadata'],
  { signal }: Stoppable,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(type, { name: name ?? '', namespace }, { signal });
  } catch (error) {
    if (isKcpError(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Deletes the object; whether there was one. Does not wait for its finalizers. */
export async function deleteIfExists(
  client: ClusterClient,
  type: GroupVersionResource,
  { name, namespace }: KubeObject['metadata'],
  { signal }: Stoppable,
): Promise<boolean> {
  try {
    await client.delete(type, { name: name ?? '', namespace }, { signal });
    return true;
  } catch (error) {
    if (isKcpError(error, 'not-found')) return false;
    throw error;
  }
}
