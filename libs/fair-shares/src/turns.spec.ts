import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { atOnce, inTurns, Turns } from './turns.js';

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

  it('given one that comes when nobody waits any more, then it has its turn', async () => {
    const turns = new Turns();
    await turns.next();

    await expect(turns.next()).resolves.toBe(2);
  });
});

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

  it('given more sharers than are remembered, then those who used least are forgotten', () => {
    const { turns } = makeLoop();
    turns.spent('busy', 1_000);
    turns.spent('other', 101);
    for (let count = 0; count < 10_000; count += 1) turns.spent(`workspace-${count}`, 110);

    expect([turns.isBusy('busy'), turns.isBusy('other'), turns.isBusy('nobody')]).toEqual([true, false, false]);
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

/** An event loop that goes on when it is told to. */
function makeLoop({ readingTakesMs = 0 } = {}) {
  let nowMs = 0;
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
    void turns.next(sharer, { isUrgent }).then((turnMs) => {
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
