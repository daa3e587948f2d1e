// Decides which readers share a run of one list. A run serves all readers that arrived before it began, so it is as fresh as a run of their own. A reader
// that leaves does not end a run for the others. A reader without time for the next run starts it at once, for all who wait. A short list mostly waits for
// kcp's watch cache (up to 100 ms while others write, kcp 0.32): readers that come meanwhile gather for a while and start another run beside it. A run that
// turns out to be long starts anew, once, for all readers that have come by then: they wait for one run, not two.

/** A reader that needs the list. */
export type ReaderId = number;

/** One reading of the list. */
export type RunId = number;

/** One run and the readers that it serves. */
interface Run {
  readonly readers: ReadonlySet<ReaderId>;
  /** The run has taken the place of another. */
  readonly isAnew: boolean;
}

/** Everything about one list at one moment. */
export interface ListSchedule {
  readonly runs: ReadonlyMap<RunId, Run>;
  /** Readers that arrived while a run was under way, in order of arrival. */
  readonly waiting: readonly ReaderId[];
  readonly nextRun: RunId;
  /** Whether the run that ended last was short. */
  readonly isShort: boolean;
}

/** Runs of a short list at a time. Each costs kcp the list once more, so there is a bound. */
export const MOST_SHORT_RUNS = 5;

/** What happens to a list. */
export type ScheduleInput =
  | { readonly kind: 'arrived'; readonly reader: ReaderId }
  /** The reader has waited as long as it can. */
  | { readonly kind: 'impatient'; readonly reader: ReaderId }
  /** The reader has its answer, or no time left. */
  | { readonly kind: 'left'; readonly reader: ReaderId }
  /** The run has only begun, and much more follows. */
  | { readonly kind: 'long'; readonly run: RunId }
  | { readonly kind: 'ended'; readonly run: RunId; readonly isShort: boolean }
  /** The waiting readers have gathered for a while. */
  | { readonly kind: 'gathered' };

/** What is to be done. */
export type ScheduleCommand =
  | { readonly kind: 'start'; readonly run: RunId; readonly readers: ReadonlySet<ReaderId>; readonly isAnew: boolean }
  | { readonly kind: 'stop'; readonly run: RunId }
  /** Let the waiting readers gather for a while. */
  | { readonly kind: 'gather' };

/** No reader needs the list. */
export const idleSchedule: ListSchedule = { runs: new Map(), waiting: [], nextRun: 1, isShort: false };

/** The next state, and what is to be done. */
export function stepSchedule(
  schedule: ListSchedule,
  input: ScheduleInput,
): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  switch (input.kind) {
    case 'arrived': {
      const arrived = { ...schedule, waiting: [...schedule.waiting, input.reader] };
      if (schedule.runs.size === 0) return startNext(arrived);
      const isFirst = schedule.waiting.length === 0;
      return { schedule: arrived, commands: isFirst && schedule.isShort ? [{ kind: 'gather' }] : [] };
    }
    case 'impatient':
      return schedule.waiting.includes(input.reader) ? startNext(schedule) : { schedule, commands: [] };
    case 'left':
      return leave(schedule, input.reader);
    case 'long':
      return beginAnew(schedule, input.run);
    case 'ended':
      return end({ ...schedule, isShort: input.isShort }, input.run);
    case 'gathered':
      return hasRoom(schedule) ? startNext(schedule) : { schedule, commands: [] };
    default:
      return input satisfies never;
  }
}

function startNext(schedule: ListSchedule): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  if (schedule.waiting.length === 0) return { schedule, commands: [] };
  return start(schedule, { readers: new Set(schedule.waiting), isAnew: false });
}

function start(schedule: ListSchedule, { readers, isAnew }: Run): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  const run = schedule.nextRun;
  return {
    schedule: { ...schedule, runs: new Map(schedule.runs).set(run, { readers, isAnew }), waiting: [], nextRun: run + 1 },
    commands: [{ kind: 'start', run, readers, isAnew }],
  };
}

function beginAnew(schedule: ListSchedule, run: RunId): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  const long = schedule.runs.get(run);
  if (long === undefined || long.isAnew || schedule.waiting.length === 0) return { schedule, commands: [] };
  const readers = new Set([...long.readers, ...schedule.waiting]);
  const { schedule: next, commands } = start({ ...schedule, runs: without(schedule.runs, run) }, { readers, isAnew: true });
  return { schedule: next, commands: [{ kind: 'stop', run }, ...commands] };
}

function leave(schedule: ListSchedule, reader: ReaderId): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  const remaining = { ...schedule, waiting: schedule.waiting.filter((each) => each !== reader) };
  const joined = [...schedule.runs].find(([, { readers }]) => readers.has(reader));
  if (joined === undefined) return { schedule: remaining, commands: [] };
  const [run, { readers, isAnew }] = joined;
  if (readers.size > 1) {
    const others = new Set([...readers].filter((each) => each !== reader));
    return { schedule: { ...remaining, runs: new Map(schedule.runs).set(run, { readers: others, isAnew }) }, commands: [] };
  }
  const { schedule: next, commands } = end(remaining, run);
  return { schedule: next, commands: [{ kind: 'stop', run }, ...commands] };
}

function end(schedule: ListSchedule, run: RunId): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  if (!schedule.runs.has(run)) return { schedule, commands: [] };
  const ended = { ...schedule, runs: without(schedule.runs, run) };
  return ended.runs.size === 0 || hasRoom(ended) ? startNext(ended) : { schedule: ended, commands: [] };
}

function hasRoom({ runs, isShort }: ListSchedule): boolean {
  return isShort && runs.size < MOST_SHORT_RUNS;
}

function without(runs: ListSchedule['runs'], run: RunId): ListSchedule['runs'] {
  return new Map([...runs].filter(([each]) => each !== run));
}
