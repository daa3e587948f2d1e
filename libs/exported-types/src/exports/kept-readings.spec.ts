import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { KeptReadings } from './kept-readings.js';

const MIB = 1024 * 1024;

describe(KeptReadings, () => {
  it('given a reading, then it is not made again until it is too old', async () => {
    const { clock, read, made } = stage();
    await read('a');
    await clock.advance(999);
    await read('a');
    expect(made).toEqual(['a']);

    await clock.advance(1);
    await read('a');

    expect(made).toEqual(['a', 'a']);
  });

  it('given readings that are too large together, then the oldest are let go, and the last one is kept', async () => {
    const { read, made } = stage();
    await read('a', 3 * MIB);
    await read('b', 3 * MIB);
    await read('c', 3 * MIB);

    for (const key of ['c', 'b', 'a']) await read(key);

    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });

  it('given one that was forgotten, then its room is free again', async () => {
    const { kept, read, made } = stage();
    await read('a', 5 * MIB);
    kept.forget('a');
    kept.forget('a');
    await read('b', 2 * MIB);
    await read('c', 5 * MIB);

    for (const key of ['b', 'c']) await read(key);

    expect(made).toEqual(['a', 'b', 'c']);
  });

  it('given one that is still being read, then there is one reading, and its age counts from its begin', async () => {
    const { clock, kept, made, read } = stage();
    const both = Promise.all([read('a'), read('a')]);
    await clock.advance(400);

    expect(await both).toEqual(['', '']);
    expect([made, kept.ageMs('a'), kept.ageMs('b')]).toEqual([['a'], 400, undefined]);
  });

  it('given more than a thousand, then the oldest is let go', async () => {
    const { read, made } = stage();
    for (let index = 0; index <= 1_000; index += 1) await read(`key-${index}`);
    made.splice(0);

    for (const key of ['key-1', 'key-0']) await read(key);

    expect(made).toEqual(['key-0']);
  });
});

function stage() {
  const clock = new ManualClock();
  const kept = new KeptReadings<string>({ clock, keepMs: 1_000 });
  const made: string[] = [];
  const read = (key: string, length = 0): Promise<string> =>
    kept.read(key, () => {
      made.push(key);
      return Promise.resolve('x'.repeat(length));
    });
  return { clock, kept, made, read };
}
