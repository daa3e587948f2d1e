import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dyingForMs, FORBIDDEN_MS, teardownEnd, type Pass, type TeardownTimes } from './teardown-end.js';

const TIMEOUT_MS = 600_000;
const PASSES: readonly Pass[] = ['empty', 'partly-left', 'waiting', 'order-unknown', 'forbidden', 'failed', 'type-gone'];

/** Seen for so long, and deleted that long ago by the clock on the wall. */
function times(seenForMs: number, dyingMs = seenForMs): TeardownTimes {
  return { deletedAtMs: 1_000_000 - dyingMs, nowMs: 1_000_000, seenForMs };
}

describe(teardownEnd, () => {
  it.each([
    { given: 'everything gone', pass: 'empty', at: times(0), expected: 'empty' },
    { given: 'everything gone, late', pass: 'empty', at: times(TIMEOUT_MS), expected: 'empty' },
    { given: 'types left to kcp', pass: 'partly-left', at: times(0), expected: 'partly-left' },
    { given: 'the type gone', pass: 'type-gone', at: times(0), expected: 'type-gone' },
    { given: 'something to wait for', pass: 'waiting', at: times(TIMEOUT_MS - 1), expected: 'go-on' },
    { given: 'something to wait for, and time is up', pass: 'waiting', at: times(TIMEOUT_MS), expected: 'timed-out' },
    { given: 'the same after a restart', pass: 'waiting', at: times(1, TIMEOUT_MS), expected: 'timed-out' },
    { given: 'a clock of kcp that is an hour ahead', pass: 'waiting', at: times(TIMEOUT_MS, -3_600_000), expected: 'timed-out' },
    { given: 'no time of deletion', pass: 'waiting', at: { ...times(5), deletedAtMs: undefined }, expected: 'go-on' },
    { given: 'an order that is not known', pass: 'order-unknown', at: times(0), expected: 'go-on' },
    { given: 'a failure', pass: 'failed', at: times(10), expected: 'go-on' },
    { given: 'a failure, and time is up', pass: 'failed', at: times(TIMEOUT_MS), expected: 'timed-out' },
    { given: 'bindings that are refused, for a moment', pass: 'forbidden', at: times(FORBIDDEN_MS - 1), expected: 'go-on' },
    { given: 'bindings that are refused for longer', pass: 'forbidden', at: times(FORBIDDEN_MS), expected: 'forbidden' },
  ] as const)('given $given', ({ pass, at, expected }) => {
    expect(teardownEnd(pass, at, TIMEOUT_MS)).toBe(expected);
  });

  const moments = fc.record({
    deletedAtMs: fc.option(fc.integer(), { nil: undefined }),
    nowMs: fc.integer(),
    seenForMs: fc.nat(),
  });

  it('law: with any input it ends once this process has seen the workspace for the whole time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PASSES), moments, fc.nat(), (pass, at, timeoutMs) => {
        expect(teardownEnd(pass, { ...at, seenForMs: at.seenForMs + timeoutMs }, timeoutMs)).not.toBe('go-on');
      }),
    );
  });

  it('law: what has ended does not go on later', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PASSES), moments, fc.nat(), fc.nat(), (pass, at, laterMs, timeoutMs) => {
        const later = { ...at, nowMs: at.nowMs + laterMs, seenForMs: at.seenForMs + laterMs };
        if (teardownEnd(pass, at, timeoutMs) !== 'go-on') expect(teardownEnd(pass, later, timeoutMs)).not.toBe('go-on');
      }),
    );
  });
});

describe(dyingForMs, () => {
  it('law: is never less than this process has seen', () => {
    fc.assert(
      fc.property(fc.option(fc.integer(), { nil: undefined }), fc.integer(), fc.nat(), (deletedAtMs, nowMs, seenForMs) => {
        expect(dyingForMs({ deletedAtMs, nowMs, seenForMs })).toBeGreaterThanOrEqual(seenForMs);
      }),
    );
  });
});
