import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stagesOf } from './stages.js';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const graph = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS)), {
  maxLength: 14,
  selector: ([from, to]) => from + to,
});

type Pairs = readonly (readonly [string, string])[];

describe(stagesOf, () => {
  it('law: every node is in exactly one stage', () => {
    fc.assert(
      fc.property(graph, (pairs) => {
        expect(stagesOf(KEYS, edgesOf(pairs)).flat().toSorted()).toEqual(KEYS);
      }),
    );
  });

  it('law: an edge leads to a later stage, or stays in its own if and only if there is a way back', () => {
    fc.assert(
      fc.property(graph, (pairs) => {
        const edges = edgesOf(pairs);
        const stages = stagesOf(KEYS, edges);
        const stageOf = (key: string) => stages.findIndex((keys) => keys.includes(key));

        for (const [from, to] of pairs) {
          if (reaches(to, from, pairs)) expect(stageOf(from)).toBe(stageOf(to));
          else expect(stageOf(from)).toBeLessThan(stageOf(to));
        }
      }),
    );
  });
});

function edgesOf(pairs: Pairs): ReadonlyMap<string, ReadonlySet<{ readonly to: string }>> {
  return new Map(KEYS.map((key) => [key, new Set(pairs.filter(([from]) => from === key).map(([, to]) => ({ to })))]));
}

/** Naively: whether there is a way. */
function reaches(from: string, to: string, pairs: Pairs): boolean {
  const seen = new Set([from]);
  for (const each of seen) for (const [start, end] of pairs) if (start === each) seen.add(end);
  return seen.has(to);
}
