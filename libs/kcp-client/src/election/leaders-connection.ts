/*
 * A connection on which only the leader writes. An abort signal is not enough: a process that was frozen gets it only after the new leader has written, and
 * would then write old state. So every single write checks whether this process leads: when it is called, and once there is a socket for it, as it may have
 * waited for one while the process was frozen. If the new leader writes later, the resourceVersion makes the old write fail.
 */
import { ClusterClient } from '../connection/cluster-client.js';
import { KcpError } from '../errors/kcp-error.js';
import { VirtualWorkspace } from '../connection/virtual-workspace.js';
import type { Connection } from '../connection/connection.js';
import type { RawRequest, Requester } from '../http/requester.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';

/** What makes clients of virtual workspaces. */
export type VirtualWorkspaces = Pick<Connection, 'virtualWorkspace'>;

interface LeadersConnectionDependencies {
  readonly connection: Requester & Pick<Connection, 'baseUrl'>;
  readonly isLeader: () => boolean;
}

/** A connection on which only the leader writes. A write that is refused fails with a conflict: another replica may have been faster. */
export class LeadersConnection implements Requester, VirtualWorkspaces {
  readonly #dependencies: LeadersConnectionDependencies;

  constructor(dependencies: LeadersConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  virtualWorkspace(url: VirtualWorkspaceUrl): VirtualWorkspace {
    return new VirtualWorkspace(this, url);
  }

  /** The workspace that a client of another connection reaches. */
  sameWorkspace({ address }: Pick<ClusterClient, 'address'>): ClusterClient {
    return new ClusterClient(this, { baseUrl: this.#dependencies.connection.baseUrl, ...(address !== undefined && { address }) });
  }

  async request(...[request, options]: Parameters<Requester['request']>): ReturnType<Requester['request']> {
    const { connection } = this.#dependencies;
    if (request.method === 'GET') return connection.request(request, options);
    const forbidden = (): KcpError | undefined => this.#forbidden(request);
    const refusal = forbidden();
    if (refusal !== undefined) throw refusal;
    return connection.request({ ...request, forbidden }, options);
  }

  open(...asked: Parameters<Requester['open']>): ReturnType<Requester['open']> {
    return this.#dependencies.connection.open(...asked);
  }

  #forbidden({ asked, url }: RawRequest): KcpError | undefined {
    if (this.#dependencies.isLeader()) return undefined;
    const problem = 'this process leads no more: whoever does may have written';
    return new KcpError({ code: 'conflict', asked, at: new URL(url).origin, problem });
  }
}
