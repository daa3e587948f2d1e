import {
  LeadersConnection,
  silentLogger,
  systemClock,
  type Backoff,
  type Clock,
  type ClusterClient,
  type Freshness,
  type LeaderElector,
  type Logger,
  type ReflectorBounds,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { LifecycleHandler } from './lifecycle-handler.js';
import type { LifecycleKind } from './lifecycle-kind.js';
import { LifecycleTerm } from './lifecycle-term.js';
import type { LifecycleConnection } from './run-connection.js';

/** What a controller is made of. */
export interface LifecycleControllerOptions {
  readonly connection: LifecycleConnection;
  /** The workspace of the WorkspaceType. */
  readonly workspace: ClusterClient;
  /** The WorkspaceType, which has `terminator: true` (or `initializer: true`). It may come later. */
  readonly typeName: string;
  readonly kind: LifecycleKind;
  readonly handle: LifecycleHandler;
  /** Where several replicas run: only the one that leads acts, and what it writes is refused once it leads no more. Default: no election. */
  readonly elector?: Pick<LeaderElector, 'run' | 'isLeader'>;
  /** Workspaces side by side. Default 10, as many as kcp itself tears down. */
  readonly concurrency?: number;
  /** How long one call of the function may take. Default 10 min. */
  readonly handleTimeoutMs?: number;
  /** The pauses between calls that fail. Default: 100 ms, doubled up to 60 s. */
  readonly backoff?: Backoff;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly bounds?: Partial<ReflectorBounds>;
}

/** What a controller knows, for health checks and metrics. */
export interface LifecycleState {
  /** `standby`: another replica leads, or it does not run. `no-type`: there is no such WorkspaceType. */
  readonly kind: 'standby' | 'starting' | 'no-type' | 'watching';
  /** `<cluster of the type>:<name>`, once the type was read. */
  readonly entry?: string;
  /** How many workspaces wait. */
  readonly waiting: number;
  /** How fresh the watch of each virtual workspace is. */
  readonly views: ReadonlyMap<VirtualWorkspaceUrl, Freshness>;
}

// A leader has 5 s to end between the loss of its lease and the next leader, with the default durations.
const GRACE_MS = 3_000;

/**
 * Calls a function for every workspace that waits for the terminator (or initializer) of a WorkspaceType, on all shards, and removes the entry when it
 * returns. One call per workspace at a time.
 */
export class LifecycleController implements Runnable {
  readonly #options: LifecycleControllerOptions;
  #term: LifecycleTerm | undefined;

  constructor(options: LifecycleControllerOptions) {
    this.#options = options;
  }

  /** What is known now. */
  state(): LifecycleState {
    if (this.#term === undefined) return { kind: 'standby', waiting: 0, views: new Map() };
    const { named } = this.#term.views;
    const kind = named.type === 'read' ? 'watching' : named.type === 'gone' ? 'no-type' : 'starting';
    const { waiting } = this.#term;
    return { kind, waiting, views: this.#term.views.freshness().views, ...(named.entry !== undefined && { entry: named.entry }) };
  }

  /** Works until the signal aborts. Nothing that the function or kcp does ends it; rejects only with what the election throws. */
  run(signal: AbortSignal): Promise<void> {
    const { elector } = this.#options;
    return elector === undefined ? this.#serve(signal) : elector.run((term) => this.#serve(term), signal);
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const { elector, connection, concurrency = 10, handleTimeoutMs = 600_000, clock = systemClock, logger = silentLogger } = this.#options;
    const term = new LifecycleTerm({
      ...this.#options,
      connection: elector === undefined ? connection : leadersOnly(connection, elector),
      concurrency,
      handleTimeoutMs,
      graceMs: GRACE_MS,
      clock,
      logger,
    });
    this.#term = term;
    try {
      await term.run(signal);
    } finally {
      this.#term = undefined;
    }
  }
}

/** On this connection only the leader writes: an old one must not undo what the next one did. */
function leadersOnly(connection: LifecycleConnection, elector: Pick<LeaderElector, 'isLeader'>): LifecycleConnection {
  const writes = new LeadersConnection({ connection, isLeader: () => elector.isLeader() });
  return {
    baseUrl: connection.baseUrl,
    request: (...asked) => writes.request(...asked),
    open: (...asked) => writes.open(...asked),
  };
}
