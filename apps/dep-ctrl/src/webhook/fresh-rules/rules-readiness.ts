import { type EndpointsState, type Freshness, isKcpError, type KcpError, type ReadinessAnswer } from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey } from '@dep-ctrl/kcp-names';
import { DECIDING_TYPES } from './live-endpoint.js';

/**
 * Ready if every reachable endpoint has listed everything once and at least one watch works, or has been broken for less than the bound. A shard that is
 * down does not make this process unready: it still judges deletions for the other shards.
 */
export function rulesReadiness(
  { slice, sliceFreshness, endpoints }: EndpointsState,
  { nowMs, maxDisconnectedMs }: { readonly nowMs: number; readonly maxDisconnectedMs: number },
): ReadinessAnswer {
  if (slice.kind === 'unknown')
    return { ready: false, missing: withReason('the endpoints of the export have not been read', slice.lastError) };
  if (slice.kind === 'no-slice' && endpoints.size === 0) return { ready: false, missing: 'the export has no endpoint slice yet' };
  const isLongBroken = ({ disconnectedSinceMs }: Freshness): boolean =>
    disconnectedSinceMs !== undefined && nowMs - disconnectedSinceMs > maxDisconnectedMs;

  const watches = [...endpoints].flatMap(([endpoint, byType]) =>
    DECIDING_TYPES.map((type) => ({ endpoint, type, freshness: byType.get(groupVersionResourceKey(type)) })),
  );
  const unread = watches.find(({ freshness }) => freshness?.synced !== true && !isAway(freshness));
  if (unread !== undefined) {
    const { type, endpoint, freshness } = unread;
    return { ready: false, missing: withReason(`${type.resource} of ${endpoint} have not been listed`, freshness?.lastError) };
  }
  if (isLongBroken(sliceFreshness)) return { ready: false, missing: 'the endpoints of the export are not being watched' };
  if (watches.length > 0 && watches.every(({ freshness }) => freshness === undefined || !freshness.synced || isLongBroken(freshness))) {
    return { ready: false, missing: 'no endpoint of the export is being watched' };
  }
  // No replica would do better.
  if (slice.kind === 'no-slice') return { ready: true, note: EXPORT_GONE };
  const refusal = [sliceFreshness, ...watches.map(({ freshness }) => freshness)].find((each) =>
    isKcpError(each?.lastError, 'unauthorized', 'forbidden'),
  );
  return refusal?.lastError === undefined
    ? { ready: true }
    : { ready: true, note: `guarded deletes are refused: ${refusal.lastError.message}` };
}

function withReason(missing: string, reason: KcpError | undefined): string {
  return reason === undefined ? missing : `${missing}: ${reason.message}`;
}

const EXPORT_GONE =
  'the export of dep-ctrl is gone, and every guarded delete is refused: if it was deleted with its workspace, run dep-ctrl bootstrap and bind anew';

function isAway(freshness: Freshness | undefined): boolean {
  return isKcpError(freshness?.lastError, 'unreachable', 'timeout', 'unavailable');
}
