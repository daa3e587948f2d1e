import { describe, expect, it } from '@jest/globals';
import {
  MOST_SHORT_RUNS,
  stepSchedule,
  type ListSchedule,
  type ReaderId,
  type RunId,
  type ScheduleCommand,
  type ScheduleInput,
} from './list-schedule.js';

/** A list, by the readers of each run. */
interface Sketch {
  readonly runs?: Readonly<Record<RunId, readonly ReaderId[]>>;
  /** Runs that took the place of others. */
  readonly anew?: readonly RunId[];
  readonly waiting?: readonly ReaderId[];
  readonly next?: RunId;
  readonly isShort?: boolean;
}

function listOf({ runs = {}, anew = [], waiting = [], next = 9, isShort = false }: Sketch): ListSchedule {
  const all = Object.entries(runs).map(([text, readers]) => {
    const run = Number(text);
    return [run, { readers: new Set(readers), isAnew: anew.includes(run) }] as const;
  });
  return { runs: new Map(all), waiting, nextRun: next, isShort };
}

const start = (run: RunId, readers: readonly ReaderId[], isAnew = false): ScheduleCommand => ({
  kind: 'start',
  run,
  readers: new Set(readers),
  isAnew,
});
const stop = (run: RunId): ScheduleCommand => ({ kind: 'stop', run });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at + 1, [at + 1]]));

