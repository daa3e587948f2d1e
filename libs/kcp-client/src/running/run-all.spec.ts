import { describe, expect, it } from '@jest/globals';
import { KcpError, runAll, type Runnable } from '../index.js';

describe(runAll, () => {
  it('given a stop, then every part is stopped and waited for', async () => {
    const stop = new AbortController();
    const [a, b] = [patient(), patient()];

    const ended = runAll([a, b], stop.signal);
    stop.abort();

    await expect(ended).resolves.toBeUndefined();
    expect([a.ended, b.ended]).toEqual([true, true]);
  });

  it('given a stop before the start, then it ends at once', async () => {
    await expect(runAll([patient()], AbortSignal.abort())).resolves.toBeUndefined();
  });

  it('given a part that breaks, then the others are stopped and it rejects with what broke', async () => {
    const other = patient();
    const broken: Runnable = { run: () => Promise.reject(new Error('bug')) };

    await expect(runAll([other, broken], new AbortController().signal)).rejects.toMatchObject({
      message: '1 of 2 parts broke: bug',
      errors: [new Error('bug')],
    });
    expect(other.ended).toBe(true);
  });

  it.each<{ given: string; end: (signal: AbortSignal) => unknown }>([
    { given: 'why it was stopped', end: ({ reason }) => reason as unknown },
    {
      given: 'that its call was given up',
      end: (signal) => new KcpError({ code: 'aborted', asked: 'get', at: 'here', problem: 'given up', cause: signal.reason }),
    },
  ])('given a part that ends by throwing $given, then nothing broke', async ({ end }) => {
    const stop = new AbortController();
    const waiting = patient();
    const throwing: Runnable = { run: (signal) => waiting.run(signal).then(() => Promise.reject(end(signal) as Error)) };

    const ended = runAll([throwing, patient()], stop.signal);
    stop.abort();

    await expect(ended).resolves.toBeUndefined();
  });

  it('given a part that breaks while it stops, then it rejects with what broke', async () => {
    const stop = new AbortController();
    const waiting = patient();
    const breaking: Runnable = { run: (signal) => waiting.run(signal).then(() => Promise.reject(new Error('bug'))) };

    const ended = runAll([breaking], stop.signal);
    stop.abort();

    await expect(ended).rejects.toThrow('1 of 1 parts broke: bug');
  });

  it('given a part that ends too early, then the others are stopped too', async () => {
    const other = patient();

    await expect(runAll([other, { run: () => Promise.resolve() }], new AbortController().signal)).resolves.toBeUndefined();
    expect(other.ended).toBe(true);
  });
});

/** Runs until it is told to stop, and takes its time to end. */
function patient(): Runnable & { readonly ended: boolean } {
  let ended = false;
  return {
    get ended() {
      return ended;
    },
    async run(signal) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await new Promise(setImmediate);
      ended = true;
    },
  };
}
