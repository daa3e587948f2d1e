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

    await expect(turns.next()).resolves.toBeUndefined();
  });
});

describe(inTurns, () => {
  it('given pieces of 1 ms, then others are let through after each second, and the result is that of the pieces', async () => {
    let nowMs = 0;
    const breathedAtMs: number[] = [];
    const work = function* (): Generator<void, string> {
      for (let piece = 0; piece < 7; piece += 1) {
        nowMs += 1;
        yield;
      }
      return 'done';
    };

    const result = await inTurns(work(), { now: () => nowMs, turns: { next: () => Promise.resolve(void breathedAtMs.push(nowMs)) } });

    expect([result, breathedAtMs]).toEqual(['done', [2, 4, 6]]);
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
