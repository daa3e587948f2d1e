// Lists of what tenants have in their workspaces: it is as many and as large as kcp takes it, and each page must come within the time of one answer.
import { inTurns } from '@dep-ctrl/fair-shares';
import { JsonProjection } from '@dep-ctrl/fieldpath';
import { collect, type ClusterClient, type ListQuery, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';

/** How they are listed. */
export const OF_TENANTS = { limit: 50, onTimeout: 'shrink' } as const;

const EVERYTHING = new JsonProjection('everything');

/** Whatever tenants put into them, other work goes on. */
const inPieces = (json: Buffer): Promise<unknown> => inTurns(EVERYTHING.parse(json));

/**
 * The configurations of the name that dep-ctrl gives them. Beside it a workspace may hold any number of others, which are read and let go: over all
 * workspaces kcp finds nothing by a name.
 */
export function namedAsOurs(
  all: Pick<ClusterClient, 'list'>,
  { signal }: Stoppable,
  { labelSelector }: Pick<ListQuery, 'labelSelector'> = {},
): Promise<readonly KubeObject[]> {
  const take = (object: KubeObject) => (object.metadata.name === GUARD_NAME ? object : undefined);
  return collect(all, WEBHOOK_CONFIGURATIONS, { take, labelSelector, parseLarge: inPieces, signal });
}

/** Asks for a list in a workspace, as far as that shows whether it is granted. Throws KcpError. */
export async function tryList(client: Pick<ClusterClient, 'list'>, type: GroupVersionResource, { signal }: Stoppable): Promise<void> {
  await client.list(type, { limit: 1, as: 'metadata' }, { signal }).next();
}
