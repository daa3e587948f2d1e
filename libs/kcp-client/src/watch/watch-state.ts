// The state of a watch between two steps, its inputs and its commands.
import type { KcpError } from '../errors/kcp-error.js';
import type { Freshness, Observed } from './reflector-event.js';
import type { ObjectLine, WatchLine } from './watch-line.js';

/** What the shell should do next. */
export type WatchCommand =
  | { readonly do: 'list' }
  /** `initial`: begin with all objects as events instead of a list. */
  | { readonly do: 'watch'; readonly resourceVersion: string; readonly initial: boolean }
  | { readonly do: 'wait'; readonly ms: number }
  /** Carry on with what is going on. */
  | { readonly do: 'go-on' };

/** What happened. */
export type WatchInput =
  | { readonly kind: 'started' }
  | { readonly kind: 'page'; readonly page: ObservedPage }
  | { readonly kind: 'list-failed'; readonly error: KcpError }
  | { readonly kind: 'watch-opened' }
  | { readonly kind: 'lines'; readonly lines: readonly WatchLine[] }
  /** An ERROR line, or the stream broke, or it could not be opened. */
  | { readonly kind: 'watch-failed'; readonly error: KcpError }
  /** The server ended the watch in order. */
  | { readonly kind: 'watch-ended' }
  | { readonly kind: 'waited' };

/** A page of a list. */
export interface ObservedPage {
  readonly objects: readonly Observed[];
  readonly undecodable: readonly string[];
  readonly resourceVersion: string;
  readonly last: boolean;
  readonly restarted: boolean;
}

/** Time and chance at the moment of an input. */
export interface StepContext {
  readonly atMs: number;
  /** In [0, 1). */
  readonly random: number;
  readonly initial: 'list' | 'stream';
  /** See `ReflectorBounds`. */
  readonly unheardMs: number;
}

/** What to begin next. */
export type Next =
  | { readonly from: 'list' }
  | { readonly from: 'stream' }
  | { readonly from: 'resume'; readonly resourceVersion: string; readonly isKnownThere: boolean };

/** What is going on. */
export type Phase =
  | { readonly at: 'idle' }
  | { readonly at: 'listing'; readonly beganMs: number; readonly batches: readonly (readonly Observed[])[] }
  | Streaming
  | Watching
  | { readonly at: 'waiting'; readonly next: Next };

/** A watch whose initial events have not ended. */
export interface Streaming {
  readonly at: 'streaming';
  readonly beganMs: number;
  readonly batches: readonly (readonly ObjectLine[])[];
}

/** A watch, open or about to be opened. */
export interface Watching {
  readonly at: 'watching';
  readonly resourceVersion: string;
  readonly openedMs?: number;
  /** It spoke. */
  readonly heard: boolean;
  /** The server has shown that it knows the resourceVersion: it sent it and no connection broke since, or it sent a later one. */
  readonly isKnownThere: boolean;
}

/** Where a watch stands. */
export interface WatchState {
  readonly phase: Phase;
  /** Failures in a row: they make the pauses longer. */
  readonly failures: number;
  /** The server does not know `sendInitialEvents`. */
  readonly streamRefused: boolean;
  /** When a list was begun, or a line came, last. */
  readonly heardMs: number;
  readonly freshness: Freshness;
}

/** Before the first step. */
export const initialWatchState: WatchState = {
  phase: { at: 'idle' },
  failures: 0,
  streamRefused: false,
  heardMs: 0,
  freshness: { synced: false },
};
