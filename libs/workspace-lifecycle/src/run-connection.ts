// The connection of one run of an author's function. When the run is over, nothing goes through it any more: a function that does not end when it is told to
// may be left behind, and the next run of the same workspace may begin beside it, since the old one can reach kcp no more.
import { ClusterClient, VirtualWorkspace, type Connection, type Requester, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { linkedSignal } from './linked-signal.js';

/** What the controller needs of a connection. */
export type LifecycleConnection = Requester & Pick<Connection, 'baseUrl'>;

/** A connection that ends with a run. */
export class RunConnection implements Requester {
  readonly #connection: LifecycleConnection;
  readonly #run: AbortSignal;

  constructor(connection: LifecycleConnection, run: AbortSignal) {
    this.#connection = connection;
    this.#run = run;
  }

  /** A workspace as the virtual workspace shows it. */
  behind(url: VirtualWorkspaceUrl, cluster: LogicalClusterName): ClusterClient {
    return new VirtualWorkspace(this, url).cluster(cluster);
  }

  /** A workspace with the rights of this process itself. */
  cluster(address: LogicalClusterName | WorkspacePath): ClusterClient {
    return new ClusterClient(this, { baseUrl: this.#connection.baseUrl, address });
  }

  async request(...[request, { signal }]: Parameters<Requester['request']>): ReturnType<Requester['request']> {
    const linked = linkedSignal(signal, this.#run);
    try {
      return await this.#connection.request(request, { signal: linked.signal });
    } finally {
      linked.unlink();
    }
  }

  open(...[request, { signal }]: Parameters<Requester['open']>): ReturnType<Requester['open']> {
    // It has to end what is read later, too: for as long as the stream lasts, which is no longer than the run.
    const linked = linkedSignal(signal, this.#run);
    this.#run.addEventListener('abort', linked.unlink, { once: true });
    return this.#connection.open(request, { signal: linked.signal });
  }
}
