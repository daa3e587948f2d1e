// The rules of a leader election over a Lease, as in client-go. Pure. No wall clock is believed: a replica takes a lease over only after it has seen the
// lease unchanged for its whole duration. A leader counts from the moment at which it sent its last successful renewal, and stops leading before another
// replica can have seen the lease unchanged for so long. This holds as long as clocks run at about the same speed.

/** A Lease as far as the election reads it. */
export interface LeaseView {
  /** Changes with every write. */
  readonly resourceVersion: string;
  /** Empty: the lease was released. */
  readonly holder: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
}

/** The periods of an election. */
export interface ElectionDurations {
  /** A lease that did not change for so long may be taken. */
  readonly leaseMs: number;
  /** A leader that could not renew for so long steps down. */
  readonly renewDeadlineMs: number;
  /** Between two looks at the lease. */
  readonly retryMs: number;
}

/** What one candidate knows. Times are its own `monotonic()`. */
export interface ElectionState {
  /** The lease as last seen, and when it was first seen like that. */
  readonly seen?: { readonly lease: LeaseView; readonly sinceMs: number };
  /** kcp has said since that there is no lease. That ends nobody's term: whoever holds it leads until its deadline, and others wait until then. */
  readonly isMissing?: true;
  /** When the last successful write of ours was sent. */
  readonly renewedMs?: number;
}

/** What a candidate writes next. */
export type LeaseWrite =
  { readonly do: 'create' } | { readonly do: 'take' | 'renew'; readonly from: LeaseView } | { readonly do: 'stand-by' };

/** client-go's defaults. */
export const DEFAULT_DURATIONS: ElectionDurations = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** Takes in what the lease looks like now. `undefined`: there is none. */
export function seeLease(state: ElectionState, lease: LeaseView | undefined, nowMs: number): ElectionState {
  if (lease === undefined) return { ...state, isMissing: true };
  const { isMissing: _, ...rest } = state;
  if (rest.seen?.lease.resourceVersion === lease.resourceVersion) return rest;
  return { ...rest, seen: { lease, sinceMs: nowMs } };
}

/** What this candidate may write, given what it has seen. To create a lease that is there after all fails, so nobody loses by a try. */
export function decideWrite({ seen, isMissing }: ElectionState, identity: string, nowMs: number): LeaseWrite {
  if (seen === undefined) return { do: 'create' };
  const { lease, sinceMs } = seen;
  const isMine = lease.holder === identity;
  if (!isMine && lease.holder !== '' && nowMs < sinceMs + lease.durationMs) return { do: 'stand-by' };
  if (isMissing === true) return { do: 'create' };
  return { do: isMine ? 'renew' : 'take', from: lease };
}

/** Our write succeeded; it was sent at `sentMs`. */
export function wrote(state: ElectionState, lease: LeaseView, sentMs: number, nowMs: number): ElectionState {
  return { ...seeLease(state, lease, nowMs), renewedMs: sentMs };
}

/** We stepped down, or saw another holder. */
export function steppedDown({ renewedMs: _, ...rest }: ElectionState): ElectionState {
  return rest;
}

/** Whether this candidate may act as the leader at this moment. */
export function leads(
  { seen, renewedMs }: ElectionState,
  identity: string,
  nowMs: number,
  { renewDeadlineMs }: ElectionDurations,
): boolean {
  return renewedMs !== undefined && seen?.lease.holder === identity && nowMs < renewedMs + renewDeadlineMs;
}

/** How long to wait before the next look: never past the moment at which the lease could be taken. `random` in [0, 1). */
export function pauseMs({ seen, renewedMs }: ElectionState, random: number, nowMs: number, durations: ElectionDurations): number {
  if (renewedMs !== undefined) return durations.retryMs;
  const spread = durations.retryMs * (1 + random / 2);
  const leftMs = seen === undefined ? 0 : seen.sinceMs + seen.lease.durationMs - nowMs;
  return leftMs > 0 ? Math.min(spread, leftMs) : spread;
}
