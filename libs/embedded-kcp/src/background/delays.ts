// The pauses of kcp's background work, measured at a real v0.32, times one factor.

/** How slow the server's background work is: as in a real kcp, almost at once, or a factor of the real pauses (0.1 = ten times faster). */
export type Delays = 'real' | 'fast' | number;

/** The pauses that the server keeps, in milliseconds of a real kcp. */
const REAL = {
  /** From one shard to the cache and from there to every shard: medians of 16 to 35 ms. */
  replication: 30,
  /** Workspace created until it is scheduled, initialized and ready: about a second in all. */
  workspaceStep: 300,
  /** A controller reacts to an event. */
  reaction: 5,
  /** A new schema is established this long after the first binding to it. */
  bindingEstablished: 5_000,
  /** A binding that moved to another schema names it this much earlier than it is served. */
  schemaFollowed: 60,
  /** The endpoint of a shard in a slice, after the first binding has come. */
  endpointPublished: 300,
  /** The same, after the last binding has gone. */
  endpointWithdrawn: 200,
  /** A namespace's content stays untouched for this long after the delete. */
  namespaceContent: 5_000,
  /** Workspace and binding teardown with something left but no error look again after this. */
  teardownRecheck: 3_000,
  /** Namespace teardown that waits for finalizers looks again after this. */
  namespaceRecheck: 8_000,
  /** A deleted binding begins to delete what was bound. */
  bindingContent: 100,
  /** First step of the exponential back-off, doubled at each failure. */
  retryFirst: 5,
  /** Largest step of workspace and binding teardown. */
  retryLongest: 1_000_000,
  /** Largest step of namespace teardown. */
  namespaceRetryLongest: 60_000,
  /** How long a list waits for a resource version from the future before it gives up. */
  futureRevision: 3_000,
  /** A start `as-kcp`, each from its beginning: the port is open, */
  startListening: 7_000,
  /** kcp's own types have their paths, */
  startInstalled: 11_000,
  /** users have their rights by the name of a cluster, */
  startRights: 25_000,
  /** virtual workspaces know the exports, */
  startExports: 26_500,
  /** bound types are served, */
  startBoundTypes: 32_000,
  /** workspaces are known by their paths, */
  startPaths: 40_000,
  /** virtual workspaces serve everything. */
  startViews: 43_000,
  /** A start is looked at so often, whether it is over. */
  startStep: 500,
  /** A virtual workspace remembers for so long that the shard of a type let a user in. */
  grantRemembered: 300_000,
  /** Bookmarks on a quiet watch. */
  bookmark: 60_000,
} as const;

/** The name of a pause. */
export type DelayName = keyof typeof REAL;

// 'fast' keeps replication visibly later than the write (tests must not rely on immediacy) and everything else short.
const FAST_SCALE = 0.01;

/** Milliseconds of a pause under the chosen delays. Never zero: background work stays asynchronous. */
export function delayOf(name: DelayName, delays: Delays): number {
  const scale = delays === 'real' ? 1 : delays === 'fast' ? FAST_SCALE : delays;
  return Math.max(1, REAL[name] * scale);
}
