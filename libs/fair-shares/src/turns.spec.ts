import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { atOnce, inTurns, Turns } from './turns.js';

describe('who has a turn', () => {
  it('given some who have used more than others of late, then who has used least comes first', async () => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('much', 60);
    turns.spent('little', 20);
    for (const name of ['much', 'nothing', 'little']) wait(name);

    await pass(0);

    expect(told).toEqual(['nothing', 'little', 'much']);
  });

  it('given many who have used as much, however late it is read, then they come in order', async () => {
    const { turns, told, wait, pass } = makeLoop({ readingTakesMs: 0.001 });
    turns.spent('provider', 60);
    for (let count = 0; count < 6; count += 1) wait('provider', String(count));

    await pass(0);

    expect(told).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('given one who used much and rests, then that counts half as much after each second', async () => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('rested', 60);
    await pass(2_000);
    turns.spent('little', 20);
    for (const name of ['little', 'rested']) wait(name);

    await pass(0);

    expect(told).toEqual(['rested', 'little']);
  });

  it('given a busy one and somebody who waits for an answer and has used far less, then the busy one gets 1 ms of every 6', async () => {
    const { turns, told, turnsMs, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    turns.enter('small');
    for (let count = 0; count < 4; count += 1) wait('busy');

    const atMs: number[] = [];
    for (let ms = 0; ms < 18; ms += 1) {
      await pass(1);
      atMs.push(told.length);
    }

    expect([atMs.indexOf(1), atMs.indexOf(2), atMs.indexOf(3)]).toEqual([0, 6, 12]);
    expect(turnsMs).toEqual([1, 1, 1]);
  });

  it('given a busy one and somebody who just had an answer and has used far less, then the busy one gets 1 ms of every 6', async () => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    turns.enter('small')();
    await pass(400);
    for (let count = 0; count < 4; count += 1) wait('busy');

    for (let ms = 0; ms < 12; ms += 1) await pass(1);

    expect(told).toHaveLength(2);
  });

  it.each<[string, (turns: Turns, pass: (ms: number) => Promise<void>) => Promise<void> | void]>([
    [
      'the last answer was given half a second ago',
      (turns, pass) => {
        turns.enter('small')();
        return pass(501);
      },
    ],
    [
      'who waits has used about as much',
      (turns) => {
        turns.spent('other', 500);
        turns.enter('other');
      },
    ],
    ['only it waits for an answer itself', (turns) => void turns.enter('busy')],
  ])('given a busy one, when %s, then it is not held', async (_, prepare) => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    await prepare(turns, pass);
    for (let count = 0; count < 4; count += 1) wait('busy');

    await pass(0);

    expect(told).toHaveLength(4);
  });

  it('given a busy one whose time runs out, then it is not held', async () => {
    const { turns, turnsMs, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    turns.enter('small');
    for (let count = 0; count < 3; count += 1) wait('busy', 'busy', true);

    await pass(0);

    expect(turnsMs).toEqual([2, 2, 2]);
  });

  it('given a busy one that is held, then whoever comes meanwhile has a turn at once', async () => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    turns.enter('small');
    wait('busy');
    wait('busy');
    await pass(0);
    wait('small');

    await pass(0);

    expect(told).toEqual(['busy', 'small']);
  });

  it('given a busy one that is held no longer, then it has its turn at once, and only one', async () => {
    const { turns, told, wait, pass } = makeLoop();
    turns.spent('busy', 1_000);
    turns.enter('small')();
    wait('busy', 'first');
    await pass(498);
    wait('busy', 'second');
    await pass(0);
    expect(told).toEqual(['first']);

    await pass(3);
    wait('other');
    await pass(0);
    await pass(6);

    expect(told).toEqual(['first', 'other', 'second']);
  });

  it.each([
    { given: 'exactly as much as is not busy yet', used: 100, other: 0, isBusy: false, isHeld: false },
    { given: 'more than that, and the other one nothing', used: 101, other: 0, isBusy: true, isHeld: true },
    { given: 'four times as much as the other one', used: 1_000, other: 250, isBusy: true, isHeld: false },
    { given: 'more than four times as much', used: 1_001, other: 250, isBusy: true, isHeld: true },
    { given: 'little, and the other one far less', used: 50, other: 1, isBusy: false, isHeld: false },
  ])('given one who used $given, then it is busy: $isBusy, and held: $isHeld', ({ used, other, isBusy, isHeld }) => {
    const { turns } = makeLoop();
    turns.spent('one', used);
    turns.spent('other', other);
    turns.enter('other');

    expect([turns.isBusy('one'), turns.isHeld('one')]).toEqual([isBusy, isHeld]);
  });

  it.each<{ given: string; isLeft: boolean; afterMs: number; isPresent: boolean }>([
    { given: 'somebody who waits for an answer, however long', isLeft: false, afterMs: 2_000, isPresent: true },
    { given: 'an answer of a moment ago', isLeft: true, afterMs: 100, isPresent: true },
    { given: 'an answer of half a second ago', isLeft: true, afterMs: 500, isPresent: true },
    { given: 'an answer of longer ago', isLeft: true, afterMs: 501, isPresent: false },
  ])('given $given, then that one is present: $isPresent, whether another one comes or not', async ({ isLeft, afterMs, isPresent }) => {
    const { turns, pass } = makeLoop();
    const leave = turns.enter('one');
    if (isLeft) leave();
    await pass(afterMs);

    const isThere = (): boolean => turns.isAnybody((sharer) => sharer === 'one');
    turns.enter('other')();

    expect([isThere(), isThere()]).toEqual([isPresent, isPresent]);
  });

  it('given one of whose answers another one is under way, then it is present', async () => {
    const { turns, pass } = makeLoop();
    turns.enter('one');
    turns.enter('one')();

    await pass(2_000);

    expect(turns.isAnybody((sharer) => sharer === 'one')).toBe(true);
  });

  it('given as many sharers as are remembered, then all are, and with one more those who used least are forgotten', () => {
    const { turns } = makeLoop();
    turns.spent('busy', 1_000);
    turns.spent('other', 101);
    for (let count = 2; count < 10_000; count += 1) turns.spent(`workspace-${count}`, 110);
    const areBusy = (): readonly boolean[] => ['busy', 'other', 'nobody'].map((sharer) => turns.isBusy(sharer));
    expect(areBusy()).toEqual([true, true, false]);

    turns.spent('one more', 110);

    expect(areBusy()).toEqual([true, false, false]);
  });
});

