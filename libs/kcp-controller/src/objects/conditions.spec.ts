import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conditionsOf, withCondition, type Condition, type SaidCondition } from './conditions.js';

const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Fine',
  message: 'all is well',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const synced: Condition = { ...ready, type: 'Synced' };
const now = '2026-02-02T00:00:00Z';
const { lastTransitionTime: _, ...saidReady } = ready;

describe(withCondition, () => {
  it.each<{
    readonly given: string;
    readonly before: readonly Condition[];
    readonly said: SaidCondition;
    readonly expected: readonly Condition[];
  }>([
    { given: 'no condition', before: [], said: saidReady, expected: [{ ...ready, lastTransitionTime: now }] },
    { given: 'the same words', before: [ready, synced], said: saidReady, expected: [ready, synced] },
    {
      given: 'another message',
      before: [ready, synced],
      said: { ...saidReady, message: 'still well' },
      expected: [{ ...ready, message: 'still well' }, synced],
    },
    {
      given: 'another status',
      before: [synced, ready],
      said: { ...saidReady, status: 'False' },
      expected: [synced, { ...ready, status: 'False', lastTransitionTime: now }],
    },
    {
      given: 'another generation',
      before: [ready],
      said: { ...saidReady, observedGeneration: 2 },
      expected: [{ ...ready, observedGeneration: 2 }],
    },
  ])(
    'given $given, then the conditions say so, and the time of the transition only where the status changed',
    ({ before, said, expected }) => {
      expect(withCondition(before, said, now)).toEqual(expected);
    },
  );

  it('given any words, when they are said twice, then the second time answers with the very same array', () => {
    const said = fc.record({
      type: fc.constantFrom('Ready', 'Synced'),
      status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
      reason: fc.string(),
      message: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(said), said, (before, last) => {
        const once = [...before, last].reduce<readonly Condition[]>((all, each) => withCondition(all, each, '2026-01-01T00:00:00Z'), []);
        expect(withCondition(once, last, now)).toBe(once);
      }),
    );
  });
});

it.each([
  { given: 'no status', status: undefined, expected: [] },
  { given: 'what is no list', status: { conditions: 'all is well' }, expected: [] },
  { given: 'a whole condition', status: { conditions: [ready] }, expected: [ready] },
  { given: 'one with an unknown status', status: { conditions: [{ ...ready, status: 'Maybe' }, synced] }, expected: [synced] },
  {
    given: 'conditions that are not met, or not known to be',
    status: {
      conditions: [
        { ...ready, status: 'False' },
        { ...synced, status: 'Unknown' },
      ],
    },
    expected: [
      { ...ready, status: 'False' },
      { ...synced, status: 'Unknown' },
    ],
  },
  { given: 'one without a type', status: { conditions: [{ status: 'True' }, synced] }, expected: [synced] },
  { given: 'one with a number for a reason', status: { conditions: [{ ...ready, reason: 5 }] }, expected: [] },
  { given: 'one with a number for a message', status: { conditions: [{ ...ready, message: 5 }] }, expected: [] },
  { given: 'one with a number for a time', status: { conditions: [{ ...ready, lastTransitionTime: 5 }] }, expected: [] },
  {
    given: 'one that says nothing but its status',
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
    expected: [{ type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '' }],
  },
  {
    given: 'one of a generation',
    status: { conditions: [{ ...ready, observedGeneration: 2 }] },
    expected: [{ ...ready, observedGeneration: 2 }],
  },
  { given: 'one with a text for a generation', status: { conditions: [{ ...ready, observedGeneration: '2' }] }, expected: [ready] },
])('given $given, then conditionsOf answers with what are conditions', ({ status, expected }) => {
  expect(conditionsOf(status)).toEqual(expected);
});
