// The order in which types are deleted, dependents first. Pure.
import type { BoundType } from '@dep-ctrl/exported-types';
import { entryOf, groupResourceKey, stagesOf } from '@dep-ctrl/kcp-names';
import type { TypeEdge } from './ordering.js';

/** One type, or types that refer to each other in a circle. */
export interface Stage {
  readonly types: readonly BoundType[];
  readonly isCycle: boolean;
  /** The stages that have to be done before: their positions in the plan, all smaller than its own. */
  readonly after: readonly number[];
}

/** Each stage after those whose objects may refer to its own. Types that no edge touches are left out: kcp deletes them as well as we do. */
export function planTeardown(edges: readonly TypeEdge[]): readonly Stage[] {
  const types = new Map<string, BoundType>();
  const targets = new Map<string, Set<string>>();
  const referrers = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [from, to] = [groupResourceKey(edge.from), groupResourceKey(edge.to)];
    types.set(from, edge.from).set(to, edge.to);
    entryOf(targets, from, () => new Set<string>()).add(to);
    entryOf(referrers, to, () => new Set<string>()).add(from);
  }
  const graph = new Map([...targets].map(([key, all]) => [key, new Set([...all].toSorted().map((to) => ({ to })))]));
  const stages = stagesOf([...types.keys()].toSorted(), graph);
  const stageOf = new Map(stages.flatMap((keys, index) => keys.map((key) => [key, index])));
  const stagesBefore = (key: string): readonly number[] => [...(referrers.get(key) ?? [])].flatMap((from) => stageOf.get(from) ?? []);
  return stages.map((keys, index) => ({
    types: keys.toSorted().flatMap((key) => types.get(key) ?? []),
    isCycle: keys.length > 1 || keys.every((key) => referrers.get(key)?.has(key) === true),
    after: [...new Set(keys.flatMap(stagesBefore))].filter((before) => before !== index).toSorted((a, b) => a - b),
  }));
}
