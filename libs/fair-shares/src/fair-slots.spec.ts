import { setMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { settled } from '@dep-ctrl/kcp-client/testing';
import { FairSlots } from './fair-slots.js';

const forever = { signal: new AbortController().signal };
setMaxListeners(0, forever.signal);

describe(FairSlots, () => {
  it('given as many takers as slots, then the next waits until one is given back, in order', async () => {
    const slots = new FairSlots({ count: 1 });
    const order: string[] = [];
    const give = await slots.take('one', forever);
    const second = slots.take('one', forever).then((back) => (order.push('second'), back));
    const third = slots.take('one', forever).then((back) => (order.push('third'), back));

    await settled();
    expect(order).toEqual([]);
    give();
    (await second)();
    (await third)();

    expect(order).toEqual(['second', 'third']);
  });

  it('given a slot that is given back twice, then it counts once', async () => {
    const slots = new FairSlots({ count: 1 });
    const give = await slots.take('one', forever);
    give();
    give();
    await slots.take('one', forever);

    expect(slots.takeAtOnce('one')).toBeUndefined();
  });

  it('given sharers that come again as soon as they have given back, then whoever was served longest ago comes first, whatever its rank', async () => {
    const slots = new FairSlots({ count: 1 });
    const order: string[] = [];
    let give = await slots.take('first', forever);
    const wait = (sharer: string, rank: number): void =>
      void slots.take(sharer, { ...forever, rank }).then((back) => {
        order.push(sharer);
        give = back;
      });
    for (const evil of ['evil 1', 'evil 2']) wait(evil, 1);
    for (let count = 0; count < 2; count += 1) wait('honest', 9);

    for (let turn = 0; turn < 6; turn += 1) {
      give();
      await settled();
      const last = order.at(-1) ?? '';
      if (last !== 'honest') wait(last, 1);
    }

    expect(order).toEqual(['evil 1', 'evil 2', 'honest', 'evil 1', 'evil 2', 'honest']);
  });

  it('given a taker that gives up, then its turn goes to the next', async () => {
    const slots = new FairSlots({ count: 1 });
    const give = await slots.take('one', forever);
    const quitter = new AbortController();
    const quitting = slots.take('one', { signal: quitter.signal });
    const next = slots.take('one', forever);

    quitter.abort(new Error('no time'));
    give();

    await expect(quitting).rejects.toThrow('no time');
    expect(typeof (await next)).toBe('function');
  });

  it.each([
    { sharers: 1, each: [3] },
    { sharers: 2, each: [3, 2] },
    { sharers: 4, each: [3, 2, 1] },
  ])(
    'given $sharers that want all of six slots and give none back, then they get $each, as nobody gets more than are free',
    ({ sharers, each }) => {
      const slots = new FairSlots({ count: 6 });

      const taken = Array.from({ length: sharers }, (_, sharer) => takeAll(slots, String(sharer)));

      expect(taken.filter((count) => count > 0)).toEqual(each);
    },
  );

  it('given a bound for each, then nobody gets more, however many are free', () => {
    expect(takeAll(new FairSlots({ count: 60, mostOf: () => 8 }), 'one')).toBe(8);
  });

  it('given dozens that hold on to what they have, then a newcomer gets one', () => {
    const slots = new FairSlots({ count: 64, mostOf: () => 8 });
    for (let round = 0; round < 8; round += 1) for (let sharer = 0; sharer < 48; sharer += 1) slots.takeAtOnce(String(sharer));

    expect(slots.takeAtOnce('new')).toBeDefined();
  });

  it('given several that wait, then the one comes next whose sharer has taken least, then the lowest rank', async () => {
    const slots = new FairSlots({ count: 4 });
    const order: string[] = [];
    const gives = await Promise.all([slots.take('busy', forever), slots.take('busy', forever), slots.take('other', forever)]);
    const last = slots.takeAtOnce('last');
    for (const [sharer, rank] of [
      ['busy', 0],
      ['other', 0],
      ['new', 2],
      ['newer', 1],
    ] as const) {
      void slots.take(sharer, { ...forever, rank }).then(() => order.push(sharer));
    }

    last?.();
    await settled();
    for (const give of gives) give();
    await settled();

    expect(order).toEqual(['newer', 'new', 'busy', 'other']);
  });
});

function takeAll(slots: FairSlots, sharer: string): number {
  let count = 0;
  while (slots.takeAtOnce(sharer) !== undefined) count += 1;
  return count;
}
