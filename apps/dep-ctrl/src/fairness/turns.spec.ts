import { describe, expect, it } from '@jest/globals';
import { atOnce, inTurns } from './turns.js';

describe(inTurns, () => {
  it('given pieces of 4 ms, then others are let through after each third, and the result is that of the pieces', async () => {
    let nowMs = 0;
    const breathedAtMs: number[] = [];
    const work = function* (): Generator<void, string> {
      for (let piece = 0; piece < 7; piece += 1) {
        nowMs += 4;
        yield;
      }
      return 'done';
    };

    const result = await inTurns(work(), { now: () => nowMs, breathe: () => Promise.resolve(breathedAtMs.push(nowMs)) });

    expect([result, breathedAtMs]).toEqual(['done', [12, 24]]);
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
