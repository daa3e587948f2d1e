import { describe, expect, it } from '@jest/globals';
import { NotHere } from './not-here.js';
import { runAll, type Job } from './run-all.js';

function job(id: string, run: () => Promise<void>, more: Partial<Job> = {}): Job {
  return { id, skip: undefined, exclusive: undefined, timeoutMs: 1_000, run, ...more };
}

const nothing = (): void => undefined;

describe(runAll, () => {
  it('given passing, failing and skipped jobs, then each has its outcome', async () => {
    const outcomes = await runAll(
      [
        job('passes', () => Promise.resolve()),
        job('fails', () => Promise.reject(new Error('no'))),
        job('is skipped', () => Promise.reject(new Error('ran')), { skip: 'needs a proxy' }),
        job('gives up', () => Promise.reject(new NotHere('too slow here'))),
      ],
      2,
      nothing,
    );

    expect(outcomes.get('passes')).toMatchObject({ state: 'passed' });
    expect(outcomes.get('fails')).toMatchObject({ state: 'failed', problem: 'no' });
    expect(outcomes.get('is skipped')).toEqual({ state: 'skipped', why: 'needs a proxy' });
    expect(outcomes.get('gives up')).toEqual({ state: 'skipped', why: 'too slow here' });
  });

  it('given jobs that want something for themselves, then all others have ended before they run', async () => {
    const order: string[] = [];
    const note = (id: string) => () => {
      order.push(id);
      return Promise.resolve();
    };

    await runAll(
      [
        job('alone', note('alone'), { exclusive: 'everything' }),
        job('measures', note('measures'), { exclusive: 'machine' }),
        job('a', note('a')),
        job('b', note('b')),
      ],
      3,
      nothing,
    );

    expect(order).toEqual(['a', 'b', 'measures', 'alone']);
  });

  it('given jobs that want the product and jobs that want the machine, then one of each runs at a time', async () => {
    const running = new Set<string>();
    const seen = new Set<string>();
    const busy = (id: string) => async (): Promise<void> => {
      running.add(id);
      seen.add([...running].sort().join(' '));
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      running.delete(id);
    };

    await runAll(
      [
        ...['p1', 'p2'].map((id) => job(id, busy(id), { exclusive: 'product' })),
        ...['m1', 'm2'].map((id) => job(id, busy(id), { exclusive: 'machine' })),
      ],
      5,
      nothing,
    );

    expect([...seen].filter((each) => /p1 p2|m1 m2/.test(each))).toEqual([]);
    expect(seen).toContain('m1 p1');
  });

  it('given a job that never ends, then it fails after its time', async () => {
    const outcomes = await runAll([job('hangs', () => new Promise(nothing), { timeoutMs: 1 })], 1, nothing);

    expect(outcomes.get('hangs')).toMatchObject({ state: 'failed', problem: 'did not end within 1 ms' });
  });

  it('given one worker, then jobs run one after the other', async () => {
    let running = 0;
    let most = 0;
    const busy = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };

    await runAll([job('a', busy), job('b', busy), job('c', busy)], 1, nothing);

    expect(most).toBe(1);
  });
});
