import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@dep-ctrl/kcp-client';
import { Narrator } from './narrator.js';

describe(Narrator, () => {
  it('given a step that lasts, then after each silence of five seconds a line says what is still being done, and what is left of it', async () => {
    const stage = new Stage();
    let left = 3;

    const answer = await stage.narrator.during(
      () => `taking back: ${String(left)} left`,
      async () => {
        await stage.pass(5_000);
        left = 1;
        await stage.pass(5_000);
        return 'done';
      },
    );

    expect(answer).toBe('done');
    expect(stage.written).toEqual(['  5.00s  still taking back: 3 left\n', ' 10.00s  still taking back: 1 left\n']);
  });

  it('given a step that tells something itself, then the silence is counted from there', async () => {
    const stage = new Stage();

    await stage.narrator.during('waiting', async () => {
      await stage.pass(4_000);
      stage.narrator.tell('one is there');
      await stage.pass(1_000);
      await stage.pass(4_000);
    });

    expect(stage.written).toEqual(['  4.00s  one is there\n', '  9.00s  still waiting\n']);
  });

  it('given a step that is done at once or fails, then nothing is told, and the failure comes through', async () => {
    const stage = new Stage();

    await stage.narrator.during('waiting', () => Promise.resolve());
    const failing = stage.narrator.during('waiting', () => Promise.reject(new Error('broken')));

    await expect(failing).rejects.toThrow('broken');
    expect(stage.written).toEqual([]);
  });
});

/** A narrator, its lines and its time. */
class Stage {
  readonly written: string[] = [];
  #nowMs = 0;
  #sleeps: { readonly until: number; readonly wake: () => void }[] = [];
  readonly #clock: Clock = {
    now: () => this.#nowMs,
    monotonic: () => this.#nowMs,
    sleep: (ms, { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('told to stop')), { once: true });
        this.#sleeps.push({ until: this.#nowMs + ms, wake: resolve });
      }),
  };
  readonly narrator = new Narrator({ write: (text) => void this.written.push(text), clock: this.#clock });

  /** Lets time pass, and all that it wakes have its turn. */
  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#sleeps.filter(({ until }) => until <= this.#nowMs);
    this.#sleeps = this.#sleeps.filter(({ until }) => until > this.#nowMs);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