describe(stepSchedule, () => {
  it.each<{ given: string; list: Sketch; input: ScheduleInput; then?: Sketch; commands?: readonly ScheduleCommand[] }>([
    {
      given: 'a reader, and nothing is read',
      list: {},
      input: { kind: 'arrived', reader: 1 },
      then: { runs: { 9: [1] }, next: 10 },
      commands: [start(9, [1])],
    },
    {
      given: 'a reader while a long list is read',
      list: { runs: { 1: [1] } },
      input: { kind: 'arrived', reader: 2 },
      then: { runs: { 1: [1] }, waiting: [2] },
    },
    {
      given: 'a second reader while a long list is read',
      list: { runs: { 1: [1] }, waiting: [2] },
      input: { kind: 'arrived', reader: 3 },
      then: { runs: { 1: [1] }, waiting: [2, 3] },
    },
    {
      given: 'a reader while a short list is read',
      list: { runs: { 1: [1] }, isShort: true },
      input: { kind: 'arrived', reader: 2 },
      then: { runs: { 1: [1] }, waiting: [2], isShort: true },
      commands: [{ kind: 'gather' }],
    },
    {
      given: 'a second reader while a short list is read, for whom others gather already',
      list: { runs: { 1: [1] }, waiting: [2], isShort: true },
      input: { kind: 'arrived', reader: 3 },
      then: { runs: { 1: [1] }, waiting: [2, 3], isShort: true },
    },
    {
      given: 'an impatient reader who waits, beside another',
      list: { runs: { 1: [1] }, waiting: [2, 3] },
      input: { kind: 'impatient', reader: 2 },
      then: { runs: { 1: [1], 9: [2, 3] }, next: 10 },
      commands: [start(9, [2, 3])],
    },
    {
      given: 'an impatient reader whose list is being read',
      list: { runs: { 1: [1] }, waiting: [2] },
      input: { kind: 'impatient', reader: 1 },
    },
    {
      given: 'a reader who leaves while it waits',
      list: { runs: { 1: [1] }, waiting: [2, 3] },
      input: { kind: 'left', reader: 2 },
      then: { runs: { 1: [1] }, waiting: [3] },
    },
    { given: 'somebody who left before', list: { runs: { 1: [1] }, waiting: [2] }, input: { kind: 'left', reader: 7 } },
    {
      given: 'a reader who leaves others of its run behind',
      list: { runs: { 1: [1, 2, 3], 2: [4] }, anew: [1], waiting: [5] },
      input: { kind: 'left', reader: 2 },
      then: { runs: { 1: [1, 3], 2: [4] }, anew: [1], waiting: [5] },
    },
    {
      given: 'the last reader of the only run who leaves',
      list: { runs: { 1: [1] } },
      input: { kind: 'left', reader: 1 },
      then: {},
      commands: [stop(1)],
    },
    {
      given: 'the last reader of the only run who leaves while others wait',
      list: { runs: { 1: [1] }, waiting: [2] },
      input: { kind: 'left', reader: 1 },
      then: { runs: { 9: [2] }, next: 10 },
      commands: [stop(1), start(9, [2])],
    },
    {
      given: 'the last reader of one of two runs of a long list who leaves while others wait',
      list: { runs: { 1: [1], 2: [2] }, waiting: [3] },
      input: { kind: 'left', reader: 1 },
      then: { runs: { 2: [2] }, waiting: [3] },
      commands: [stop(1)],
    },
    {
      given: 'the last reader of one of two runs of a short list who leaves while others wait',
      list: { runs: { 1: [1], 2: [2] }, waiting: [3], isShort: true },
      input: { kind: 'left', reader: 1 },
      then: { runs: { 2: [2], 9: [3] }, next: 10, isShort: true },
      commands: [stop(1), start(9, [3])],
    },
    {
      given: 'a run that turns out to be long while others wait',
      list: { runs: { 1: [1, 2], 2: [3] }, waiting: [4] },
      input: { kind: 'long', run: 1 },
      then: { runs: { 2: [3], 9: [1, 2, 4] }, anew: [9], next: 10 },
      commands: [stop(1), start(9, [1, 2, 4], true)],
    },
    { given: 'a run that turns out to be long while nobody waits', list: { runs: { 1: [1] } }, input: { kind: 'long', run: 1 } },
    {
      given: 'a run that turns out to be long a second time',
      list: { runs: { 1: [1] }, anew: [1], waiting: [2] },
      input: { kind: 'long', run: 1 },
    },
    { given: 'a run that was stopped and turns out to be long', list: { runs: { 1: [1] }, waiting: [2] }, input: { kind: 'long', run: 7 } },
    {
      given: 'a run that ends while nobody waits',
      list: { runs: { 1: [1], 2: [2] } },
      input: { kind: 'ended', run: 1, isShort: false },
      then: { runs: { 2: [2] } },
    },
    {
      given: 'the only run that ends while others wait',
      list: { runs: { 1: [1] }, waiting: [2, 3] },
      input: { kind: 'ended', run: 1, isShort: false },
      then: { runs: { 9: [2, 3] }, next: 10 },
      commands: [start(9, [2, 3])],
    },
    {
      given: 'a long run that ends beside another while others wait',
      list: { runs: { 1: [1], 2: [2] }, waiting: [3], isShort: true },
      input: { kind: 'ended', run: 1, isShort: false },
      then: { runs: { 2: [2] }, waiting: [3] },
    },
    {
      given: 'a short run that ends beside another while others wait',
      list: { runs: { 1: [1], 2: [2] }, waiting: [3] },
      input: { kind: 'ended', run: 1, isShort: true },
      then: { runs: { 2: [2], 9: [3] }, next: 10, isShort: true },
      commands: [start(9, [3])],
    },
    {
      given: 'a run that was stopped and ends all the same',
      list: { runs: { 1: [1] }, waiting: [2] },
      input: { kind: 'ended', run: 7, isShort: true },
      then: { runs: { 1: [1] }, waiting: [2], isShort: true },
    },
    {
      given: 'readers of a short list who have gathered, and room for one more run',
      list: { runs: many(MOST_SHORT_RUNS - 1), waiting: [7], isShort: true },
      input: { kind: 'gathered' },
      then: { runs: { ...many(MOST_SHORT_RUNS - 1), 9: [7] }, next: 10, isShort: true },
      commands: [start(9, [7])],
    },
    {
      given: 'readers of a short list who have gathered, and no room',
      list: { runs: many(MOST_SHORT_RUNS), waiting: [7], isShort: true },
      input: { kind: 'gathered' },
    },
    {
      given: 'readers who have gathered for a list that is long by now',
      list: { runs: { 1: [1] }, waiting: [2] },
      input: { kind: 'gathered' },
    },
    { given: 'nobody who has gathered', list: { runs: { 1: [1] }, isShort: true }, input: { kind: 'gathered' } },
  ])('given $given, then these are the runs', ({ list, input, then = list, commands = [] }) => {
    expect(stepSchedule(listOf(list), input)).toEqual({ schedule: listOf(then), commands });
  });
});
