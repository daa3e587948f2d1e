import type { Backoff, ClusterClient, Clock, Logger, QueueOutcome } from '@dep-ctrl/kcp-client';
import type { ExportStore } from '../store/export-store.js';
import type { GoneBecause, ObjectName, ObjectPlace, Stored } from '../store/stored.js';
import type { Leadership } from './leadership.js';
import type { Watch } from './watches.js';

/** What a reconcile works with. */
export interface ReconcileContext {
  /** The workspace of the object, through the endpoint that shows it. With an election it writes only while this process leads. */
  readonly client: ClusterClient;
  /** The same of another object's workspace. */
  readonly clientOf: (place: ObjectPlace) => ClusterClient;
  /** Aborts at the time limit, at the end of the term, and when the operator stops. */
  readonly signal: AbortSignal;
}

/** What a reconcile answers. Nothing means `done`. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- an async function without a return is what most authors write
export type Reconciled = QueueOutcome | undefined | void;

/** How a run of an object ended. */
export interface ObservedRun extends ObjectName {
  readonly controller: string;
  readonly ms: number;
  /**
   * `conflict`: somebody else wrote first, and it is tried again. `failed`: it threw something else, and is tried again with back-off. `hung`: it did not
   * end in time; no other run of this object begins before it does.
   */
  readonly outcome: QueueOutcome['kind'] | 'conflict' | 'failed' | 'hung';
  readonly error?: unknown;
}

/** What a controller is made of. */
export interface ControllerOptions<T, I extends string = never> {
  /** For logs and metrics. */
  readonly name: string;
  /** The objects to reconcile. */
  readonly store: ExportStore<T, I>;
  /** Makes the world as the object says. Level by level: runs of one object are one after the other, and a run after the last change always follows. */
  readonly reconcile: (stored: Stored<T>, context: ReconcileContext) => Promise<Reconciled>;
  /**
   * Called after an object went, with its last version, before anything made anew under its name is reconciled. This process has to have seen it go while
   * it led: what must not be missed needs a finalizer.
   */
  readonly gone?: (last: Stored<T>, context: ReconcileContext & { readonly because: GoneBecause }) => Promise<Reconciled>;
  /** Which changes matter: `now` is undefined for an object that went, `before` for a new one. Default: all. What it throws counts as yes. */
  readonly when?: (now: Stored<T> | undefined, before: Stored<T> | undefined) => boolean;
  /** Other types whose changes are news for these objects; made by `owned` and `mapped`. */
  readonly watches?: readonly Watch[];
  /** Objects side by side; of one workspace half as many. Default 4. */
  readonly concurrency?: number;
  /** Pauses after failures of one object. Default: from 100 ms, doubling, to 60 s. */
  readonly backoff?: Backoff;
  /** A run may take so long. Default 60 s. */
  readonly timeLimitMs?: number;
  /** Reconciles everything again this often. Default: never, as no change is lost; for what changes without kcp knowing. */
  readonly resyncMs?: number;
  /** Whether to wait at the start, beyond the endpoints that answer. See `ExportStore.whenSynced`. */
  readonly patienceMs?: number;
  /** Only work while this process leads. */
  readonly leadership?: Leadership;
  /** Told of every run, for metrics. What it throws is logged. */
  readonly observe?: (run: ObservedRun) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
}