describe(Turns, () => {
  it('given many who wait, then each has a turn of the loop of its own, in order', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const loop = (async () => {
      for (let round = 1; round <= 4; round += 1) {
        await setImmediate();
        told.push(`loop ${round}`);
      }
    })();

    await Promise.all([...['a', 'b', 'c'].map((name) => turns.next().then(() => told.push(name))), loop]);

    expect(told.filter((each) => !each.startsWith('loop'))).toEqual(['a', 'b', 'c']);
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const) {
      expect(told.slice(told.indexOf(first) + 1, told.indexOf(second)).filter((each) => each.startsWith('loop'))).toHaveLength(1);
    }
  });

  it('given the loop of this process, then what is used counts', () => {
    const turns = new Turns();

    turns.spent('busy', 1_000);

    expect([turns.isBusy('busy'), turns.isBusy('other')]).toEqual([true, false]);
  });

  it('given one that comes when nobody waits any more, then it has its turn', async () => {
    const turns = new Turns();
    await turns.next();

    await expect(turns.next()).resolves.toBe(2);
  });
});

describe(inTurns, () => {
  it('given pieces of 1 ms, then others are let through after each second, or sooner where the turn is shorter, and the result is that of the pieces', async () => {
    let nowMs = 0;
    const breathedAtMs: number[] = [];
    const work = function* (): Generator<void, string> {
      for (let piece = 0; piece < 7; piece += 1) {
        nowMs += 1;
        yield;
      }
      return 'done';
    };

    const spent: unknown[] = [];

    const result = await inTurns(work(), {
      sharer: 'a',
      now: () => nowMs,
      turns: {
        next: () => {
          breathedAtMs.push(nowMs);
          return Promise.resolve(breathedAtMs.length === 2 ? 1 : 2);
        },
        spent: (...each) => spent.push(each),
        isBusy: () => false,
      },
    });

    expect([result, breathedAtMs]).toEqual(['done', [2, 4, 5, 7]]);
    expect(spent).toEqual([2, 2, 1, 2, 0].map((ms) => ['a', ms]));
  });

  it('given sharers that are busy, then it waits for a turn before it begins', async () => {
    let isBegun = false;
    const work = function* (): Generator<void, string> {
      isBegun = true;
      yield;
      return 'done';
    };
    let call: (turnMs: number) => void = () => undefined;
    const turns = { next: () => new Promise<number>((resolve) => (call = resolve)), spent: () => undefined, isBusy: () => true };

    const working = inTurns(work(), { turns });
    const wasBegun = isBegun;
    call(2);

    expect([wasBegun, await working]).toEqual([false, 'done']);
  });

  it.each([
    { given: 'nothing about urgency', options: {}, isUrgent: false },
    { given: 'a caller that has little time left', options: { isUrgent: () => true }, isUrgent: true },
  ])('given $given, then its turns are urgent: $isUrgent', async ({ options, isUrgent }) => {
    const asked: unknown[] = [];
    const turns = {
      next: (_: unknown, how?: { readonly isUrgent?: boolean }) => {
        asked.push(how?.isUrgent);
        return Promise.resolve(2);
      },
      spent: () => undefined,
      isBusy: () => true,
    };

    await inTurns([][Symbol.iterator](), { ...options, turns });

    expect(asked).toEqual([isUrgent]);
  });

  it('given a piece that takes longer than a turn by the clock of this process, then others are let through after it', async () => {
    let letThrough = 0;
    const work = function* (): Generator<void, string> {
      const untilMs = performance.now() + 3;
      while (performance.now() < untilMs);
      yield;
      return 'done';
    };
    const next = (): Promise<number> => {
      letThrough += 1;
      return Promise.resolve(2);
    };

    await inTurns(work(), { turns: { next, spent: () => undefined, isBusy: () => false } });

    expect(letThrough).toBe(1);
  });

  it('given what is done within one turn, then it is charged to nobody', async () => {
    const spent: unknown[] = [];
    const turns = { next: () => Promise.resolve(2), spent: (...each: readonly unknown[]) => spent.push(each), isBusy: () => false };

    await inTurns([][Symbol.iterator](), { sharer: 'a', turns });

    expect(spent).toEqual([]);
  });

  it('given what throws, then so does this', async () => {
    const work = function* (): Generator<void, string> {
      yield;
      throw new Error('broken');
    };

    await expect(inTurns(work())).rejects.toThrow('broken');
    expect(() => atOnce(work())).toThrow('broken');
  });
});

