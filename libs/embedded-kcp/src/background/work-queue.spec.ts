import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Background } from './background.js';
import { NotYet, WorkQueue, type WorkOutcome } from './work-queue.js';

describe(WorkQueue, () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  function queueOf(run: (key: string) => Promise<WorkOutcome>): { queue: WorkQueue; failures: string[]; background: Background } {
    const failures: string[] = [];
    const background = new Background('real', (what) => failures.push(what));
    return { queue: new WorkQueue({ name: 'q', background, run, firstRetryMs: 10, longestRetryMs: 40 }), failures, background };
  }

  it('given a key that comes while it runs, then it runs once more afterwards, never twice at a time', async () => {
    let release = (): void => undefined;
    const seen: string[] = [];
    const { queue } = queueOf(async (key) => {
      seen.push(key);
      await new Promise<void>((resolve) => (release = resolve));
      return undefined;
    });

    queue.add('a', 0);
    queue.add('a', 1);
    queue.add('a', 2);
    await jest.advanceTimersByTimeAsync(5);
    expect(seen).toEqual(['a']);
    release();
    await jest.advanceTimersByTimeAsync(5);
    expect(seen).toEqual(['a', 'a']);
    release();
    await jest.advanceTimersByTimeAsync(100);
    expect(seen).toEqual(['a', 'a']);
  });

  it('given failures, then the pauses double up to the longest, and a "not yet" is not reported', async () => {
    const at: number[] = [];
    const { queue, failures } = queueOf(() => {
      at.push(Date.now());
      return Promise.reject(new NotYet('wait'));
    });
    const start = Date.now();

    queue.add('a', 0);
    await jest.advanceTimersByTimeAsync(120);

    expect(at.map((time) => time - start)).toEqual([0, 10, 30, 70, 110]);
    expect(failures).toEqual([]);
  });

  it('given a bug, then it is reported and tried again', async () => {
    let runs = 0;
    const { queue, failures } = queueOf(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('bug')) : Promise.resolve(undefined);
    });

    queue.add('a', 0);
    await jest.advanceTimersByTimeAsync(50);

    expect([runs, failures]).toEqual([2, ['q']]);
  });

  it('given a stop, then nothing runs any more', async () => {
    let runs = 0;
    const { queue, background } = queueOf(() => {
      runs += 1;
      return Promise.resolve({ againMs: 1 });
    });
    queue.add('a', 0);
    await jest.advanceTimersByTimeAsync(3);
    const before = runs;

    background.stop();
    queue.add('b', 0);
    await jest.advanceTimersByTimeAsync(50);

    expect(runs).toBe(before);
  });
});
