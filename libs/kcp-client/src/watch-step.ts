// The decisions of a watch, as one pure step function: what happened goes in; the next state, the events to tell and the next command
// come out. Guarantees that the told events add up to what the server has: a list replaces everything, a watch goes on from exactly
// the resourceVersion that was last told, and where that is no longer possible (410) or cannot be trusted any more there is a new list.
// A quiet type sends no bookmark, so silence alone says nothing: watches are short, and the server's orderly end of one is the proof
// that nothing was missed. It is no proof for a resourceVersion that the server does not know (one of another shard): such a watch
// opens and never speaks. So after a long time without any word there is a new list too. Time and chance come in as inputs.
import { jittered, type Backoff } from './backoff.js';
import { isKcpError, type KcpError } from './kcp-error.js';
import type { Freshness, Observed, ReflectorEvent } from './reflector-event.js';
import type { WatchLine } from './watch-line.js';

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
}

type Next = { readonly from: 'list' } | { readonly from: 'stream' } | { readonly from: 'resume'; readonly resourceVersion: string };

type Phase =
  | { readonly at: 'idle' }
  | { readonly at: 'listing'; readonly beganMs: number; readonly batches: readonly (readonly Observed[])[] }
  | { readonly at: 'streaming'; readonly beganMs: number; readonly batches: readonly (readonly Observed[])[] }
  | { readonly at: 'watching'; readonly resourceVersion: string; readonly openedMs?: number; readonly heard: boolean }
  | { readonly at: 'waiting'; readonly next: Next };

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

/** What a step answers. */
export interface WatchStepResult {
  readonly state: WatchState;
  readonly events: readonly ReflectorEvent[];
  readonly command: WatchCommand;
}

/** Before the first step. */
export const initialWatchState: WatchState = {
  phase: { at: 'idle' },
  failures: 0,
  streamRefused: false,
  heardMs: 0,
  freshness: { synced: false },
};

/** From 0.2 s, doubling, to 10 s: a shard that restarts needs 7 to 14 s, and is noticed soon after. */
export const WATCH_BACKOFF: Backoff = { firstMs: 200, factor: 2, capMs: 10_000 };

/** A watch that lived so long was a good one: failures are counted from zero again. */
export const STABLE_MS = 5_000;

/** A watch that never spoke is believed for so long, however often the server ended it in order. */
export const UNHEARD_MS = 600_000;

/** Decides what follows from what happened. */
export function watchStep(state: WatchState, input: WatchInput, context: StepContext): WatchStepResult {
  switch (input.kind) {
    case 'started':
      return begin({ ...state, freshness: { ...state.freshness, disconnectedSinceMs: context.atMs } }, fresh(state, context), context);
    case 'page':
      return takePage(state, input.page, context);
    case 'list-failed':
      return pause(state, { from: 'list' }, input.error, context);
    case 'watch-opened':
      return opened(state, context);
    case 'lines':
      return takeLines(state, input.lines, context);
    case 'watch-failed':
      return watchFailed(state, input.error, context);
    case 'watch-ended':
      return watchEnded(state, context);
    case 'waited':
      return begin(state, state.phase.at === 'waiting' ? state.phase.next : fresh(state, context), context);
    default:
      return input satisfies never;
  }
}

function fresh({ streamRefused }: WatchState, { initial }: StepContext): Next {
  return initial === 'stream' && !streamRefused ? { from: 'stream' } : { from: 'list' };
}

function begin(state: WatchState, next: Next, { atMs }: StepContext): WatchStepResult {
  switch (next.from) {
    case 'list':
      return { state: { ...state, phase: { at: 'listing', beganMs: atMs, batches: [] } }, events: [], command: { do: 'list' } };
    case 'stream':
      return {
        state: { ...state, phase: { at: 'streaming', beganMs: atMs, batches: [] } },
        events: [],
        command: { do: 'watch', resourceVersion: '', initial: true },
      };
    case 'resume':
      return watchFrom(state, next.resourceVersion);
    default:
      return next satisfies never;
  }
}

function watchFrom(state: WatchState, resourceVersion: string, events: readonly ReflectorEvent[] = []): WatchStepResult {
  return {
    state: { ...state, phase: { at: 'watching', resourceVersion, heard: false } },
    events,
    command: { do: 'watch', resourceVersion, initial: false },
  };
}

function takePage(state: WatchState, page: ObservedPage, { atMs }: StepContext): WatchStepResult {
  const { phase } = state;
  const beganMs = phase.at === 'listing' && !page.restarted ? phase.beganMs : atMs;
  const batches = [...(phase.at === 'listing' && !page.restarted ? phase.batches : []), page.objects];
  const problems = page.undecodable.map((problem): ReflectorEvent => ({ kind: 'undecodable', problem }));
  if (!page.last) return { state: { ...state, phase: { at: 'listing', beganMs, batches } }, events: problems, command: { do: 'go-on' } };
  // The list is as old as its beginning, not as its end.
  const freshness = { ...state.freshness, synced: true, lastSignOfLifeMs: beganMs };
  return watchFrom({ ...state, freshness, heardMs: beganMs }, page.resourceVersion, [
    ...problems,
    { kind: 'replaced', objects: batches.flat() },
  ]);
}

function opened(state: WatchState, { atMs }: StepContext): WatchStepResult {
  const { disconnectedSinceMs: _, lastError: __, ...freshness } = state.freshness;
  const phase: Phase = state.phase.at === 'watching' ? { ...state.phase, openedMs: atMs } : state.phase;
  return {
    state: { ...state, phase, freshness: phase.at === 'watching' ? freshness : state.freshness },
    events: [],
    command: { do: 'go-on' },
  };
}

