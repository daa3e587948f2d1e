/*
 * Selects the resources for which one configuration has room. Resources that the workspace exports always have room: their number is its owner's choice.
 * The others may be exported later or never; the authors of their rules share the rest of the room. Pure.
 */
import { printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { shareRoom } from '@dep-ctrl/fair-shares';

/** Room for names of types in one entry of a configuration, in characters; three entries hold them. etcd stores 1.5 MiB of an object. */
export const MOST_CHARACTERS = 192 * 1024;

/** Whether rules name so many types that not all of them may find room. */
export function isCrowded(entries: readonly GuardRuleEntry[]): boolean {
  return charactersOf(entries) > MOST_CHARACTERS;
}

/**
 * The entries whose resources have room. `exported`: the types that the workspace exports; undefined: they cannot be read, for the moment or at all. Then
 * what is `configured` keeps its room and nothing comes on top of it: a passing failure unguards nothing.
 */
export function fittingEntries(
  entries: readonly GuardRuleEntry[],
  exported: readonly GroupResource[] | undefined,
  configured: readonly GroupResource[] = [],
): readonly GuardRuleEntry[] {
  if (!isCrowded(entries)) return entries;
  const staying = new Set((exported ?? configured).map((type) => printGroupResource(type)));
  const taken = exported === undefined ? charactersOf(entries.filter(({ resource }) => staying.has(resource))) : 0;
  // Each type once for each author.
  const asked = new Map(
    entries.filter(({ resource }) => !staying.has(resource)).map((entry) => [`${entry.cluster} ${entry.resource}`, entry]),
  );
  const shared = shareRoom([...asked.values()], {
    room: Math.max(0, MOST_CHARACTERS - taken),
    authorOf: ({ cluster }) => cluster,
    sizeOf: ({ resource }) => resource.length,
  });
  const fitting = new Set([...staying, ...shared.map(({ resource }) => resource)]);
  return entries.filter(({ resource }) => fitting.has(resource));
}

/** Each type once, however many rules name it. */
function charactersOf(entries: readonly GuardRuleEntry[]): number {
  return [...new Set(entries.map(({ resource }) => resource))].reduce((sum, { length }) => sum + length, 0);
}
