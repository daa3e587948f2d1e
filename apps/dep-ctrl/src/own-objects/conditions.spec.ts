import { describe, expect, it } from '@jest/globals';
import { conditionsIn, COUNTS_AGAIN, mergeConditions, saysLookedAfter } from './conditions.js';

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

  it('given another condition, or none before, then it changed now', () => {
    const decided = [{ type: 'Ready', status: 'True', reason: 'Written', message: 'b' }] as const;
    const when = { generation: 2, now: 'now' };

    for (const before of [[{ ...old, type: 'InForce' }], []])
      expect(mergeConditions(before, decided, when)).toMatchObject([{ type: 'Ready', lastTransitionTime: 'now' }]);
  });

  it('given a condition that is not decided any more, then it is dropped', () => {
    expect(mergeConditions([old], [], { generation: 1, now: 'now' })).toEqual([]);
  });
});

describe(conditionsIn, () => {
  it.each([undefined, null, 7, {}, [null, 7, {}, { type: 'x' }]])('given %j, then there are none', (value) => {
    expect(conditionsIn({ status: { conditions: value } })).toEqual([]);
  });

  it.each(['type', 'status', 'lastTransitionTime'])('given one whose %s is no text, then it is left out, and the others stay', (field) => {
    expect(conditionsIn({ status: { conditions: [{ ...old, [field]: 7 }, old] } })).toEqual([old]);
  });

  it('given texts that command a terminal, and none, then they are plain, and empty', () => {
    const { reason: _, message: __, ...bare } = old;
    const forged = { ...old, reason: 'A\u001b[2J', message: 'b\n run: c' };

    expect(conditionsIn({ status: { conditions: [forged, bare] } })).toEqual([
      { ...old, reason: 'A\uFFFD[2J', message: 'b\uFFFD run: c' },
      { ...old, reason: '', message: '' },
    ]);
  });
});

describe(saysLookedAfter, () => {
  it.each([
    { given: 'no status', conditions: undefined, expected: false },
    { given: 'that it is ready', conditions: [old], expected: true },
    {
      given: 'that it is not ready, beside something else',
      conditions: [
        { ...old, type: 'InForce' },
        { ...old, status: 'False' },
      ],
      expected: true,
    },
    { given: 'that uninstall left it', conditions: [{ ...old, reason: 'Uninstalled' }], expected: false },
    { given: 'something else alone', conditions: [{ ...old, type: 'InForce' }], expected: false },
  ])('given a status that says $given, then whether a controller maintains it is $expected', ({ conditions, expected }) => {
    expect(saysLookedAfter({ status: { conditions } })).toBe(expected);
  });

  it('given what uninstall left, then people are told which commands make it count again', () => {
    expect(COUNTS_AGAIN).toMatch(/^counts again once "dep-ctrl bootstrap" and the roles have run again; .*bind again and apply it anew$/);
  });
});
