import { describe, expect, it } from '@jest/globals';
import { ListSlots } from './list-slots.js';
import { settled } from './testing/manual-clock.js';

const forever = { signal: new AbortController().signal };

describe(ListSlots, () => {
  it('given as many takers as slots, then the next waits until one is given back, in order', async () => {
    const slots = new ListSlots(1);
    const order: string[] = [];
    const give = await slots.take(forever);
    const second = slots.take(forever).then((back) => (order.push('second'), back));
    const third = slots.take(forever).then((back) => (order.push('third'), back));

    await settled();
    expect(order).toEqual([]);
    give();
    (await second)();
    (await third)();

    expect(order).toEqual(['second', 'third']);
  });

  it('given a slot that is given back twice, then it counts once', async () => {
    const slots = new ListSlots(1);
    const give = await slots.take(forever);
    give();
    give();
    await slots.take(forever);
    let isTaken = false;

    void slots.take(forever).then(() => (isTaken = true));
    await settled();

    expect(isTaken).toBe(false);
  });

  it('given a taker that gives up, then its turn goes to the next', async () => {
    const slots = new ListSlots(1);
    const give = await slots.take(forever);
    const quitter = new AbortController();
    const quitting = slots.take({ signal: quitter.signal });
    const next = slots.take(forever);

    quitter.abort(new Error('no time'));
    give();

    await expect(quitting).rejects.toThrow('no time');
    expect(typeof (await next)).toBe('function');
  });
});
