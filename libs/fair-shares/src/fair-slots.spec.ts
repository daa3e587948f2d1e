import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { settled } from '@dep-ctrl/kcp-client/testing';
import { FairSlots } from './fair-slots.js';

const forever = { signal: new AbortController().signal };
setMaxListeners(0, forever.signal);

describe(FairSlots, () => {
  it('given as many takers as slots, then the next waits until one is given back, in order', async () => {
    const slots = new FairSlots({ count: 1 });
    const order: string[] = [];
    const taking = ['first', 'second', 'third'].map((name) => slots.take('one', forever).then((back) => (order.push(name), back)));

    await settled();
    expect(order).toEqual(['first']);
    for (const each of taking) {
      void each.then((giveBack) => giveBack());
      await settled();
    }

    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('given a slot that is given back twice, then it counts once', () => {
    const slots = new FairSlots({ count: 2 });
    const give = slots.takeAtOnce('one');
    give?.();
    give?.();

    expect(['one', 'other', 'third'].map((sharer) => slots.takeAtOnce(sharer) !== undefined)).toEqual([true, true, false]);
  });

  it('given sharers that come again as soon as they have given back, then whoever was served longest ago comes first, whatever its rank', async () => {
    const slots = new FairSlots({ count: 1 });
    const order: string[] = [];
    let give = slots.takeAtOnce('first');
    const wait = (sharer: string, rank: number): void =>
      void slots.take(sharer, { ...forever, rank }).then((back) => {
        order.push(sharer);
        give = back;
      });
    for (const evil of ['evil 1', 'evil 2']) wait(evil, 1);
    for (let count = 0; count < 2; count += 1) wait('honest', 9);

    for (let turn = 0; turn < 6; turn += 1) {
      give?.();
      await settled();
      const last = order.at(-1) ?? '';
      if (last !== 'honest') wait(last, 1);
    }

    expect(order).toEqual(['evil 1', 'evil 2', 'honest', 'evil 1', 'evil 2', 'honest']);
  });

  it('given a taker that gives up, then its turn goes to the next', async () => {
    const slots = new FairSlots({ count: 1 });
    const give = slots.takeAtOnce('one');
    const told: unknown[] = [];
    const quitter = new AbortController();
    slots.take('one', { signal: quitter.signal }).catch((reason: unknown) => told.push(reason));
    void slots.take('one', forever).then(() => told.push('next'));

    quitter.abort(new Error('no time'));
    give?.();
    await settled();

    expect(told).toEqual([new Error('no time'), 'next']);
  });

  it('given a request that gives up after it was served, then those that wait stay in the queue', async () => {
    const slots = new FairSlots({ count: 1 });
    const give = slots.takeAtOnce('one');
    const told: string[] = [];
    const quitter = new AbortController();
    const served = slots.take('one', { signal: quitter.signal });
    void slots.take('one', forever).then(() => told.push('next'));

    give?.();
    quitter.abort(new Error('no time'));
    void served.then((giveBack) => giveBack());
    await settled();

    expect(told).toEqual(['next']);
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
    const gives = ['busy', 'busy', 'other'].map((sharer) => slots.takeAtOnce(sharer));
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
    for (const give of gives) give?.();
    await settled();

    expect(order).toEqual(['newer', 'new', 'busy', 'other']);
  });

  it.each([{ waiting: ['holder', 'new'] }, { waiting: ['new', 'holder'] }])(
    'given a bound that is lifted while $waiting wait in this order, then the one comes first whose sharer has taken less, whatever its rank',
    async ({ waiting }) => {
      let most = 6;
      const slots = new FairSlots({ count: 6, mostOf: () => most });
      slots.takeAtOnce('holder');
      const give = slots.takeAtOnce('other');
      const order: string[] = [];
      most = 0;
      for (const sharer of waiting) void slots.take(sharer, { ...forever, rank: sharer === 'new' ? 1 : 0 }).then(() => order.push(sharer));

      await settled();
      most = 6;
      give?.();
      await settled();

      expect(order).toEqual(['new', 'holder']);
    },
  );

  it.each([
    { given: 'a thousand sharers that had to wait', sharers: 1_000, order: ['new', 'sharer 0'] },
    { given: 'more sharers than are remembered', sharers: 1_001, order: ['sharer 0', 'new'] },
  ])('given $given, then the one that was served longest ago comes in the order $order with a new one', async ({ sharers, order }) => {
    const slots = new FairSlots({ count: 1 });
    const served: string[] = [];
    let give = slots.takeAtOnce('first');
    const wait = (sharer: string, rank: number): void =>
      void slots.take(sharer, { ...forever, rank }).then((back) => {
        served.push(sharer);
        give = back;
      });
    for (let sharer = 0; sharer < sharers; sharer += 1) {
      wait(`sharer ${sharer}`, 0);
      await setImmediate();
      give?.();
      await setImmediate();
    }

    wait('sharer 0', 0);
    wait('new', 1);
    for (let turn = 0; turn < 2; turn += 1) {
      await setImmediate();
      give?.();
    }
    await setImmediate();

    expect(served.slice(-2)).toEqual(order);
  });
});

function takeAll(slots: FairSlots, sharer: string): number {
  let count = 0;
  while (slots.takeAtOnce(sharer) !== undefined) count += 1;
  return count;
}
