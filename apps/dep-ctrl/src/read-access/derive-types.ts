// Derives the types that the webhook must be able to read from the workspaces that bind dep-ctrl now, with notes for people.
import type { ClusterClient, Connection, Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readBoundTypes, type BoundTypes } from './bound-types.js';
import { mergeTypes } from './read-rules.js';
import { shareOut, type Share } from './share-out.js';

/** The types of all bound providers. */
export interface DerivedTypes {
  readonly types: readonly GroupResource[];
  /** Whether every bound provider could be read. */
  readonly isWhole: boolean;
  readonly notes: readonly string[];
}

/** Reads every bound provider. Throws KcpError if the workspace of dep-ctrl itself does not answer. */
export async function deriveTypes(connection: Connection, home: ClusterClient, options: Stoppable): Promise<DerivedTypes> {
  return deriveFrom(await readBoundTypes(connection, home, options));
}

/** The same from what was read. Pure. */
export function deriveFrom({ providers, unread }: BoundTypes, mostBytes?: number): DerivedTypes {
  const shares = shareOut(providers, mostBytes);
  return {
    types: mergeTypes(...[...shares.values()].map(({ types }) => types)),
    isWhole: unread.length === 0,
    notes: [...unread.map(unreadNote), ...[...shares].flatMap(leftOutNote)],
  };
}

function unreadNote(unread: string): string {
  return `not read: ${unread}; nothing that the webhook may read already was taken away: run bootstrap again once this can be read`;
}

function leftOutNote([cluster, { leftOut }]: readonly [LogicalClusterName, Share]): readonly string[] {
  if (leftOut === 0) return [];
  return [
    `${leftOut} types that logical cluster ${cluster} exports found no room in the ClusterRole: deletes that a rule about one of them guards are refused, unless bootstrap runs with --read-access wildcard`,
  ];
}
