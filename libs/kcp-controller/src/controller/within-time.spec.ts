import { describe, expect, it } from '@jest/globals';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { TimeLimitError, withinTime, type TimedRun } from './within-time.js';

describe(withinTime, () => {
  it('given work that ends, then that is its value', async () => {
    expect(await started(() => Promise.resolve('good')).ending).toEqual({ kind: 'ended', value: 'good' });
  });

  it.each([
    { given: 'rejects', work: () => Promise.reject(new Error('bad')) },
    {
      given: 'throws before its first await',
      work: () => {
        throw new Error('bad');
      },
    },
  ])('given work that $given, then that is a value too', async ({ work }) => {
    expect(await started(work).ending).toEqual({ kind: 'failed', error: new Error('bad') });
  });

  it('given work that ends when its signal aborts at the time limit, then it has failed with that', async () => {
    const { ending, clock } = started(untilAborted);

    await clock.advance(1_000);

    const run = await ending;
    expect(run).toMatchObject({ kind: 'failed', error: expect.any(TimeLimitError) });
  });

  it('given work that ignores its signal, then it hangs after its grace, and says when it ended after all', async () => {
    let end = (): void => undefined;
    const { ending, clock } = started(() => new Promise<void>((resolve) => (end = resolve)));
    await clock.advance(1_499);
    expect(await stateOf(ending)).toBe('pending');

    await clock.advance(1);
    const run = await ending;
    expect(run.kind).toBe('hung');

    const late = run.kind === 'hung' ? run.ending : undefined;
    expect(await stateOf(late!)).toBe('pending');
    end();
    expect(await stateOf(late!)).toBe('settled');
  });

  it('given a stop, then its signal aborts with the reason at once, and it has its grace', async () => {
    const { ending, clock, stop } = started(() => new Promise<void>(() => undefined));
    await settled();

    stop.abort(new Error('over'));
    await clock.advance(499);
    expect(await stateOf(ending)).toBe('pending');
    await clock.advance(1);

    expect((await ending).kind).toBe('hung');
    const { ending: other, stop: stopped } = started(untilAborted);
    stopped.abort(new Error('over'));
    expect(await other).toEqual({ kind: 'failed', error: new Error('over') });
  });
});

function started<R>(work: (signal: AbortSignal) => Promise<R>) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const ending: Promise<TimedRun<R>> = withinTime(work, { limitMs: 1_000, graceMs: 500, clock, signal: stop.signal });
  return { ending, clock, stop };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
}

async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'settled'> {
  let state: 'pending' | 'settled' = 'pending';
  void promise.then(() => (state = 'settled'));
  await settled();
  return state;
}
