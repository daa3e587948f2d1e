import { describe, expect, it } from '@jest/globals';
import { settled } from '@dep-ctrl/kcp-client/testing';
import { FairSlots } from '@dep-ctrl/fair-shares';
import { PageBuffers } from './page-buffers.js';
import { SlottedPage } from './slotted-page.js';

const LARGE = Buffer.alloc(600_000, 'x');

describe(SlottedPage, () => {
  it('given lists that were asked for and do not begin to be answered, then they hold nothing', () => {
    const { list, slots } = start();

    for (let index = 0; index < 10; index += 1) list(`hanging-${index}`).clear();

    expect(slots.takeAtOnce('other')).toBeDefined();
  });

  it('given a page, then it has a slot until the next one is asked for, and the next list waits for that', async () => {
    const { list } = start();
    const first = list('one');
    const second = list('other');
    for (const page of [first, second]) page.clear();
    expect(first.add(LARGE)).toBeUndefined();

    const { isOver } = watched(second.add(LARGE));
    await settled();
    const before = [isOver(), first.bytes.equals(LARGE)];
    first.clear();
    await settled();

    expect([before, isOver(), first.bytes.length]).toEqual([[false, true], true, 0]);
  });

  it('given a page that is given up, then it was told all the same how much of it came', () => {
    const { list, came } = start();
    const page = list('one');
    page.clear();
    void page.add(Buffer.alloc(1_000));
    void page.add(Buffer.alloc(500));

    page.clear();

    expect(came).toEqual([1_000, 500]);
  });

  it('given a small page, then it waits for no slot, however many large ones there are', () => {
    const { list } = start();
    const [large, small] = [list('one'), list('other')];
    for (const page of [large, small]) page.clear();
    void large.add(LARGE);

    expect(small.add(Buffer.alloc(400_000))).toBeUndefined();
    expect(small.add(Buffer.alloc(400_000)) instanceof Promise).toBe(true);
    expect(small.add(Buffer.alloc(400_000)) instanceof Promise).toBe(false); // it waits already
  });

  it('given a second page and a first one that wait, then the first one goes ahead', async () => {
    const { list } = start();
    const [holder, old, fresh] = [list('holder'), list('old'), list('fresh')];
    for (const page of [holder, old, old, fresh]) page.clear();
    void holder.add(LARGE);
    const order: string[] = [];
    const tell = (page: SlottedPage, name: string) => () => {
      order.push(name);
      page.clear();
    };
    void old.add(LARGE)?.then(tell(old, 'old'));
    void fresh.add(LARGE)?.then(tell(fresh, 'fresh'));

    holder.clear();
    await settled();

    expect(order).toEqual(['fresh', 'old']);
  });

  it('given a list that ended while it waited for a slot, then the slot is given back when it comes', async () => {
    const { list, slots } = start();
    const [holder, ended] = [list('holder'), list('ended')];
    for (const page of [holder, ended]) page.clear();
    void holder.add(LARGE);
    const waiting = ended.add(LARGE);
    ended.clear();

    holder.clear();
    await waiting;

    expect(slots.takeAtOnce('other')).toBeDefined();
  });

  it('given a reader that gives up while it waits, then nobody is told of an error, and its turn goes to the next', async () => {
    const { list, slots, quit } = start();
    const [holder, quitter] = [list('holder'), list('quitter')];
    for (const page of [holder, quitter]) page.clear();
    void holder.add(LARGE);
    const waiting = quitter.add(LARGE);

    quit.abort(new Error('no time'));
    await waiting;
    holder.clear();

    expect(slots.takeAtOnce('other')).toBeDefined();
  });

  it('given a page of any size that comes in chunks, then it is in one piece, in order', () => {
    const { list } = start();
    for (const count of [0, 1, 3, 40]) {
      const chunks = Array.from({ length: count }, (_, index) => Buffer.alloc(1_000 + index, index));
      const page = list(`of ${count}`);
      page.clear();
      for (const chunk of chunks) void page.add(chunk);

      expect(page.bytes.equals(Buffer.concat(chunks))).toBe(true);
      page.clear();
    }
  });

  it('given pages of one list after the other, then they use the same memory', () => {
    const { list } = start();
    const page = list('one');
    page.clear();
    void page.add(Buffer.alloc(100_000));
    const { buffer } = page.bytes;
    page.clear();
    void page.add(Buffer.alloc(100_000, 'x'));

    expect([page.bytes.buffer === buffer, page.bytes.equals(Buffer.alloc(100_000, 'x'))]).toEqual([true, true]);
  });
});

function start() {
  const slots = new FairSlots({ count: 1 });
  const buffers = new PageBuffers();
  const quit = new AbortController();
  const came: number[] = [];
  const list = (sharer: string): SlottedPage =>
    new SlottedPage({ slots, buffers, sharer, signal: quit.signal, onBytes: (bytes) => came.push(bytes) });
  return { slots, quit, came, list };
}

function watched(promise: Promise<void> | undefined): { readonly isOver: () => boolean } {
  let over = promise === undefined;
  void promise?.then(() => (over = true));
  return { isOver: () => over };
}
