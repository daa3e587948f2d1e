import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueHeap } from './due-heap.js';

describe(DueHeap, () => {
  it('given keys in any order, with others taken between, then the earliest comes first', () => {
    const steps = fc.array(fc.oneof(fc.record({ dueMs: fc.integer({ min: 0, max: 30 }) }), fc.constant('pop' as const)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (some) => {
        const heap = new DueHeap<number>();
        let expected: { readonly key: number; readonly dueMs: number }[] = [];

        for (const [key, step] of some.entries()) {
          if (step === 'pop') {
            const first = heap.peek();
            heap.pop();
            expected = expected.filter((each) => each.key !== first?.key);
          } else {
            heap.push(key, step.dueMs);
            expected.push({ key, dueMs: step.dueMs });
          }
          expect(heap.peek()?.dueMs).toBe(expected.length === 0 ? undefined : Math.min(...expected.map(({ dueMs }) => dueMs)));
          expect(heap.peek() === undefined || expected.some(({ key: held }) => held === heap.peek()?.key)).toBe(true);
        }
      }),
    );
  });

  it('given no key, then there is none to take', () => {
    const heap = new DueHeap<string>();

    heap.pop();

    expect(heap.peek()).toBeUndefined();
  });
});
