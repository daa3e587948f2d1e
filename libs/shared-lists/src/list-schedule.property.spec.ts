import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idleSchedule, MOST_SHORT_RUNS, stepSchedule, type ListSchedule, type ReaderId, type RunId } from './list-schedule.js';

type Move =
  | { readonly kind: 'arrive' | 'gathered' }
  | { readonly kind: 'end'; readonly which: number; readonly isShort?: boolean }
  | { readonly kind: 'hurry' | 'leave' | 'long'; readonly which: number };

const anyMoves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'arrive' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'gathered' } as const) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(20), isShort: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('hurry', 'leave', 'long' as const), which: fc.nat(20) }) },
  ),
  { maxLength: 60 },
);

/** Plays moves and keeps a history beside the schedule. */
class Play {
  schedule: ListSchedule = idleSchedule;
  readonly arrivedAt = new Map<ReaderId, number>();
  readonly left = new Set<ReaderId>();
  readonly servedBy = new Map<ReaderId, RunId>();
  readonly startedAt = new Map<RunId, number>();
  readonly running = new Map<RunId, Set<ReaderId>>();
  readonly stoppedWith: (readonly ReaderId[])[] = [];
  /** How many runs were begun for a reader. */
  readonly runsOf = new Map<ReaderId, number>();
  #time = 0;

  play(move: Move): void {
    this.#time += 1;
    switch (move.kind) {
      case 'arrive': {
        const reader = this.arrivedAt.size + 1;
        this.arrivedAt.set(reader, this.#time);
        this.#step({ kind: 'arrived', reader });
        break;
      }
      case 'hurry':
        if (this.#reader(move.which) !== undefined) this.#step({ kind: 'impatient', reader: this.#reader(move.which)! });
        break;
      case 'leave': {
        const reader = this.#reader(move.which);
        if (reader === undefined) break;
        this.left.add(reader);
        for (const readers of this.running.values()) readers.delete(reader);
        this.#step({ kind: 'left', reader });
        break;
      }
      case 'long': {
        const run = this.#run(move.which);
        if (run !== undefined) this.#step({ kind: 'long', run });
        break;
      }
      case 'end': {
        const run = this.#run(move.which);
        if (run === undefined) break;
        for (const reader of this.running.get(run) ?? []) this.servedBy.set(reader, run);
        this.running.delete(run);
        this.#step({ kind: 'ended', run, isShort: move.isShort ?? false });
        break;
      }
      case 'gathered':
        this.#step({ kind: 'gathered' });
        break;
    }
  }

  #run(which: number): RunId | undefined {
    return [...this.running.keys()][which % Math.max(1, this.running.size)];
  }

  #reader(which: number): ReaderId | undefined {
    return this.arrivedAt.size === 0 ? undefined : (which % this.arrivedAt.size) + 1;
  }

  #step(input: Parameters<typeof stepSchedule>[1]): void {
    const { schedule, commands } = stepSchedule(this.schedule, input);
    this.schedule = schedule;
    const stopped: ReaderId[] = [];
    for (const command of commands) {
      if (command.kind === 'start') {
        this.startedAt.set(command.run, this.#time);
        this.running.set(command.run, new Set(command.readers));
        for (const reader of command.readers) this.runsOf.set(reader, (this.runsOf.get(reader) ?? 0) + 1);
      } else if (command.kind === 'stop') {
        stopped.push(...(this.running.get(command.run) ?? []));
        this.running.delete(command.run);
      }
    }
    const served = [...this.running.values()].flatMap((readers) => [...readers]);
    this.stoppedWith.push(stopped.filter((reader) => !served.includes(reader)));
  }
}

