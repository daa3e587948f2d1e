/*
 * Virtual workspaces, and dep-ctrl's own, in which only the leader writes. Being told to stop is not enough: a process that was frozen hears of it after
 * whoever leads now has written, and what it was about to write is old. So every single write asks whether we lead at that very moment,
 * after what it rests on was read; whatever others write later fails it by its resourceVersion.
 */
import { KcpError, VirtualWorkspace, type Connection, type Requester } from '@dep-ctrl/kcp-client';

/** What makes clients of virtual workspaces. */
export type VirtualWorkspaces = Pick<Connection, 'virtualWorkspace'>;

/** See above. */
export function leadersWrites(connection: Requester, isLeader: () => boolean): VirtualWorkspaces {
  const requester = leadersRequests(connection, isLeader);
  return { virtualWorkspace: (url) => new VirtualWorkspace(requester, url) };
}

/** Requests of which only the leader's write. One that is refused fails with a conflict: somebody else may have been faster. */
export function leadersRequests(connection: Requester, isLeader: () => boolean): Requester {
  return {
    request: async (request, options) => {
      if (request.method === 'GET' || isLeader()) return connection.request(request, options);
      const { asked, url } = request;
      throw new KcpError({
        code: 'conflict',
        asked,
        at: new URL(url).origin,
        problem: 'this process leads no more: whoever does may have written',
      });
    },
    open: (watch, options) => connection.open(watch, options),
  };
}
