// The decisions of a watch, as one pure step function: what happened goes in; the next state, the events to tell and the next command
// come out. Guarantees that the told events add up to what the server has: a list replaces everything, a watch goes on from exactly
// the resourceVersion that was last told, and where that is no longer possible (410) or cannot be trusted any more there is a new list.
// A quiet type sends no bookmark, so silence alone says nothing: watches are short, and the server's orderly end of one is the proof
// that nothing was missed. It is no proof for a resourceVersion that the server does not know (one of another shard): such a watch
// opens and never speaks. So there is a new list too after a long time without any word, and after a connection broke and the watch
// behind it ended without one: another server may answer there now. Time and chance come in as inputs.
import { jittered, type Backoff } from '../time/backoff.js';
import { isKcpError, type KcpError } from '../errors/kcp-error.js';
import type { Freshness, Observed, ReflectorEvent } from './reflector-event.js';
import { isNewer } from './resource-version.js';
import type { ObjectLine, WatchLine } from './watch-line.js';
import type { Next, ObservedPage, StepContext, Streaming, WatchCommand, Watching, WatchInput, WatchState } from './watch-state.js';

/** What a step answers. */
export interface WatchStepResult {
  readonly state: WatchState;
  readonly events: readonly ReflectorEvent[];
  readonly command: WatchCommand;
}

/** From 0.2 s, doubling, to 10 s: a shard that restarts needs 7 to 14 s, and is noticed soon after. */
export const WATCH_BACKOFF: Backoff = { firstMs: 200, factor: 2, capMs: 10_000 };

/** A watch that lived so long was a good one: failures are counted from zero again. */
export const STABLE_MS = 5_000;

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
      return watchFrom(state, next);
    default:
      return next satisfies never;
  }
}

function watchFrom(
  state: WatchState,
  { resourceVersion, isKnownThere }: Pick<Watching, 'resourceVersion' | 'isKnownThere'>,
  events: readonly ReflectorEvent[] = [],
): WatchStepResult {
  return {
    state: { ...state, phase: { at: 'watching', resourceVersion, heard: false, isKnownThere } },
    events,
    command: { do: 'watch', resourceVersion, initial: false },
  };
}

function takePage(state: WatchState, page: ObservedPage, { atMs }: StepContext): WatchStepResult {
  const { phase } = state;
  const { beganMs, batches: before } = phase.at === 'listing' && !page.restarted ? phase : { beganMs: atMs, batches: [] };
  const batches = [...before, page.objects];
  const problems = page.undecodable.map((problem): ReflectorEvent => ({ kind: 'undecodable', problem }));
  if (!page.last) return goOn({ ...state, phase: { at: 'listing', beganMs, batches } }, problems);
  // The list is as old as its beginning, not as its end.
  const freshness = { ...state.freshness, synced: true, lastSignOfLifeMs: beganMs };
  const from = { resourceVersion: page.resourceVersion, isKnownThere: true };
  return watchFrom({ ...state, freshness, heardMs: beganMs }, from, [...problems, { kind: 'replaced', objects: batches.flat() }]);
}

function opened(state: WatchState, { atMs }: StepContext): WatchStepResult {
  const { phase } = state;
  // Initial events have to end before there is a working watch.
  if (phase.at !== 'watching') return goOn(state);
  return goOn({ ...state, phase: { ...phase, openedMs: atMs }, freshness: connected(state.freshness) });
}

function takeLines(state: WatchState, lines: readonly WatchLine[], context: StepContext): WatchStepResult {
  const { phase } = state;
  const words = beforeError(lines);
  if (phase.at === 'streaming') return takeInitial(state, phase, words, context);
  return phase.at === 'watching' && words.length > 0 ? takeChanges(state, phase, words, context) : goOn(state);
}

/** The shell tells of the error itself. */
function beforeError(lines: readonly WatchLine[]): readonly Word[] {
  const words: Word[] = [];
  for (const line of lines) {
    if (line.kind === 'error') break;
    words.push(line);
  }
  return words;
}

type Word = Exclude<WatchLine, { readonly kind: 'error' }>;

