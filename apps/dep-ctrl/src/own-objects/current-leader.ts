import { isKcpError, type ObjectClient, type Waiting } from '@dep-ctrl/kcp-client';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { leaseView } from './lease-view.js';

/** The type of the Lease. */
export const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

/** The controller that leads; undefined if none does, or if the Lease may not be read. */
export async function currentLeader(
  home: Pick<ObjectClient, 'get'>,
  named: { readonly name: string; readonly namespace: string },
  { clock, signal }: Waiting,
): Promise<string | undefined> {
  try {
    const lease = await getIfExists(home, LEASES, named, { signal });
    const view = leaseView(lease, clock.now());
    return view?.isFresh === true && view.holder !== '' ? view.holder : undefined;
  } catch (error) {
    if (isKcpError(error, 'forbidden')) return undefined;
    throw error;
  }
}
