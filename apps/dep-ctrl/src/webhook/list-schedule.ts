// Who shares which run of one list. A run serves everybody who arrived before it began, so it is as fresh as their own would have been.
// Nobody's leaving ends a run that others wait for. One who has no time left to wait for the next run begins it at once, for all who wait.

/** Somebody who needs the list. */
export type ReaderId = number;

/** One reading of the list. */
export type RunId = number;

/** Everything about one list at one moment. */
export interface ListSchedule {
  readonly runs: ReadonlyMap<RunId, ReadonlySet<ReaderId>>;
  /** Arrived while a run was under way; in order of arrival. */
  readonly waiting: readonly ReaderId[];
  readonly nextRun: RunId;
}

/** What happens to a list. */
export type ScheduleInput =
  | { readonly kind: 'arrived'; readonly reader: ReaderId }
  /** Half of its time is over. */
  | { readonly kind: 'impatient'; readonly reader: ReaderId }
  /** It has its answer, or no time left. */
  | { readonly kind: 'left'; readonly reader: ReaderId }
  | { readonly kind: 'ended'; readonly run: RunId };

/** What is to be done. */
export type ScheduleCommand =
  { readonly kind: 'start'; readonly run: RunId; readonly readers: ReadonlySet<ReaderId> } | { readonly kind: 'stop'; readonly run: RunId };

/** Nobody needs the list. */
export const idleSchedule: ListSchedule = { runs: new Map(), waiting: [], nextRun: 1 };

/** The next state, and what is to be done. */
export function stepSchedule(
  schedule: ListSchedule,
  input: ScheduleInput,
): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  switch (input.kind) {
    case 'arrived': {
      const arrived = { ...schedule, waiting: [...schedule.waiting, input.reader] };
      return schedule.runs.size === 0 ? startNext(arrived) : { schedule: arrived, commands: [] };
    }
    case 'impatient':
      return schedule.waiting.includes(input.reader) ? startNext(schedule) : { schedule, commands: [] };
    case 'left':
      return leave(schedule, input.reader);
    case 'ended':
      return end(schedule, input.run);
    default:
      return input satisfies never;
  }
}

function startNext(schedule: ListSchedule): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  if (schedule.waiting.length === 0) return { schedule, commands: [] };
  const run = schedule.nextRun;
  const readers = new Set(schedule.waiting);
  return {
    schedule: { runs: new Map(schedule.runs).set(run, readers), waiting: [], nextRun: run + 1 },
    commands: [{ kind: 'start', run, readers }],
  };
}

function leave(schedule: ListSchedule, reader: ReaderId): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  const remaining = { ...schedule, waiting: schedule.waiting.filter((each) => each !== reader) };
  const joined = [...schedule.runs].find(([, readers]) => readers.has(reader));
  if (joined === undefined) return { schedule: remaining, commands: [] };
  const [run, readers] = joined;
  if (readers.size > 1) {
    const others = new Set([...readers].filter((each) => each !== reader));
    return { schedule: { ...remaining, runs: new Map(schedule.runs).set(run, others) }, commands: [] };
  }
  const { schedule: next, commands } = end(remaining, run);
  return { schedule: next, commands: [{ kind: 'stop', run }, ...commands] };
}

function end(schedule: ListSchedule, run: RunId): { schedule: ListSchedule; commands: readonly ScheduleCommand[] } {
  if (!schedule.runs.has(run)) return { schedule, commands: [] };
  const runs = new Map(schedule.runs);
  runs.delete(run);
  const ended = { ...schedule, runs };
  return runs.size === 0 ? startNext(ended) : { schedule: ended, commands: [] };
}
