// After an export was made anew, kcp names the new one in a binding at once, but serves the old types, with their objects, for some seconds more. An object
// that is applied in between seems to exist, and is gone afterwards.
import { isKcpError, listAll, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { printGroupResource, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Probed } from '@dep-ctrl/kcp-objects';
import { boundResourcesOf } from './api-binding.js';
import { isLabelledForAnother } from './moved-export.js';

/**
 * Whether a binding serves types of an export that was there before the one with this identity. If the identity may not be read, kcp tells as long as it
 * moves the binding. Pure.
 */
export function servesFormer(binding: KubeObject, identity: string | undefined): boolean {
  // A view on an object that kcp validated against its own schema; every field stays optional.
  const { status } = binding as unknown as {
    readonly status?: {
      readonly conditions?: readonly { readonly type?: string; readonly status?: string; readonly reason?: string }[];
    };
  };
  if (identity !== undefined) return boundResourcesOf(binding).some(({ identityHash }) => identityHash !== identity);
  const isWaiting = (status?.conditions ?? []).some(
    (condition) => condition.type === 'BindingUpToDate' && condition.status === 'False' && condition.reason === 'WaitingForEstablished',
  );
  return isWaiting && isLabelledForAnother(binding);
}

/** The UIDs of the objects of these types; none of a type that cannot be listed. */
export async function uidsOf(
  client: ClusterClient,
  types: readonly GroupVersionResource[],
  options: Stoppable,
): Promise<ReadonlySet<string | undefined>> {
  const uids = new Set<string | undefined>();
  for (const type of types) {
    try {
      for (const { metadata } of (await listAll(client, type, {}, options)).objects) uids.add(metadata.uid);
    } catch (error) {
      if (!isKcpError(error) || error.code === 'aborted') throw error;
    }
  }
  return uids;
}

/** Whether the types are served and none of these objects is. */
export async function probeGone(
  client: ClusterClient,
  types: readonly GroupVersionResource[],
  { uids, signal }: Stoppable & { readonly uids: ReadonlySet<string | undefined> },
): Promise<Probed<true>> {
  // What was not seen cannot be waited for.
  if (uids.size === 0) return { done: true };
  for (const type of types) {
    try {
      const { objects } = await listAll(client, type, {}, { signal });
      const left = objects.find(({ metadata }) => uids.has(metadata.uid));
      if (left !== undefined) {
        return { waitingFor: `${printGroupResource(type)} "${left.metadata.name ?? ''}" of the export before it is still served` };
      }
    } catch (error) {
      if (!isKcpError(error) || !error.retryable) throw error;
      return { waitingFor: `${printGroupResource(type)} is not served yet: ${error.message}` };
    }
  }
  return { done: true };
}
