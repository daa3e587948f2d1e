import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ClusterClient } from './cluster-client.js';
import type { Requester } from '../http/requester.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';
import { WildcardClient } from './wildcard-client.js';

/** The clients of one virtual workspace: what an APIExport's owner sees of the workspaces that bound it on one shard. */
export class VirtualWorkspace {
  readonly url: VirtualWorkspaceUrl;
  readonly #requester: Requester;

  constructor(requester: Requester, url: VirtualWorkspaceUrl) {
    this.url = url;
    this.#requester = requester;
  }

  /** One workspace, by name: virtual workspaces take no paths. */
  cluster(name: LogicalClusterName): ClusterClient {
    return new ClusterClient(this.#requester, { baseUrl: this.url, address: name });
  }

  /** All workspaces that bound the export on this shard. */
  wildcard(): WildcardClient {
    return new WildcardClient(this.#requester, { baseUrl: this.url });
  }
}
