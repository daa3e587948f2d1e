import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { PageLimits } from './page-limits.js';

describe(PageLimits, () => {
  it('given what fitted, then it is known for a minute', async () => {
    const clock = new ManualClock();
    const limits = new PageLimits({ clock });
    limits.remember('list', 15);

    const before = limits.of('list');
    await clock.advance(60_000);

    expect([before, limits.of('list'), limits.of('other')]).toEqual([15, undefined, undefined]);
  });

  it('given more lists than it keeps, then it forgets the oldest', () => {
    const limits = new PageLimits({ clock: new ManualClock() });

    for (let list = 0; list < 1_001; list += 1) limits.remember(String(list), 2);

    expect([limits.of('0'), limits.of('1'), limits.of('1000')]).toEqual([undefined, 2, 2]);
  });
});
