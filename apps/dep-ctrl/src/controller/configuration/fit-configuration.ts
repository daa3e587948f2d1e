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
  return [...new Set(entries.map(({ resource }) => resource))].reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS;
}

/** The entries whose resources have room. `exported`: the types that the workspace exports; undefined: they may not be read. */
export function fittingEntries(
  entries: readonly GuardRuleEntry[],
  exported: readonly GroupResource[] | undefined,
): readonly GuardRuleEntry[] {
  if (!isCrowded(entries)) return entries;
  const known = new Set(exported?.map((type) => printGroupResource(type)));
  // Each type once for each author.
  const asked = new Map(
    entries.filter(({ resource }) => !known.has(resource)).map((entry) => [`${entry.cluster} ${entry.resource}`, entry]),
  );
  const shared = shareRoom([...asked.values()], {
    room: MOST_CHARACTERS,
    authorOf: ({ cluster }) => cluster,
    sizeOf: ({ resource }) => resource.length,
  });
  const fitting = new Set([...known, ...shared.map(({ resource }) => resource)]);
  return entries.filter(({ resource }) => fitting.has(resource));
}
