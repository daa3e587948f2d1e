import { KcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** The failure of whoever asked kcp and found that what was seen is not what is: the work is done again once the watch shows it. */
export function outdated(client: ClusterClient, verb: 'get' | 'list', type: GroupVersionResource, problem: string): KcpError {
  return new KcpError({ code: 'conflict', ...client.describe(verb, type), problem });
}
