import { describe, expect, it } from '@jest/globals';
import { runAll, type Runnable } from './index.js';

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
