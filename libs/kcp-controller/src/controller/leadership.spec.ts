import { describe, expect, it } from '@jest/globals';
import { settled } from '@dep-ctrl/kcp-client/testing';
import { Leadership } from './leadership.js';

describe(Leadership, () => {
  it('given terms that come and go, then all work runs in each of them, and a term ends after its work has', async () => {
    const office = new Office();
    const leadership = new Leadership({ elector: office });
    const stop = new AbortController();
    const events: string[] = [];
    const work = (name: string) => async (term: AbortSignal) => {
      events.push(`${name} begins`);
      await new Promise((resolve) => term.addEventListener('abort', resolve, { once: true }));
      await settled();
      events.push(`${name} ends`);
    };
    const endings = [leadership.run(stop.signal), ...['one', 'two'].map((name) => leadership.during(work(name), stop.signal))];
    await settled();
    expect(events.splice(0)).toEqual([]);

    for (const _ of [1, 2]) {
      const ended = office.elect();
      await settled();
      expect([events.splice(0), leadership.isLeader()]).toEqual([['one begins', 'two begins'], true]);
      office.dismiss();
      await ended;
      expect(events.splice(0)).toEqual(['one ends', 'two ends']);
    }

    stop.abort();
    await Promise.all(endings);
  });

  it('given a stop in the middle of a term, then the work ends and with it the waiting', async () => {
    const office = new Office();
    const leadership = new Leadership({ elector: office });
    const stop = new AbortController();
    const work = (term: AbortSignal): Promise<void> =>
      new Promise((resolve) => term.addEventListener('abort', () => resolve(), { once: true }));
    const endings = [leadership.run(stop.signal), leadership.during(work, stop.signal)];
    void office.elect();
    await settled();

    stop.abort();

    await expect(Promise.all(endings)).resolves.toBeDefined();
  });

  it('given work that breaks, then that is told to the one who asked for it, and not to the election', async () => {
    const office = new Office();
    const leadership = new Leadership({ elector: office });
    const stop = new AbortController();
    const running = leadership.run(stop.signal);
    const broken = leadership.during(() => Promise.reject(new Error('a bug')), stop.signal);
    void office.elect();

    await expect(broken).rejects.toThrow('a bug');

    stop.abort();
    await running;
  });
});

/** An election that the spec decides. */
class Office {
  #lead: ((term: AbortSignal) => Promise<void>) | undefined;
  #term = new AbortController();
  #isLeading = false;

  isLeader(): boolean {
    return this.#isLeading;
  }

  run(lead: (term: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#lead = lead;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.dismiss();
        resolve();
      });
    });
  }

  /** Resolves when everybody has ended. */
  async elect(): Promise<void> {
    this.#term = new AbortController();
    this.#isLeading = true;
    await this.#lead?.(this.#term.signal);
  }

  dismiss(): void {
    this.#isLeading = false;
    this.#term.abort();
  }
}
