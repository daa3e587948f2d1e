// One term of a controller, with everything it remembers: it begins from nothing, so that a process which leads anew believes nothing old. The watches say
// what waits; a queue runs the author's function for each workspace and then removes the entry. Only a watch proves that a workspace is gone.
import {
  isKcpError,
  KeyedQueue,
  runAll,
  type Backoff,
  type Clock,
  type ClusterClient,
  type Logger,
  type QueueOutcome,
  type ReflectorBounds,
  type Runnable,
} from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { boundedRun, type RunEnding } from './bounded-run.js';
import { entriesOf } from './held-entry.js';
import { HeldWorkspaces, type Held } from './held-workspaces.js';
import type { AgainLater, LifecycleHandler } from './lifecycle-handler.js';
import type { LifecycleKind } from './lifecycle-kind.js';
import { isAborted } from './linked-signal.js';
import { missingRight, type RefusedAsk } from './missing-right.js';
import { provenPath } from './proven-path.js';
import { removeEntry } from './remove-entry.js';
import { RunConnection, type LifecycleConnection } from './run-connection.js';
import { TypeViews } from './type-views.js';

/** What a term is made of. */
export interface TermOptions {
  readonly connection: LifecycleConnection;
  readonly workspace: ClusterClient;
  readonly typeName: string;
  readonly kind: LifecycleKind;
  readonly handle: LifecycleHandler;
  readonly concurrency: number;
  readonly handleTimeoutMs: number;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backoff?: Backoff;
  readonly random?: () => number;
  readonly bounds?: Partial<ReflectorBounds>;
}

/** What is remembered of one workspace between its runs. */
interface Progress {
  readonly runs: number;
  /** The function has returned: only the entry is left to be removed. */
  readonly isHandled: boolean;
  /** What was told last, so that it is told once. */
  readonly told?: string;
}

const DONE: QueueOutcome = { kind: 'done' };
const RETRY: QueueOutcome = { kind: 'retry' };

/** Works off what waits until the signal aborts. */
export class LifecycleTerm implements Runnable {
  readonly #options: TermOptions;
  readonly #held = new HeldWorkspaces();
  // By the signal of a wait: a workspace that goes and comes back begins anew.
  readonly #progress = new WeakMap<AbortSignal, Progress>();
  readonly #queue: KeyedQueue<LogicalClusterName>;
  readonly views: TypeViews;

  constructor(options: TermOptions) {
    this.#options = options;
    const { connection, workspace, typeName, kind, clock, logger, concurrency, random, bounds, backoff } = options;
    const optional = { ...(random !== undefined && { random }), ...(bounds !== undefined && { bounds }) };
    this.#queue = new KeyedQueue({
      run: (cluster, signal) => this.#run(cluster, signal),
      concurrency,
      capacity: Number.MAX_SAFE_INTEGER, // what waits is held anyway
      clock,
      ...(random !== undefined && { random }),
      ...(backoff !== undefined && { backoff }),
    });
    this.views = new TypeViews({
      connection,
      workspace,
      typeName,
      kind,
      clock,
      logger,
      ...optional,
      onClusters: (url, event, { entry, namesPermissions }) => {
        for (const cluster of this.#held.take(url, event, { kind, entry, namesPermissions })) this.#queue.add(cluster);
      },
      onWithdrawn: (url) => this.#held.withdraw(url),
    });
  }

  /** How many workspaces wait. */
  get waiting(): number {
    return this.#held.size;
  }

  run(signal: AbortSignal): Promise<void> {
    return runAll([this.views, this.#queue], signal);
  }

  async #run(cluster: LogicalClusterName, signal: AbortSignal): Promise<QueueOutcome> {
    const held = this.#held.get(cluster);
    if (held === undefined) return DONE;
    if (this.#progressOf(held).isHandled) return this.#release(held, signal);
    const ending = await this.#handle(held, signal);
    switch (ending.kind) {
      case 'returned':
        if (ending.value !== undefined) return { kind: 'again', afterMs: ending.value.againMs };
        this.#note(held, { isHandled: true });
        return this.#release(held, signal);
      case 'threw':
        this.#tell(held, 'workspace not handled', ending.error, 'content');
        return RETRY;
      case 'stopped':
        return DONE;
      case 'timed-out':
        this.#tell(
          held,
          'workspace not handled',
          new Error(`the function takes longer than ${this.#options.handleTimeoutMs} ms`),
          'content',
        );
        return RETRY;
      default:
        return ending satisfies never;
    }
  }

  async #handle(held: Held, signal: AbortSignal): Promise<RunEnding<AgainLater | undefined>> {
    const { handle, handleTimeoutMs, graceMs, clock, logger, connection } = this.#options;
    const { runs } = this.#progressOf(held);
    this.#note(held, { runs: runs + 1 });
    const work = async (run: AbortSignal): Promise<AgainLater | undefined> => {
      const own = new RunConnection(connection, run);
      const workspace = {
        cluster: held.cluster,
        deletionTimestamp: held.object.metadata.deletionTimestamp,
        client: own.behind(held.url, held.cluster),
        earlierRuns: runs,
        path: ({ signal: asking }: { readonly signal: AbortSignal }) =>
          provenPath(held, new WorkspaceResolver({ connection: own }), { signal: asking }),
      };
      return (await handle(workspace, { signal: run })) ?? undefined;
    };
    const ending = await boundedRun(work, [signal, held.signal], { limitMs: handleTimeoutMs, graceMs, clock });
    if ((ending.kind === 'stopped' || ending.kind === 'timed-out') && ending.isLeftBehind)
      logger.warn('function left behind: it does not end when its signal aborts', { cluster: held.cluster });
    return ending;
  }

  async #release(held: Held, signal: AbortSignal): Promise<QueueOutcome> {
    const { kind, connection, logger } = this.#options;
    const { entry } = this.views.named;
    // The list may have changed since the run began.
    const { object } = this.#held.get(held.cluster) ?? held;
    if (entry === undefined || isAborted(held.signal)) return DONE;
    try {
      const client = new RunConnection(connection, signal).behind(held.url, held.cluster);
      const outcome = await removeEntry({ client, kind, entry, seen: entriesOf(object, kind) }, { signal });
      this.#held.release(held);
      if (outcome === 'removed') logger.info('entry removed', { cluster: held.cluster, entry });
      return DONE;
    } catch (failure) {
      if (!isAborted(signal) && !isAborted(held.signal)) this.#tell(held, 'entry not removed', failure, 'view');
      return RETRY;
    }
  }

  /** Tells a failure once, not at every try. */
  #tell(held: Held, message: string, failure: unknown, asked: RefusedAsk): void {
    const { logger, kind, typeName } = this.#options;
    const error = failure instanceof Error ? failure.message : String(failure);
    const fields = { cluster: held.cluster, error };
    // A workspace that goes is "not found" a moment before the watch says so.
    const isUsual = asked === 'view' && isKcpError(failure, 'not-found', 'not-served');
    if (isUsual || this.#progressOf(held).told === error) {
      logger.debug(message, fields);
      return;
    }
    this.#note(held, { told: error });
    const grant = missingRight(failure, asked, { kind, typeName, namesPermissions: this.views.named.namesPermissions });
    logger.warn(message, grant === undefined ? fields : { ...fields, grant });
  }

  #progressOf({ signal }: Held): Progress {
    return this.#progress.get(signal) ?? { runs: 0, isHandled: false };
  }

  #note(held: Held, change: Partial<Progress>): void {
    this.#progress.set(held.signal, { ...this.#progressOf(held), ...change });
  }
}
