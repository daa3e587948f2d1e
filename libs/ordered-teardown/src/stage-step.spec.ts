import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MOST_ROUNDS, stageStep, type Round, type StageContext, type StageStep } from './stage-step.js';

const NOTHING: Round = { gone: 0, held: 0, newlyHeld: 0, referenced: 0, refused: 0 };
const FIRST: StageContext = { isCycle: false, rounds: 1, mayAnnotate: true, isAfterLeft: false };

interface Row {
  readonly given: string;
  readonly round: Partial<Round>;
  readonly context?: Partial<StageContext>;
  readonly expected: StageStep;
}

const rows: readonly Row[] = [
  { given: 'nothing there', round: {}, expected: 'done' },
  { given: 'all gone', round: { gone: 3 }, expected: 'done' },
  { given: 'finalizers that hold', round: { gone: 1, held: 1, newlyHeld: 1 }, expected: 'wait' },
  { given: 'finalizers that hold, in a circle', round: { held: 1 }, context: { isCycle: true }, expected: 'wait' },
  {
    given: 'finalizers that hold, in a circle, while others went',
    round: { gone: 1, held: 1, newlyHeld: 1 },
    context: { isCycle: true },
    expected: 'wait',
  },
  { given: 'somebody who refuses', round: { refused: 1 }, expected: 'wait' },
  { given: 'a refusal as others refer to it outside of a circle: the plan is old', round: { gone: 2, referenced: 1 }, expected: 'wait' },
  {
    given: 'a refusal as others refer to it, and a type before that was left',
    round: { referenced: 1 },
    context: { isAfterLeft: true },
    expected: 'leave',
  },
  { given: 'the same, while finalizers hold others', round: { referenced: 1, held: 1 }, context: { isAfterLeft: true }, expected: 'wait' },
  {
    given: 'a refusal as others refer to it in a circle, while others went',
    round: { gone: 1, referenced: 1 },
    context: { isCycle: true },
    expected: 'again',
  },
  {
    given: 'a refusal as others refer to it in a circle, while others were deleted and are held',
    round: { held: 1, newlyHeld: 1, referenced: 1 },
    context: { isCycle: true },
    expected: 'again',
  },
  {
    given: 'a refusal as others refer to it in a circle, and none went',
    round: { referenced: 2 },
    context: { isCycle: true, rounds: 2 },
    expected: 'annotate',
  },
  {
    given: 'the same after annotating',
    round: { referenced: 2 },
    context: { isCycle: true, rounds: 3, mayAnnotate: false },
    expected: 'wait',
  },
  {
    given: 'the same, while finalizers hold others',
    round: { referenced: 2, held: 1 },
    context: { isCycle: true, rounds: 2 },
    expected: 'wait',
  },
  { given: 'the same, while others refuse', round: { referenced: 2, refused: 1 }, context: { isCycle: true, rounds: 2 }, expected: 'wait' },
  {
    given: 'a long chain in a circle',
    round: { gone: 1, referenced: 99 },
    context: { isCycle: true, rounds: MOST_ROUNDS },
    expected: 'annotate',
  },
  {
    given: 'a circle that may not be annotated',
    round: { referenced: 2 },
    context: { isCycle: true, isAfterLeft: true },
    expected: 'leave',
  },
];

describe(stageStep, () => {
  it.each(rows)('given $given', ({ round, context, expected }) => {
    expect(stageStep({ ...NOTHING, ...round }, { ...FIRST, ...context })).toBe(expected);
  });

  const count = fc.nat({ max: 3 });
  const round: fc.Arbitrary<Round> = fc
    .record({ gone: count, held: count, newlyHeld: count, referenced: count, refused: count })
    .map((each) => ({ ...each, newlyHeld: Math.min(each.newlyHeld, each.held) }));
  const context: fc.Arbitrary<StageContext> = fc.record({
    isCycle: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 2 * MOST_ROUNDS }),
    mayAnnotate: fc.boolean(),
    isAfterLeft: fc.boolean(),
  });

  it('law: annotates only in a circle, only what was refused as others refer to it, and once', () => {
    fc.assert(
      fc.property(round, context, (given, about) => {
        if (stageStep(given, about) !== 'annotate') return;
        expect({ referenced: given.referenced > 0, ...about }).toMatchObject({ referenced: true, isCycle: true, mayAnnotate: true });
      }),
    );
  });

  it('law: is done if and only if nothing is left', () => {
    fc.assert(
      fc.property(round, context, (given, about) => {
        expect(stageStep(given, about) === 'done').toBe(given.held + given.referenced + given.refused === 0);
      }),
    );
  });

  it('law: ends within a bound of rounds, whatever the rounds meet', () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 3 * MOST_ROUNDS, maxLength: 3 * MOST_ROUNDS }), fc.boolean(), (all, isCycle) => {
        let mayAnnotate = true;
        const ended = all.findIndex((given, index) => {
          const step = stageStep(given, { isCycle, rounds: index + 1, mayAnnotate, isAfterLeft: false });
          mayAnnotate &&= step !== 'annotate';
          return step !== 'again' && step !== 'annotate';
        });
        expect(ended).toBeGreaterThanOrEqual(0);
        expect(ended).toBeLessThan(MOST_ROUNDS + 2);
      }),
    );
  });
});
