import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { boundedRun, type RunEnding } from './bounded-run.js';

const untilTold = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'), { once: true }));
const never = (): Promise<string> => new Promise(() => undefined);

function running(
  work: (signal: AbortSignal) => Promise<string>,
  stop = new AbortController(),
): { readonly clock: ManualClock; readonly stop: AbortController; readonly ending: Promise<RunEnding<string>> } {
  const clock = new ManualClock();
  return { clock, stop, ending: boundedRun(work, [stop.signal], { limitMs: 1_000, graceMs: 100, clock }) };
}

describe(boundedRun, () => {
  it.each([
    { given: 'a value', work: () => Promise.resolve('x'), expected: { kind: 'returned', value: 'x' } },
    { given: 'a rejection', work: () => Promise.reject(new Error('x')), expected: { kind: 'threw', error: new Error('x') } },
    {
      given: 'a throw before any promise',
      work: () => {
        throw new Error('x');
      },
      expected: { kind: 'threw', error: new Error('x') },
    },
  ])('given $given, then that is the ending', async ({ work, expected }) => {
    expect(await running(work).ending).toEqual(expected);
  });

  it.each([
    { given: 'ends when it is told to', work: untilTold, isLeftBehind: false },
    { given: 'never ends', work: never, isLeftBehind: true },
  ])('given a function that $given, when the limit is over, then its value does not count', async ({ work, isLeftBehind }) => {
    const { clock, ending } = running(work);

    await clock.advance(1_100);

    expect(await ending).toEqual({ kind: 'timed-out', isLeftBehind });
  });

  it.each([
    { given: 'ends when it is told to', work: untilTold, isLeftBehind: false },
    { given: 'never ends', work: never, isLeftBehind: true },
  ])('given a function that $given, when it is told to stop, then it is over after the grace', async ({ work, isLeftBehind }) => {
    const { clock, stop, ending } = running(work);
    await clock.advance(1);

    stop.abort();
    await clock.advance(100);

    expect(await ending).toEqual({ kind: 'stopped', isLeftBehind });
  });

  it('given a signal that aborted before, then the function sees that', async () => {
    const stop = new AbortController();
    stop.abort(new Error('gone'));
    const seen: unknown[] = [];
    const { clock, ending } = running((signal) => {
      seen.push(signal.aborted, signal.reason);
      return never();
    }, stop);

    await clock.advance(100);

    expect(await ending).toEqual({ kind: 'stopped', isLeftBehind: true });
    expect(seen).toEqual([true, new Error('gone')]);
  });

  it('given a run that is over, then its signal has aborted', async () => {
    const signals: AbortSignal[] = [];

    await running((signal) => {
      signals.push(signal);
      return Promise.resolve('x');
    }).ending;

    expect(signals[0]?.aborted).toBe(true);
  });
});
