import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextStep, NO_ATTEMPTS, type Attempts, type LeftObject } from './next-step.js';

const TYPE = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const left = (uid: string, change: Partial<LeftObject> = {}): LeftObject => ({
  type: TYPE,
  name: uid,
  uid,
  isTerminating: false,
  finalizers: [],
  ...change,
});
const dying = (uid: string): LeftObject => left(uid, { isTerminating: true, finalizers: ['x/y'] });
const refusing = (leftThen: number, ...uids: readonly string[]): Attempts => ({
  refused: new Map(uids.map((uid) => [uid, 'still referenced'])),
  leftThen,
});

describe(nextStep, () => {
  it.each<{ given: string; objects: readonly LeftObject[]; attempts: Attempts; expected: unknown }>([
    { given: 'nothing', objects: [], attempts: NO_ATTEMPTS, expected: { kind: 'done' } },
    { given: 'what nobody has tried', objects: [left('a'), left('b')], attempts: NO_ATTEMPTS, expected: 'delete a b' },
    { given: 'one that was refused beside a new one', objects: [left('a'), left('b')], attempts: refusing(2, 'a'), expected: 'delete b' },
    { given: 'one that was refused, and less than before', objects: [left('a')], attempts: refusing(2, 'a'), expected: 'delete a' },
    {
      given: 'one that was refused beside a new one, and less than before',
      objects: [left('a'), left('b')],
      attempts: refusing(3, 'a'),
      expected: 'delete a b',
    },
    {
      given: 'one that was refused beside one on its way out',
      objects: [left('a'), dying('b')],
      attempts: refusing(2, 'a'),
      expected: { kind: 'wait' },
    },
    { given: 'only what is on its way out', objects: [dying('b')], attempts: refusing(2, 'a'), expected: { kind: 'wait' } },
    { given: 'only what was refused, as much as before', objects: [left('a')], attempts: refusing(1, 'a'), expected: 'stuck a' },
  ])('given $given, then $expected', ({ objects, attempts, expected }) => {
    const step = nextStep(objects, attempts);
    const named = step.kind === 'delete' ? step.objects : step.kind === 'stuck' ? step.refused : [];

    expect(named.length === 0 ? step : [step.kind, ...named.map(({ uid }) => uid)].join(' ')).toEqual(expected);
  });

  // Any graph without a circle: an object may go once all that refer to it are gone.
  it('given objects that refer to each other in no circle, then it comes to an end, whatever the order of the list', () => {
    const graphs = fc
      .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
      .map((rows) => rows.map((row, at) => new Set(at === 0 ? [] : row.map((to) => to % at))));
    fc.assert(
      fc.property(graphs, fc.boolean(), (refersTo, isReversed) => {
        const there = new Set(refersTo.keys());
        let attempts = NO_ATTEMPTS;
        for (let rounds = 0; rounds <= refersTo.length; rounds += 1) {
          const ids = isReversed ? [...there].reverse() : [...there];
          const step = nextStep(
            ids.map((id) => left(String(id))),
            attempts,
          );
          if (step.kind === 'done') return;
          if (step.kind !== 'delete') throw new Error(step.kind);
          const leftThen = there.size;
          const refused = new Map(attempts.refused);
          for (const { uid } of step.objects) {
            const isReferred = [...there].some((from) => refersTo[from]?.has(Number(uid)) === true);
            if (isReferred) refused.set(uid, 'still referenced');
            else there.delete(Number(uid));
          }
          attempts = { refused, leftThen };
        }
        expect(there.size).toBe(0);
      }),
    );
  });
});
