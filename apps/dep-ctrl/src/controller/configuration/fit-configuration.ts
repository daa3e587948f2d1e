/*
 * Which of the resources that rules name find room in one configuration: those that the workspace exports always do, and are as many as its owner
 * made them. The rest, types that may be exported later or never, share what is left by author. Pure.
 */
import { groupResourceKey, type GroupResource } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { resourceOf } from '../../rules/guard-entries.js';
import { shareRoom } from '../workspace/fair-share.js';

/** Room for names of types in one entry of a configuration, in characters; three entries hold them. etcd stores 1.5 MiB of an object. */
export const MOST_CHARACTERS = 192 * 1024;

/** Whether rules name so much that not all of it may find room. */
export function isCrowded(entries: readonly GuardRuleEntry[]): boolean {
  return entries.reduce((sum, { resource }) => sum + resource.length, 0) > MOST_CHARACTERS;
}

/** The entries for whose resources there is room. `exported`: what the workspace exports; undefined: nobody may know. */
export function fittingEntries(
  entries: readonly GuardRuleEntry[],
  exported: readonly GroupResource[] | undefined,
): readonly GuardRuleEntry[] {
  if (!isCrowded(entries)) return entries;
  const known = new Set((exported ?? []).map(groupResourceKey));
  const isKnown = (entry: GuardRuleEntry): boolean => known.has(groupResourceKey(resourceOf(entry)));
  const shared = new Set(
    shareRoom(
      entries.filter((entry) => !isKnown(entry)),
      { room: MOST_CHARACTERS, authorOf: ({ cluster }) => cluster, sizeOf: ({ resource }) => resource.length },
    ),
  );
  return entries.filter((entry) => isKnown(entry) || shared.has(entry));
}
