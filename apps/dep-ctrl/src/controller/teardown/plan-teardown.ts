// The order in which types are deleted, dependents first. Pure.
import { entryOf, groupResourceKey } from '@dep-ctrl/kcp-names';
import { stagesOf } from '@dep-ctrl/rule-registry';
import type { EdgeHere } from './edges-here.js';
import type { TypeHere } from './types-here.js';

/** One type, or types that refer to each other in a circle. */
export interface Stage {
  readonly types: readonly TypeHere[];
  readonly isCycle: boolean;
  /** The stages that have to be done before: their positions in the plan, all smaller than its own. */
  readonly after: readonly number[];
}

/** Each stage after those whose objects may refer to its own. Types that no edge touches are left out: kcp deletes them as well as we do. */
export function planTeardown(edges: readonly EdgeHere[]): readonly Stage[] {
  const types = new Map<string, TypeHere>();
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    for (const type of [from, to]) types.set(groupResourceKey(type), type);
    entryOf(targets, groupResourceKey(from), () => new Set<string>()).add(groupResourceKey(to));
  }
  const graph = new Map([...targets].map(([key, all]) => [key, new Set([...all].toSorted().map((to) => ({ to })))]));
  const stages = stagesOf([...types.keys()].toSorted(), graph);
  const stageOf = new Map(stages.flatMap((keys, index) => keys.map((key) => [key, index])));
  const isEdge = (from: string, to: string): boolean => targets.get(from)?.has(to) === true;
  const after = stages.map(() => new Set<number>());
  for (const [from, all] of targets) {
    const [start, ends] = [stageOf.get(from), [...all].map((to) => stageOf.get(to))];
    for (const end of ends) if (start !== undefined && end !== undefined && start !== end) after[end]?.add(start);
  }
  return stages.map((keys, index) => ({
    types: keys.toSorted().flatMap((key) => types.get(key) ?? []),
    isCycle: keys.length > 1 || keys.every((key) => isEdge(key, key)),
    after: [...(after[index] ?? [])].toSorted((a, b) => a - b),
  }));
}
