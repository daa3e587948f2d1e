import { isKcpError, type Connection } from '@dep-ctrl/kcp-client';
import { groupResourceKey } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { guardedBy } from '../controller/configuration/desired-webhooks.js';
import type { FoundObject } from './find-subject.js';

/** Whether the workspace that exports the type has a configuration for it, of any installation. A user who may not see that is not told. */
export async function isAskedAbout(
  connection: Connection,
  { type, guardedCluster }: FoundObject,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  if (guardedCluster === undefined) return false;
  try {
    const configuration = await getIfExists(connection.cluster(guardedCluster), WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options);
    const guarded = configuration === undefined ? [] : guardedBy(configuration);
    return guarded.some((resource) => groupResourceKey(resource) === groupResourceKey(type));
  } catch (error) {
    if (isKcpError(error, 'forbidden', 'not-found', 'not-served')) return false;
    throw error;
  }
}
