// Lists of what tenants have in their workspaces: it is as many and as large as kcp takes it, and each page must come within the time of one answer.
import type { ClusterClient, ListQuery, Stoppable } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';

/** How they are listed. */
export const OF_TENANTS = { limit: 50, onTimeout: 'shrink' } as const;

const PAGES = {
  ...OF_TENANTS,
  maxPageBytes: 16 * 1024 * 1024,
  maxBytes: Number.MAX_SAFE_INTEGER,
  onTooLarge: 'shrink',
} as const;

/**
 * The configurations of the name that dep-ctrl gives them. Beside it a workspace may hold any number of others, which are read and let go: over all
 * workspaces kcp finds nothing by a name.
 */
export async function namedAsOurs(
  all: Pick<ClusterClient, 'list'>,
  options: Stoppable,
  query: Pick<ListQuery, 'labelSelector'> = {},
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const page of all.list(WEBHOOK_CONFIGURATIONS, { ...PAGES, ...query }, options)) {
    found.push(...page.objects().filter(({ metadata }) => metadata.name === GUARD_NAME));
  }
  return found;
}