describe(stepSchedule, () => {
  it('serves nobody by a run that began before they arrived', () => {
    forEveryPlay((play) => {
      for (const [reader, run] of play.servedBy) expect(play.startedAt.get(run)!).toBeGreaterThanOrEqual(play.arrivedAt.get(reader)!);
    });
  });

  it('never stops a run of which somebody is not served by another from then on', () => {
    forEveryPlay((play) => {
      expect(play.stoppedWith.flat()).toEqual([]);
    });
  });

  it('forgets nobody: who has not left is being served, waits for a run that goes on, or was served', () => {
    forEveryPlay((play) => {
      for (const reader of play.arrivedAt.keys()) {
        const isRead = [...play.running.values()].some((readers) => readers.has(reader));
        const isWaiting = play.schedule.waiting.includes(reader) && play.running.size > 0;
        expect(play.left.has(reader) || play.servedBy.has(reader) || isRead || isWaiting).toBe(true);
      }
    });
  });

  it('serves everybody once the runs have ended', () => {
    forEveryPlay((play) => {
      while (play.running.size > 0) play.play({ kind: 'end', which: 0 });

      for (const reader of play.arrivedAt.keys()) expect(play.left.has(reader) || play.servedBy.has(reader)).toBe(true);
      expect(play.schedule).toMatchObject({ runs: new Map(), waiting: [] });
    });
  });

  it.each([
    { what: 'once at a time', isShort: false, most: 1 },
    { what: `at most ${MOST_SHORT_RUNS} times at a time where it is short`, isShort: true, most: MOST_SHORT_RUNS },
  ])('reads a list $what, unless somebody has no time to wait', ({ isShort, most }) => {
    const patient = anyMoves.map((moves) =>
      moves.filter(({ kind }) => kind !== 'hurry').map((move) => (move.kind === 'end' ? { ...move, isShort } : move)),
    );

    fc.assert(
      fc.property(patient, (moves) => {
        const play = new Play();
        for (const move of moves) {
          play.play(move);
          expect(play.running.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  it('given a short list that is running, then the first who comes gathers others, and their run begins beside it', () => {
    const play = new Play();
    for (const move of [{ kind: 'arrive' }, { kind: 'end', which: 0, isShort: true }, { kind: 'arrive' }] as const) play.play(move);
    const { commands } = stepSchedule(play.schedule, { kind: 'arrived', reader: 3 });
    for (const kind of ['arrive', 'arrive', 'gathered'] as const) play.play({ kind });

    expect(commands).toEqual([{ kind: 'gather' }]);
    expect([...play.running.values()].map((readers) => [...readers])).toEqual([[2], [3, 4]]);
  });

  it('begins anew at most once for each reader', () => {
    forEveryPlay((play) => {
      for (const runs of play.runsOf.values()) expect(runs).toBeLessThanOrEqual(2);
    });
  });

  it('given a run that will be long, then all who came before it was known share one that begins anew', () => {
    const play = new Play();
    for (const move of [{ kind: 'arrive' }, { kind: 'arrive' }, { kind: 'arrive' }, { kind: 'long', which: 0 }] as const) play.play(move);

    expect([...play.running.values()].map((readers) => [...readers])).toEqual([[1, 2, 3]]);
  });

  it('given a run that began anew, then it goes on, whoever comes', () => {
    const play = new Play();
    const moves = [
      { kind: 'arrive' },
      { kind: 'arrive' },
      { kind: 'long', which: 0 },
      { kind: 'arrive' },
      { kind: 'long', which: 0 },
    ] as const;
    for (const move of moves) play.play(move);

    expect([[...play.running.values()].map((readers) => [...readers]), play.schedule.waiting]).toEqual([[[1, 2]], [3]]);
  });

  it('given a long run that nobody waits for, then it goes on', () => {
    const play = new Play();
    for (const move of [{ kind: 'arrive' }, { kind: 'long', which: 0 }] as const) play.play(move);

    expect([...play.running.keys()]).toEqual([1]);
  });

  it('given somebody without time to wait, then all who wait share the run that begins', () => {
    const play = new Play();
    for (const move of [{ kind: 'arrive' }, { kind: 'arrive' }, { kind: 'arrive' }, { kind: 'hurry', which: 1 }] as const) play.play(move);

    expect([...play.running.values()].map((readers) => [...readers])).toEqual([[1], [2, 3]]);
  });
});

function forEveryPlay(check: (play: Play) => void): void {
  fc.assert(
    fc.property(anyMoves, (moves) => {
      const play = new Play();
      for (const move of moves) play.play(move);
      check(play);
    }),
  );
}
