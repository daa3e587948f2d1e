import { describe, expect, it } from '@jest/globals';
import { FairShare } from './fair-share.js';

describe(FairShare, () => {
  it('given one that wants all, then it gets a half', () => {
    expect(takeAll(new FairShare({ inAll: 100 }), 'one')).toBe(50);
  });

  it('given many that want all and give nothing back, then a newcomer still gets something', () => {
    const share = new FairShare({ inAll: 100 });
    for (let round = 0; round < 100; round += 1) for (let sharer = 0; sharer < 48; sharer += 1) share.take(String(sharer), 1);

    expect(share.take('new', 1)).toBe(true);
  });

  it('given a bound for each, then nobody gets more', () => {
    expect(takeAll(new FairShare({ inAll: 100, mostEach: 7 }), 'one')).toBe(7);
  });

  it('given what was given back, then it is there again, for anybody', () => {
    const share = new FairShare({ inAll: 100 });
    takeAll(share, 'one');

    share.give('one', 50);

    expect(takeAll(share, 'other')).toBe(50);
    expect(share.take('one', 26)).toBe(false);
    expect(share.take('one', 25)).toBe(true);
  });

  it('given a part that is given back, then the rest is held', () => {
    const share = new FairShare({ inAll: 100, mostEach: 30 });
    share.take('one', 30);

    share.give('one', 10);

    expect([share.heldBy('one'), share.heldBy('other'), takeAll(share, 'one')]).toEqual([20, 0, 10]);
  });

  it('given more than is left, then nothing of it is taken', () => {
    const share = new FairShare({ inAll: 100 });

    expect([share.take('one', 60), takeAll(share, 'one')]).toEqual([false, 50]);
  });
});

function takeAll(share: FairShare, sharer: string): number {
  let taken = 0;
  while (share.take(sharer, 1)) taken += 1;
  return taken;
}
