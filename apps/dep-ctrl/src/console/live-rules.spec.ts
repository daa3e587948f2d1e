import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { createRegistry } from '@dep-ctrl/rule-registry';
import type { Rehearsal } from '../explain/rehearse-reviews.js';
import { LiveRules } from './live-rules.js';

const never = new AbortController().signal;
/** Time that passes at once. */
const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };

function rehearsal(signal: AbortSignal): Rehearsal {
  return {
    rules: createRegistry().reader,
    seen: { get: () => undefined },
    decide: () => Promise.reject(new Error('nobody asks')),
    unready: () => [],
    isAsked: () => Promise.resolve('yes'),
    baseUrl: 'https://kcp.example.com',
    signal,
  };
}

describe(LiveRules, () => {
  it('given rules that are not read yet, then an asker hears that; given rules, then questions are answered one after the other', async () => {
    const stop = new AbortController();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const live = new LiveRules({
      rehearse: async (work, signal) => {
        await begun;
        await work(rehearsal(signal));
      },
      clock,
    });
    const running = live.run(stop.signal);

    expect(await live.ask(() => Promise.resolve(1), never)).toEqual({ state: 'reading' });
    begin();
    await begun;
    await Promise.resolve();
    const events: string[] = [];
    const question = (name: string) =>
      live.ask(async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} ends`);
        return name;
      }, never);
    const answers = await Promise.all([question('a'), question('b')]);

    expect(answers).toEqual([
      { state: 'answered', value: 'a' },
      { state: 'answered', value: 'b' },
    ]);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    stop.abort();
    await running;
  });

  it('given a question that fails, then the next one is answered', async () => {
    const stop = new AbortController();
    const live = new LiveRules({ rehearse: (work, signal) => work(rehearsal(signal)), clock });
    const running = live.run(stop.signal);

    await expect(live.ask(() => Promise.reject(new Error('no such object')), never)).rejects.toThrow('no such object');
    expect(await live.ask(() => Promise.resolve(2), never)).toEqual({ state: 'answered', value: 2 });

    stop.abort();
    await running;
  });

  it('given rules that cannot be read, then an asker hears why, and it is tried again until it succeeds', async () => {
    const stop = new AbortController();
    let tries = 0;
    let heard: unknown;
    const live: LiveRules = new LiveRules({
      rehearse: async (work, signal) => {
        tries += 1;
        if (tries === 1) throw new Error('role missing');
        if (tries === 2) {
          heard = await live.ask(() => Promise.resolve(0), never);
          throw new Error('kcp is away');
        }
        await work(rehearsal(signal));
      },
      clock,
    });
    const running = live.run(stop.signal);
    let answer: unknown;
    while (tries < 3 || answer === undefined || JSON.stringify(answer).includes('why'))
      answer = await live.ask(() => Promise.resolve(tries), never);

    expect(heard).toEqual({ state: 'failed', why: 'role missing' });
    expect(answer).toEqual({ state: 'answered', value: 3 });
    stop.abort();
    await running;
  });
});
