import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { KcpError } from '../errors/kcp-error.js';

/** An object and the logical cluster it is in. */
export interface Observed {
  readonly cluster: LogicalClusterName;
  readonly object: KubeObject;
}

/** What a Reflector tells, in order. */
export type ReflectorEvent =
  /** A list was read whole: these are all objects there are; what was known before is void. */
  | { readonly kind: 'replaced'; readonly objects: readonly Observed[] }
  /** An object was added or changed. */
  | { readonly kind: 'applied'; readonly object: Observed }
  /** An object is gone; this is how it last looked. */
  | { readonly kind: 'deleted'; readonly object: Observed }
  /** Something came that is no object with a logical cluster. Nothing else is lost: the stream goes on. */
  | { readonly kind: 'undecodable'; readonly problem: string };

/** How far a Reflector can be believed now. Times are the clock's `monotonic()`. */
export interface Freshness {
  /** A list was read whole since the start. What it said may be old: see below. */
  readonly synced: boolean;
  /**
   * When the server last proved that nothing is missing: the begin of a list that was read whole, a line of a watch, or its orderly end
   * (a quiet type has no lines). What is about a second younger than that may still be on its way.
   */
  readonly lastSignOfLifeMs?: number;
  /** Since when there is no working watch. Absent while there is one. */
  readonly disconnectedSinceMs?: number;
  /** How many working watches were lost since the start: each began anew. An orderly end by the server is no loss. Absent: none. */
  readonly restarts?: number;
  /** Why, after a failure; absent once it works again. */
  readonly lastError?: KcpError;
}

/**
 * Takes an event, and is done when it returns. Not `=> void`, for which TypeScript takes an async function: nobody would wait for its promise or hear of
 * its rejection. Work that waits goes into a KeyedQueue.
 */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the union is what refuses a promise
export type TakeEvent<E> = (event: E) => void | undefined;