describe(atOnce, () => {
  it('given pieces, then all are done, and the result is theirs', () => {
    const done: number[] = [];
    const work = function* (): Generator<void, string> {
      for (let piece = 0; piece < 3; piece += 1) {
        done.push(piece);
        yield;
      }
      return 'done';
    };

    expect([atOnce(work()), done]).toEqual(['done', [0, 1, 2]]);
  });
});

/** An event loop that goes on when it is told to. */
function makeLoop({ readingTakesMs = 0 } = {}) {
  let nowMs = 10_000;
  const soon: (() => void)[] = [];
  const later: { readonly atMs: number; readonly call: () => void }[] = [];
  const turns = new Turns({
    now: () => (nowMs += readingTakesMs),
    soon: (call) => soon.push(call),
    later: (call, ms) => later.push({ atMs: nowMs + ms, call }),
  });
  const told: string[] = [];
  const turnsMs: number[] = [];
  const wait = (sharer: string, name = sharer, isUrgent = false): void =>
    void turns.next(sharer, isUrgent ? { isUrgent } : {}).then((turnMs) => {
      told.push(name);
      turnsMs.push(turnMs);
    });
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    for (const { call } of later.splice(0, later.filter(({ atMs }) => atMs <= nowMs).length)) call();
    for (let call = soon.shift(); call !== undefined; call = soon.shift()) {
      call();
      await Promise.resolve();
    }
    await setImmediate();
  };
  return { turns, told, turnsMs, wait, pass };
}
