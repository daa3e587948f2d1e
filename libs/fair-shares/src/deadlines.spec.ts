import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@dep-ctrl/kcp-client';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { Deadlines } from './deadlines.js';

describe(Deadlines, () => {
  it('given several deadlines, then each comes at most a slot early and never late', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines({ clock });
    const over: string[] = [];
    await clock.advance(7);
    for (const ms of [1_000, 1_020, 9_000]) deadlines.after(ms, () => over.push(`${String(ms)} at ${String(clock.monotonic() - 7)}`));

    await clock.advance(949);
    expect(over).toEqual([]);
    await clock.advance(10_000);

    expect(over).toEqual(['1000 at 993', '1020 at 993', '9000 at 8993']);
  });

  it('given a deadline that is no longer needed, then it never comes, and others of its slot do', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines({ clock });
    const over: string[] = [];
    const cancel = deadlines.after(1_000, () => over.push('first'));
    deadlines.after(1_000, () => over.push('second'));
    const cancelAlone = deadlines.after(2_000, () => over.push('alone'));

    cancel();
    cancelAlone();
    await clock.advance(5_000);

    expect(over).toEqual(['second']);
  });

  it('given a slot that was given up, then the next deadline in it comes', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines({ clock });
    const over: string[] = [];
    deadlines.after(1_000, () => over.push('first'))();

    deadlines.after(1_000, () => over.push('second'));
    await clock.advance(1_000);

    expect(over).toEqual(['second']);
  });

  it('given a slot with two deadlines, then its timer runs until both are given up', () => {
    const clock = new ManualClock();
    const timers: AbortSignal[] = [];
    const seen: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: (ms, options) => {
        timers.push(options.signal);
        return clock.sleep(ms, options);
      },
    };
    const deadlines = new Deadlines({ clock: seen });
    const [first, second] = [1_000, 1_010].map((ms) => deadlines.after(ms, () => undefined));
    const areGivenUp = () => timers.map(({ aborted }) => aborted);

    first?.();
    first?.();
    expect(areGivenUp()).toEqual([false]);
    second?.();

    expect(areGivenUp()).toEqual([true]);
    expect(timers[0]?.reason).toEqual(new Error('nobody waits for this time'));
  });

  it('given a slot whose time has come, then the next deadline at that time has a timer of its own', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines({ clock });
    const over: string[] = [];
    deadlines.after(0, () => over.push('first'));
    await clock.advance(0);

    deadlines.after(0, () => over.push('second'));
    await clock.advance(0);

    expect(over).toEqual(['first', 'second']);
  });

  it('given no time at all, then it comes at once', async () => {
    const clock = new ManualClock();
    const over: string[] = [];
    await clock.advance(30);
    new Deadlines({ clock }).after(0, () => over.push('now'));

    await clock.advance(0);

    expect(over).toEqual(['now']);
  });
});
