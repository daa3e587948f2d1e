import { describe, expect, it } from '@jest/globals';
import { type Clock } from '@dep-ctrl/kcp-client';
import { instantClock } from '@dep-ctrl/kcp-client/testing';
import { keepingLogger } from '../spec-support/widgets.js';
import { LoopWatch } from './loop-watch.js';

describe(LoopWatch, () => {
  it.each([
    {
      given: '5 s',
      tookMs: 5_000,
      expected: ['the event loop was blocked {"controller":"w","ms":4500,"begunLast":{"cluster":"c","name":"x"}}'],
    },
    { given: 'what it should', tookMs: 500, expected: [] },
    { given: 'a little longer', tookMs: 1_400, expected: [] },
  ])('given a pause that took $given, then it is told where nothing else can have run', async ({ tookMs, expected }) => {
    const logger = keepingLogger();
    const inner = instantClock({ atLeastMs: tookMs });
    const stop = new AbortController();
    const sleep: Clock['sleep'] = async (ms, options) => {
      if (inner.slept.length === 1) stop.abort();
      await inner.sleep(ms, options);
    };
    const watch = new LoopWatch({ controller: 'w', clock: { ...inner, sleep }, logger });

    watch.begins('c//x');
    await watch.run(stop.signal);

    expect(logger.lines).toEqual(expected);
  });
});
