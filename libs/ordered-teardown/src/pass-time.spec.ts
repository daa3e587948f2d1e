import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { PassTime } from './pass-time.js';

describe(PassTime, () => {
  it('given that nothing is found, then there is all of the time', () => {
    const { time, overAt } = begun();

    expect([overAt(29_999), overAt(30_000)]).toEqual([false, true]);
    expect(time.isOver()).toBe(true);
  });

  it('given a first object after long looking, then the work on it and the others has its share', () => {
    const { time, clock, overAt } = begun();
    clock.ms = 10_000;
    time.found();
    clock.ms = 11_000;
    time.found();

    expect([overAt(11_999), overAt(12_000)]).toEqual([false, true]);
  });

  it('given a share that somebody used up, then the others have what is granted, and never more than all', () => {
    const { time, clock, overAt } = begun();
    time.found();
    clock.ms = 4_000;
    time.grant(500);

    expect([overAt(4_499), overAt(4_500)]).toEqual([false, true]);
    clock.ms = 29_900;
    time.grant(500);
    expect([overAt(29_999), overAt(30_000)]).toEqual([false, true]);
  });

  it('given a grant before anything was found, then there is all of the time, and the whole share after it', () => {
    const [looking, working] = [begun(), begun()];
    for (const { time } of [looking, working]) time.grant(500);
    working.time.found();

    expect([looking.overAt(29_999), looking.overAt(30_000)]).toEqual([false, true]);
    expect([working.overAt(1_999), working.overAt(2_000)]).toEqual([false, true]);
  });

  it('given a grant that ends before the share does, then the share stays', () => {
    const { time, overAt } = begun();
    time.found();
    time.grant(500);

    expect([overAt(1_999), overAt(2_000)]).toEqual([false, true]);
  });

  function begun() {
    const clock = new ManualClock();
    const time = new PassTime(clock, { allMs: 30_000, workMs: 2_000 });
    const overAt = (ms: number): boolean => {
      clock.ms = ms;
      return time.isOver();
    };
    return { time, clock, overAt };
  }
});
