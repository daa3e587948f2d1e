// When a 404 says that an object is not there. kcp answers 404 for much else: a workspace path that a shard does not know, and for half a minute of its start
// it knows none; a type that it does not serve, or not yet; a subresource of an object that is there. Only a Status that names the object is about it,
// and before kcp 0.31 not even that if system:masters ask by path: a shard takes a path that it does not know for the name of an empty workspace.
import type { GroupResource } from '@dep-ctrl/kcp-names';
import { isKcpError, type KcpErrorOf, type Status } from './kcp-error.js';

/** The object that a request names. */
export interface RequestedObject extends GroupResource {
  readonly namespace?: string | undefined;
  /** Absent for a create, which names none, and for a subresource: kcp says the same of one that the type lacks. */
  readonly name?: string | undefined;
}

/** Whether a 404 is about the object that was asked for, and so says that there is none. Pure. */
export function namesObject(status: Status | undefined, { group, resource, name }: RequestedObject): boolean {
  const { details } = status ?? {};
  if (name === undefined || details?.name !== name || details.kind !== resource || (details.group ?? '') !== group) return false;
  // A path that a shard does not know is answered as a Workspace of that name, which none can have.
  return !name.includes(':') || resource !== 'workspaces';
}

/**
 * Whether a failure says that this very object is not there: the one question before "it is gone". Any other failure says nothing about the object.
 * For what a whole block of calls throws; after one call alone, `isKcpError(error, 'not-found')` says the same.
 */
export function isAbsent(thrown: unknown, type: GroupResource, name: string): thrown is KcpErrorOf<'not-found'> {
  return isKcpError(thrown, 'not-found') && namesObject(thrown.statusBody, { ...type, name });
}
