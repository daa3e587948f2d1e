import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../testing/manual-clock.js';
import { Brake, type BrakeSettings } from './brake.js';

const settings: BrakeSettings = { atOnce: 3, backoff: { firstMs: 1_000, factor: 2, capMs: 15_000 }, forgetMs: 5 * 60_000 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe(Brake, () => {
  it('given actions in a row, on a clock that runs for long, then only those that are too many have to wait', () => {
    const clock = new ManualClock();
    clock.ms = 24 * 3_600_000;
    const brake = new Brake<string, string>(clock, settings);

    const waits = Array.from({ length: 5 }, () => {
      const waitMs = brake.waitMs('a', 'x');
      brake.did('a', 'x');
      return waitMs;
    });

    expect(waits).toEqual([0, 0, 0, 0, 1_000]);
  });

  it('given an action that is forgotten, when another one is done, then its key takes no memory', async () => {
    const clock = new ManualClock();
    const brake = new Brake<object>(clock, settings);
    const noted = (): WeakRef<object> => {
      const key = {};
      brake.did(key, undefined);
      return new WeakRef(key);
    };
    const keys = [noted(), noted()];
    clock.ms = settings.forgetMs - 1;
    keys.push(noted());
    clock.ms = settings.forgetMs;

    brake.did({}, undefined);
    await setImmediate();
    collectGarbage();

    expect(keys.map((key) => key.deref() === undefined)).toEqual([true, true, false]);
  });

  it('given the same action for ever, then it is done at once three times and then after pauses that grow to the cap, and the first pause is told once', () => {
    const clock = new ManualClock();
    const brake = new Brake<string, string>(clock, settings);
    const doneAt: number[] = [];
    const toldAt: number[] = [];

    for (; clock.ms < 50_000; clock.ms += 500) {
      if (brake.waitMs('a', 'x') > 0) continue;
      doneAt.push(clock.ms);
      if (brake.did('a', 'x')) toldAt.push(clock.ms);
    }

    expect(doneAt).toEqual([0, 500, 1_000, 1_500, 2_500, 4_500, 8_500, 16_500, 31_500, 46_500]);
    expect(toldAt).toEqual([1_500]);
  });

  it.each<{ given: string; change: (clock: ManualClock) => string }>([
    { given: 'another action', change: () => 'y' },
    {
      given: 'a quiet time',
      change: (clock) => {
        clock.ms += 5 * 60_000;
        return 'x';
      },
    },
  ])('given a braked action, then $given, then it is done at once and the count starts anew', ({ change }) => {
    const clock = new ManualClock();
    const brake = new Brake<string, string>(clock, settings);
    for (let times = 0; times < 6; times += 1) brake.did('a', 'x');
    expect(brake.waitMs('a', 'x')).toBe(4_000);

    const next = change(clock);

    expect(brake.waitMs('a', next)).toBe(0);
    expect(brake.did('a', next)).toBe(false);
    expect(brake.waitMs('a', next)).toBe(0);
  });

  it('given an action that is tried again and again, then it is noted only when it may be done', () => {
    const clock = new ManualClock();
    const brake = new Brake<string>(clock, { ...settings, atOnce: 0 });
    const triedAt: number[] = [];

    for (; clock.ms < 10_000; clock.ms += 500) if (brake.tryNow('a', undefined)) triedAt.push(clock.ms);

    expect(triedAt).toEqual([0, 1_000, 3_000, 7_000]);
  });

  it('given a key that is forgotten, then its action need not wait, and other keys still do', () => {
    const brake = new Brake<string>(new ManualClock(), { ...settings, atOnce: 0 });
    brake.did('a', undefined);
    brake.did('b', undefined);

    brake.forget('a');

    expect(brake.waitMs('a', undefined)).toBe(0);
    expect(brake.waitMs('b', undefined)).toBe(1_000);
  });

  it('given actions that are equal in value, then they are the same action', () => {
    const brake = new Brake<string, { readonly url: string }>(new ManualClock(), { ...settings, atOnce: 0 });

    brake.did('a', { url: 'x' });

    expect(brake.waitMs('a', { url: 'x' })).toBe(1_000);
    expect(brake.waitMs('a', { url: 'y' })).toBe(0);
  });
});
