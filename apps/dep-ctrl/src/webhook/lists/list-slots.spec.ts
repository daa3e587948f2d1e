import { setMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ListSlots } from './list-slots.js';
import { settled } from '../testing/manual-clock.js';

const forever = { signal: new AbortController().signal };
setMaxListeners(0, forever.signal);

describe(ListSlots, () => {
  it('given as many takers as slots, then the next waits until one is given back, in order', async () => {
    const slots = new ListSlots(1);
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

  it('given one that goes on with what another of its workspace has begun, then it comes next, whoever waits', async () => {
    const slots = new ListSlots(2);
    const order: string[] = [];
    const give = await slots.take('one', forever);
    const giveOther = await slots.take('other', forever);
    const waiting = slots.take('third', forever).then((back) => (order.push('third'), back));
    const heir = slots.take('one', { ...forever, isHeir: true }).then((back) => (order.push('heir'), back));

    give();
    (await heir)();
    (await waiting)();
    giveOther();

    expect(order).toEqual(['heir', 'third']);
  });

  it('given a slot that is given back twice, then it counts once', async () => {
    const slots = new ListSlots(1);
    const give = await slots.take('one', forever);
    give();
    give();
    await slots.take('one', forever);
    let isTaken = false;

    void slots.take('one', forever).then(() => (isTaken = true));
    await settled();

    expect(isTaken).toBe(false);
  });

  it('given a taker that gives up, then its turn goes to the next', async () => {
    const slots = new ListSlots(1);
    const give = await slots.take('one', forever);
    const quitter = new AbortController();
    const quitting = slots.take('one', { signal: quitter.signal });
    const next = slots.take('one', forever);

    quitter.abort(new Error('no time'));
    give();

    await expect(quitting).rejects.toThrow('no time');
    expect(typeof (await next)).toBe('function');
  });

  it('given a workspace whose lists hang, however many there are, then another one is not kept waiting', async () => {
    const slots = new ListSlots(6);
    const hanging = Array.from({ length: 20 }, () => slots.take('hanging', forever));
    await settled();

    const gives = [await slots.take('other', forever), await slots.take('third', forever)];
    const next = slots.take('other', forever);
    gives[0]?.();

    expect(typeof (await next)).toBe('function');
    expect(await Promise.race([Promise.all(hanging), settled().then(() => 'still waiting')])).toBe('still waiting');
  });

  it('given workspaces that wait, then the one that reads least comes first', async () => {
    const slots = new ListSlots(3);
    const order: string[] = [];
    const [give] = await Promise.all([slots.take('busy', forever), slots.take('busy', forever), slots.take('other', forever)]);
    for (const cluster of ['busy', 'other', 'new']) void slots.take(cluster, forever).then(() => order.push(cluster));

    give();
    await settled();

    expect(order).toEqual(['new']);
  });
});