function takeLines(state: WatchState, lines: readonly WatchLine[], context: StepContext): WatchStepResult {
  const error = lines.findIndex((line) => line.kind === 'error');
  if (error !== -1) return takeLines(state, lines.slice(0, error), context); // the shell tells of the error itself
  return state.phase.at === 'streaming' ? takeInitial(state, lines, context) : takeChanges(state, lines, context);
}

function takeChanges(state: WatchState, lines: readonly WatchLine[], { atMs }: StepContext): WatchStepResult {
  const { phase } = state;
  if (phase.at !== 'watching' || lines.length === 0) return { state, events: [], command: { do: 'go-on' } };
  const events: ReflectorEvent[] = [];
  let { resourceVersion } = phase;
  for (const line of lines) {
    if (line.kind === 'error') break;
    if (line.kind === 'undecodable') events.push({ kind: 'undecodable', problem: line.problem });
    else if (line.kind !== 'bookmark') events.push({ kind: line.kind, object: line.object });
    if (line.resourceVersion !== undefined && line.resourceVersion !== '') ({ resourceVersion } = line);
  }
  const freshness = { ...state.freshness, lastSignOfLifeMs: atMs };
  return {
    state: { ...state, freshness, heardMs: atMs, phase: { ...phase, resourceVersion, heard: true } },
    events,
    command: { do: 'go-on' },
  };
}

function takeInitial(state: WatchState, lines: readonly WatchLine[], context: StepContext): WatchStepResult {
  const { phase } = state;
  if (phase.at !== 'streaming') return { state, events: [], command: { do: 'go-on' } };
  const end = lines.findIndex((line) => line.kind === 'bookmark' && line.initialEnd);
  const initial = end === -1 ? lines : lines.slice(0, end);
  const batches = [...phase.batches, initial.flatMap((line) => (line.kind === 'applied' ? [line.object] : []))];
  const problems = initial.flatMap((line): ReflectorEvent[] => (line.kind === 'undecodable' ? [line] : []));
  const mark = lines[end];
  if (mark?.kind !== 'bookmark') return { state: { ...state, phase: { ...phase, batches } }, events: problems, command: { do: 'go-on' } };
  const { disconnectedSinceMs: _, lastError: __, ...known } = state.freshness;
  const watching: WatchState = {
    ...state,
    phase: { at: 'watching', resourceVersion: mark.resourceVersion, openedMs: context.atMs, heard: true },
    heardMs: context.atMs,
    freshness: { ...known, synced: true, lastSignOfLifeMs: phase.beganMs },
  };
  const rest = takeChanges(watching, lines.slice(end + 1), context);
  return { ...rest, events: [...problems, { kind: 'replaced', objects: batches.flat() }, ...rest.events] };
}

function watchFailed(state: WatchState, error: KcpError, context: StepContext): WatchStepResult {
  const { phase } = state;
  if (phase.at === 'streaming') {
    const streamRefused = state.streamRefused || error.code === 'invalid';
    return pause({ ...state, streamRefused }, fresh({ ...state, streamRefused }, context), error, context);
  }
  if (phase.at !== 'watching') return pause(state, fresh(state, context), error, context);
  const settled = settle(state, phase, context);
  if (error.code === 'expired' && settled.failures === 0) {
    return begin({ ...settled, failures: 1, freshness: lost(state, error, context) }, fresh(state, context), context);
  }
  return pause(
    settled,
    resumable(phase, error) ? { from: 'resume', resourceVersion: phase.resourceVersion } : fresh(state, context),
    error,
    context,
  );
}

function watchEnded(state: WatchState, context: StepContext): WatchStepResult {
  const { phase } = state;
  if (phase.at !== 'watching') return pause(state, fresh(state, context), undefined, context);
  const isBelieved = context.atMs - state.heardMs < UNHEARD_MS;
  const next: Next = isBelieved ? { from: 'resume', resourceVersion: phase.resourceVersion } : fresh(state, context);
  const settled = settle(state, phase, context);
  if (settled.failures > 0) return pause(settled, next, undefined, context);
  const freshness = isBelieved ? { ...settled.freshness, lastSignOfLifeMs: context.atMs } : settled.freshness;
  return begin({ ...settled, freshness }, next, context);
}

/** A watch that lived is no failure; one that spoke is not one more in a row, but the next try waits all the same. */
function settle(state: WatchState, phase: Phase & { readonly at: 'watching' }, { atMs }: StepContext): WatchState {
  if (phase.openedMs === undefined) return state;
  if (atMs - phase.openedMs >= STABLE_MS) return { ...state, failures: 0 };
  return { ...state, failures: phase.heard ? 1 : Math.max(1, state.failures) };
}

/** Whether to go on from the same resourceVersion after this failure. */
function resumable({ heard, openedMs }: Phase & { readonly at: 'watching' }, error: KcpError): boolean {
  // A resourceVersion that this server does not know opens a watch that never speaks: going on from it would be silent for ever.
  if (error.code === 'timeout' && openedMs !== undefined && !heard) return false;
  return !isKcpError(error, 'expired', 'invalid', 'not-found', 'not-served');
}

function pause(state: WatchState, next: Next, error: KcpError | undefined, context: StepContext): WatchStepResult {
  const failures = state.failures + 1;
  const ms = Math.max(jittered(WATCH_BACKOFF, failures, context.random), error?.retryAfterMs ?? 0);
  return {
    state: { ...state, phase: { at: 'waiting', next }, failures, freshness: lost(state, error, context) },
    events: [],
    command: { do: 'wait', ms },
  };
}

function lost({ freshness }: WatchState, error: KcpError | undefined, { atMs }: StepContext): Freshness {
  const since = { ...freshness, disconnectedSinceMs: freshness.disconnectedSinceMs ?? atMs };
  return error === undefined ? since : { ...since, lastError: error };
}