function takeChanges(state: WatchState, phase: Watching, words: readonly Word[], { atMs }: StepContext): WatchStepResult {
  const events: ReflectorEvent[] = [];
  let { resourceVersion } = phase;
  for (const line of words) {
    if (line.kind === 'undecodable') events.push({ kind: 'undecodable', problem: line.problem });
    else if (line.kind !== 'bookmark') events.push({ kind: line.kind, object: line.object });
    if (line.resourceVersion !== undefined && line.resourceVersion !== '') ({ resourceVersion } = line);
  }
  // Only a server that knew our resourceVersion can speak of a later one; a bookmark may just repeat it.
  const isKnownThere = phase.isKnownThere || isNewer(resourceVersion, phase.resourceVersion);
  const freshness = { ...state.freshness, lastSignOfLifeMs: atMs };
  return goOn({ ...state, freshness, heardMs: atMs, phase: { ...phase, resourceVersion, heard: true, isKnownThere } }, events);
}

function takeInitial(state: WatchState, phase: Streaming, words: readonly Word[], context: StepContext): WatchStepResult {
  const end = words.findIndex((line) => line.kind === 'bookmark' && line.initialEnd);
  const initial = end === -1 ? words : words.slice(0, end);
  const batches = [...phase.batches, initial.flatMap((line) => (line.kind === 'applied' || line.kind === 'deleted' ? [line] : []))];
  const problems = initial.flatMap((line): ReflectorEvent[] =>
    line.kind === 'undecodable' ? [{ kind: 'undecodable', problem: line.problem }] : [],
  );
  const mark = words[end];
  if (mark?.kind !== 'bookmark') return goOn({ ...state, phase: { ...phase, batches } }, problems);
  const watching: WatchState = {
    ...state,
    phase: { at: 'watching', resourceVersion: mark.resourceVersion, openedMs: context.atMs, heard: true, isKnownThere: true },
    heardMs: context.atMs,
    freshness: { ...connected(state.freshness), synced: true, lastSignOfLifeMs: phase.beganMs },
  };
  const rest = takeLines(watching, words.slice(end + 1), context);
  return { ...rest, events: [...problems, { kind: 'replaced', objects: standing(batches.flat()) }, ...rest.events] };
}

/** What is left of initial events: a server that has to wait for its own cache sends changes and deletions before their end too. */
function standing(lines: readonly ObjectLine[]): readonly Observed[] {
  const objects = new Map<string, Observed>();
  for (const { kind, object: observed } of lines) {
    const { namespace = '', name = '' } = observed.object.metadata;
    const key = `${observed.cluster}/${namespace}/${name}`;
    if (kind === 'applied') objects.set(key, observed);
    else objects.delete(key);
  }
  return [...objects.values()];
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
  return pause(settled, resumable(phase, error) ? resume({ ...phase, isKnownThere: false }) : fresh(state, context), error, context);
}

function watchEnded(state: WatchState, context: StepContext): WatchStepResult {
  const { phase } = state;
  if (phase.at !== 'watching') return pause(state, fresh(state, context), undefined, context);
  const settled = settle(state, phase, context);
  const isHeardOf = context.atMs - state.heardMs < context.unheardMs;
  if (settled.failures > 0) return pause(settled, isHeardOf ? resume(phase) : fresh(state, context), undefined, context);
  if (!isHeardOf || !phase.isKnownThere) return begin(settled, fresh(state, context), context);
  return begin({ ...settled, freshness: { ...settled.freshness, lastSignOfLifeMs: context.atMs } }, resume(phase), context);
}

function resume({ resourceVersion, isKnownThere }: Watching): Next {
  return { from: 'resume', resourceVersion, isKnownThere };
}

/** A watch that lived is no failure; one that spoke is not one more in a row, but the next try waits all the same. */
function settle(state: WatchState, phase: Watching, { atMs }: StepContext): WatchState {
  if (phase.openedMs === undefined) return state;
  if (atMs - phase.openedMs >= STABLE_MS) return { ...state, failures: 0 };
  return { ...state, failures: phase.heard ? 1 : Math.max(1, state.failures) };
}

/** Whether to go on from the same resourceVersion after this failure. */
function resumable({ heard, openedMs }: Watching, error: KcpError): boolean {
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

function goOn(state: WatchState, events: readonly ReflectorEvent[] = []): WatchStepResult {
  return { state, events, command: { do: 'go-on' } };
}

function connected({ disconnectedSinceMs: _, lastError: __, ...freshness }: Freshness): Freshness {
  return freshness;
}

function lost({ freshness }: WatchState, error: KcpError | undefined, { atMs }: StepContext): Freshness {
  const { disconnectedSinceMs, restarts = 0 } = freshness;
  const since =
    disconnectedSinceMs === undefined
      ? { ...freshness, disconnectedSinceMs: atMs, restarts: restarts + 1 }
      : { ...freshness, disconnectedSinceMs };
  return error === undefined ? since : { ...since, lastError: error };
}
