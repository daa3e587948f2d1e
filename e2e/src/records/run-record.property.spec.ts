import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { merged, parseRecords, printRecords, type RunRecord } from './run-record.js';

const tried = {
  test: fc.constantFrom('S1.1', 'S1.2'),
  backend: fc.constantFrom('embedded', 'kcp'),
  kcp: fc.constantFrom('0.30.3', '0.32.3'),
};
const stamp = {
  on: fc.integer({ min: 10, max: 14 }).map((day) => `2026-01-${day}T00:00:00Z`),
  commit: fc.constantFrom('a', 'b'),
};
const record = fc.oneof(
  fc.record({ ...tried, ...stamp, state: fc.constantFrom('passed' as const, 'failed' as const), seconds: fc.nat() }),
  fc.record({ ...tried, state: fc.constant('passed' as const) }),
  fc.record({ ...tried, ...stamp, state: fc.constant('skipped' as const), why: fc.constantFrom('needs a', 'needs b') }),
);
const records: fc.Arbitrary<readonly RunRecord[]> = fc.array(record, { maxLength: 12 });

describe(merged, () => {
  it('given files in any order, cut in any way, then what is kept is the same', () => {
    fc.assert(
      fc.property(records, fc.nat(), (all, cut) => {
        const whole = printRecords(merged([], all));
        const [one, other] = [all.slice(0, cut % 13), all.slice(cut % 13)];

        expect(printRecords(merged(merged([], one), merged([], other)))).toBe(whole);
        expect(printRecords(merged(merged([], other), merged([], one)))).toBe(whole);
      }),
    );
  });

  it('given what was merged, then merging it again and reading what was printed change nothing', () => {
    fc.assert(
      fc.property(records, (all) => {
        const once = merged([], all);

        expect(printRecords(merged(once, all))).toBe(printRecords(once));
        expect(printRecords(parseRecords(printRecords(once)))).toBe(printRecords(once));
      }),
    );
  });

  it('given anything, then no later run of the same test on the same kcp is left out', () => {
    fc.assert(
      fc.property(records, (all) => {
        const kept = merged([], all);
        for (const { test, backend, kcp, state, on = '' } of all) {
          const beside = kept.filter((each) => each.test === test && each.backend === backend && each.kcp === kcp);

          expect(beside.some((each) => (each.on ?? '') >= on && (state === 'skipped' || each.state !== 'skipped'))).toBe(true);
        }
      }),
    );
  });
});
