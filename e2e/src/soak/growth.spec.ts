import { describe, expect, it } from '@jest/globals';
import { growthIn } from './growth.js';
import type { ProcessSample, Sample } from './sample.js';

const usual: ProcessSample = { residentMb: 100, heapMb: 40, handles: 20, files: 30, connections: 0, lagMs: 5 };

/** Connections come by five a second, and each counts as a file and a handle. */
function connected(second: number, last = Infinity): Partial<ProcessSample> {
  const connections = 5 * Math.min(second, last);
  return { connections, handles: 20 + connections, files: 30 + connections };
}

describe(growthIn, () => {
  it.each<{ given: string; seconds: number; webhook: (second: number) => Partial<ProcessSample>; expected: readonly string[] }>([
    { given: 'a level process', seconds: 60, webhook: () => ({}), expected: [] },
    {
      given: 'one that opens all its connections to kcp late',
      seconds: 60,
      webhook: (second) => ({ files: second < 40 ? 30 : 94 }),
      expected: [],
    },
    { given: 'one that warms up', seconds: 60, webhook: (second) => ({ heapMb: second < 20 ? second * 10 : 200 }), expected: [] },
    {
      given: 'one that leaks memory',
      seconds: 60,
      webhook: (second) => ({ heapMb: 40 + second * 3 }),
      expected: ['webhook: heap MB grew from 130 to 190'],
    },
    {
      given: 'one that leaks files',
      seconds: 60,
      webhook: (second) => ({ files: 30 + second * 5 }),
      expected: ['webhook: files besides connections grew from 180 to 280'],
    },
    { given: 'connections that are not old enough to be closed', seconds: 60, webhook: (second) => connected(second), expected: [] },
    { given: 'connections that are level after two minutes', seconds: 360, webhook: (second) => connected(second, 120), expected: [] },
    {
      given: 'connections that are never closed',
      seconds: 360,
      webhook: (second) => connected(second),
      expected: ['webhook: connections grew from 900 to 1500'],
    },
  ])('given $given, then it is told: $expected', ({ seconds, webhook, expected }) => {
    const samples = Array.from({ length: seconds }, (_, second): Sample => ({
      second,
      webhook: { ...usual, ...webhook(second) },
      controller: usual,
      deletes: 20,
      medianMs: 5,
      slowestMs: 20,
    }));

    expect(growthIn(samples)).toEqual(expected);
  });
});
