import { isKcpError, type Connection } from '@dep-ctrl/kcp-client';
import { groupResourceKey } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { HANDED_OVER, isRefusingAll } from '../own-objects/handed-over.js';
import { guardedBy } from '../controller/configuration/desired-webhooks.js';
import type { FoundObject } from './find-subject.js';

/**
 * Whether kcp asks dep-ctrl about a delete, and takes no for an answer. `handed-over`: it asks where everything is refused until the rules are back.
 * `unknown`: these credentials may not read that.
 */
export type Asked = 'yes' | 'no' | typeof HANDED_OVER | 'unknown';

/** Whether the workspace that exports the type has a configuration of any installation that may refuse its deletes. */
export async function isAskedAbout(
  connection: Connection,
  { type, guardedCluster }: Pick<FoundObject, 'type' | 'guardedCluster'>,
  options: { readonly signal: AbortSignal },
): Promise<Asked> {
  if (guardedCluster === undefined) return 'no';
  try {
    const configuration = await getIfExists(connection.cluster(guardedCluster), WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options);
    if (configuration === undefined) return 'no';
    const isRefusing = guardedBy(configuration).some(
      (each) => each.enforcement === 'Deny' && groupResourceKey(each) === groupResourceKey(type),
    );
    if (!isRefusing) return 'no';
    return isRefusingAll(configuration) ? HANDED_OVER : 'yes';
  } catch (error) {
    if (isKcpError(error, 'forbidden', 'not-found', 'not-served')) return 'unknown';
    throw error;
  }
}
