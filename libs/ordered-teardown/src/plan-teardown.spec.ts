import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planTeardown, type Stage } from './plan-teardown.js';
import { edgeOf, textOf } from './spec-support/types.js';

/** `x/a x/b (circle) after 0`. */
function describeStage({ types, isCycle, after }: Stage): string {
  return [...types.map(textOf), ...(isCycle ? ['(circle)'] : []), ...(after.length > 0 ? ['after', ...after] : [])].join(' ');
}

describe(planTeardown, () => {
  it.each([
    { given: 'no edge', edges: [], expected: [] },
    { given: 'an edge', edges: ['c/vms > n/vpcs'], expected: ['c/vms', 'n/vpcs after 0'] },
    { given: 'the same edge twice', edges: ['c/vms > n/vpcs', 'c/vms > n/vpcs'], expected: ['c/vms', 'n/vpcs after 0'] },
    { given: 'a chain', edges: ['x/b > x/c', 'x/a > x/b'], expected: ['x/a', 'x/b after 0', 'x/c after 1'] },
    {
      given: 'a diamond',
      edges: ['x/a > x/b', 'x/a > x/c', 'x/b > x/d', 'x/c > x/d'],
      expected: ['x/a', 'x/c after 0', 'x/b after 0', 'x/d after 1 2'],
    },
    { given: 'a type that refers to itself', edges: ['x/a > x/a'], expected: ['x/a (circle)'] },
    {
      given: 'a circle and what it refers to',
      edges: ['x/a > x/b', 'x/b > x/a', 'x/b > x/c'],
      expected: ['x/a x/b (circle)', 'x/c after 0'],
    },
    {
      given: 'two that have nothing to do with each other',
      edges: ['x/c > x/d', 'x/a > x/b'],
      expected: ['x/c', 'x/d after 0', 'x/a', 'x/b after 2'],
    },
  ])('given $given', ({ edges, expected }) => {
    expect(planTeardown(edges.map(edgeOf)).map(describeStage)).toEqual(expected);
  });

  const type = fc.constantFrom('x/a', 'x/b', 'y/c', 'y/d', 'z/e');
  const edges = fc.array(
    fc.tuple(type, type).map(([from, to]) => edgeOf(`${from} > ${to}`)),
    { maxLength: 12 },
  );

  it('law: each type that an edge touches is in exactly one stage', () => {
    fc.assert(
      fc.property(edges, (all) => {
        const touched = new Set(all.flatMap(({ from, to }) => [textOf(from), textOf(to)]));

        expect(
          planTeardown(all)
            .flatMap(({ types }) => types.map(textOf))
            .toSorted(),
        ).toEqual([...touched].toSorted());
      }),
    );
  });

  it('law: an edge leads to a stage that comes after, or stays within a circle', () => {
    fc.assert(
      fc.property(edges, (all) => {
        const plan = planTeardown(all);
        const indexOf = (wanted: string): number => plan.findIndex(({ types }) => types.some((each) => textOf(each) === wanted));

        for (const { from, to } of all) {
          const [start, end] = [indexOf(textOf(from)), indexOf(textOf(to))];
          if (start === end) expect(plan[start]?.isCycle).toBe(true);
          else expect(plan[end]?.after).toContain(start);
        }
        for (const [index, { after }] of plan.entries()) expect(after.every((before) => before < index)).toBe(true);
      }),
    );
  });

  it('law: the order of edges is irrelevant', () => {
    fc.assert(fc.property(edges, (all) => expect(planTeardown(all.toReversed())).toEqual(planTeardown(all))));
  });
});
