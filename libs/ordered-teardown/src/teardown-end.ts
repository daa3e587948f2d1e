// When a teardown ends, and how. Pure. However it ends, the workspace is let go: it is never held for ever.

/** The moments that count. Wall clocks may be wrong, kcp's as well as ours; so both ways of counting are used, and the longer one holds. */
export interface TeardownTimes {
  /** What the LogicalCluster says; undefined where it says nothing that is a time. */
  readonly deletedAtMs: number | undefined;
  readonly nowMs: number;
  /** Since this process saw the workspace first, by a clock that only goes forward. */
  readonly seenForMs: number;
}

/** For how long a workspace has been dying: counted from its deletion, so that a restart does not begin anew. Never less than this process has seen. */
export function dyingForMs({ deletedAtMs, nowMs, seenForMs }: TeardownTimes): number {
  return Math.max(seenForMs, deletedAtMs === undefined ? 0 : nowMs - deletedAtMs);
}

/** What one call achieved. */
export type Pass =
  /** Everything that has an order is gone. */
  | 'empty'
  /** The same, but for types that were left to kcp. */
  | 'partly-left'
  /** Others have to act first, or there was no time for more. */
  | 'waiting'
  /** It is not known yet what refers to what. */
  | 'order-unknown'
  /** kcp refuses to show what is in the workspace. */
  | 'forbidden'
  /** kcp does not answer as it should. */
  | 'failed'
  /** kcp does not answer, and the type is gone: the content of its workspaces is closed for good. */
  | 'type-gone';

/** How a teardown ended. */
export type TeardownEnd = 'empty' | 'partly-left' | 'type-gone' | 'forbidden' | 'timed-out';

/** A right that was just granted, or a phase that kcp just changed, takes a moment to be seen. */
export const FORBIDDEN_MS = 5_000;
/** Whoever has to read first what refers to what is ready by then, unless a shard is away. */
export const ORDER_UNKNOWN_MS = 10_000;

/** Whether it ends, and how. */
export function teardownEnd(pass: Pass, times: TeardownTimes, timeoutMs: number): TeardownEnd | 'go-on' {
  if (pass === 'empty' || pass === 'partly-left' || pass === 'type-gone') return pass;
  if (pass === 'forbidden' && times.seenForMs >= FORBIDDEN_MS) return pass;
  return dyingForMs(times) >= timeoutMs ? 'timed-out' : 'go-on';
}
