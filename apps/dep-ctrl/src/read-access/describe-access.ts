// The change of the webhook's right to read on a shard, as data and as a line for people. Pure.
import { printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';
import { printFirst } from '@dep-ctrl/exported-types';
import type { AccessChange } from './change-access.js';
import { listedTypes, typesWithout } from './read-rules.js';

/** The types that the webhook may read on one shard, and the change. */
export interface AccessReport {
  readonly where: string;
  readonly access: 'listed' | 'wildcard';
  /** The number of types of each group, if they are listed. */
  readonly groups: Readonly<Record<string, number>>;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The webhook could read everything before. */
  readonly wasWildcard: boolean;
}

/** As data. */
export function reportAccess(where: string, { before, after }: Pick<AccessChange, 'before' | 'after'>): AccessReport {
  const old = listedTypes(before);
  const now = listedTypes(after);
  const wasWildcard = before?.kind === 'wildcard';
  return {
    where,
    access: after?.kind ?? 'listed',
    groups: countGroups(now),
    added: wasWildcard ? [] : names(typesWithout(now, old)),
    removed: after?.kind === 'wildcard' ? [] : names(typesWithout(old, now)),
    wasWildcard,
  };
}

/** As one line. */
export function printAccess({ where, access, groups, added, removed, wasWildcard }: AccessReport): string {
  if (access === 'wildcard') return `${where}: the webhook may read everything (--read-access wildcard)`;
  const counts = Object.entries(groups).map(([group, count]) => `${group} ${count}`);
  const total = Object.values(groups).reduce((sum, count) => sum + count, 0);
  const changes = [
    ...(added.length === 0 ? [] : [`added ${first(added)}`]),
    ...(removed.length === 0 ? [] : [`removed ${first(removed)}, which no bound provider exports`]),
    ...(wasWildcard ? ['it could read everything before, and can again after bootstrap with --read-access wildcard'] : []),
  ];
  const what = total === 0 ? 'no types of providers yet' : `${total} ${total === 1 ? 'type' : 'types'} (${first(counts)})`;
  return [`${where}: the webhook may read ${what}`, ...changes].join('; ');
}

const first = (texts: readonly string[]): string => printFirst(texts, { most: 10 });

function names(types: readonly GroupResource[]): readonly string[] {
  return types.map((type) => printGroupResource(type));
}

function countGroups(types: readonly GroupResource[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { group } of types) counts.set(group, (counts.get(group) ?? 0) + 1);
  return Object.fromEntries(counts);
}
