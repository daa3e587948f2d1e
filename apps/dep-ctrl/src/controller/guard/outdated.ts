import { KcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** A conflict: the watch is behind kcp. The work is done again once the watch shows the change. */
export function outdated(client: ClusterClient, verb: 'get' | 'list', type: GroupVersionResource, problem: string): KcpError {
  return new KcpError({ code: 'conflict', ...client.describe(verb, type), problem });
}
