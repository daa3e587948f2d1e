// Decides whether the watches are fresh enough. A silent watch may be healthy: kcp sends a sign of life only about once a minute. So a live read that
// agrees with a watch counts as a sign of life, too.
import { groupVersionResourceKey, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import type { EndpointsState, Freshness, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/** When a live read last agreed with the watches; times are the clock's `monotonic()`. */
export interface Proofs {
  readonly sliceMs: number | undefined;
  readonly endpointsMs: ReadonlyMap<VirtualWorkspaceUrl, number>;
}

/** The input of the decision. */
export interface FreshnessQuestion {
  readonly state: EndpointsState;
  readonly types: readonly GroupVersionResource[];
  readonly proofs: Proofs;
  readonly nowMs: number;
  readonly maxAgeMs: number;
}

/** Nothing proven yet. */
export const noProofs: Proofs = { sliceMs: undefined, endpointsMs: new Map() };

/** Whether the endpoint slice and each type at each endpoint had a sign of life within the maximal age. */
export function isFresh({ state, types, proofs, nowMs, maxAgeMs }: FreshnessQuestion): boolean {
  if (state.slice.kind === 'unknown') return false;
  const isRecent = (freshness: Freshness | undefined, provenMs: number | undefined): boolean =>
    freshness?.synced === true && nowMs - Math.max(freshness.lastSignOfLifeMs ?? -Infinity, provenMs ?? -Infinity) <= maxAgeMs;
  if (!isRecent(state.sliceFreshness, proofs.sliceMs)) return false;
  return [...state.endpoints].every(([endpoint, byType]) =>
    types.every((type) => isRecent(byType.get(groupVersionResourceKey(type)), proofs.endpointsMs.get(endpoint))),
  );
}
