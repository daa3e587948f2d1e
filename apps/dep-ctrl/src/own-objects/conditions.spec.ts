import { describe, expect, it } from '@jest/globals';
import { conditionsIn, mergeConditions } from './conditions.js';

const old = { type: 'Ready', status: 'True' as const, observedGeneration: 1, lastTransitionTime: 'then', reason: 'A', message: 'a' };

describe(mergeConditions, () => {
  it('given the same status, then its time stays although the reason is new; given another, then it is now', () => {
    const same = mergeConditions([old], [{ type: 'Ready', status: 'True', reason: 'Written', message: 'b' }], {
      generation: 2,
      now: 'now',
    });
    const other = mergeConditions([old], [{ type: 'Ready', status: 'False', reason: 'Written', message: 'b' }], {
      generation: 2,
      now: 'now',
    });

    expect(same).toEqual([{ ...old, observedGeneration: 2, reason: 'Written', message: 'b' }]);
    expect(other).toMatchObject([{ status: 'False', lastTransitionTime: 'now' }]);
  });

  it('given a condition that is not decided any more, then it is dropped', () => {
    expect(mergeConditions([old], [], { generation: 1, now: 'now' })).toEqual([]);
  });
});

describe(conditionsIn, () => {
  it.each([undefined, null, 7, {}, [null, 7, {}, { type: 'x' }]])('given %j, then there are none', (value) => {
    expect(conditionsIn({ status: { conditions: value } })).toEqual([]);
  });
});
