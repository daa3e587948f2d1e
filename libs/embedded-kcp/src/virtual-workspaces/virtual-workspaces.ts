import type { Authorizer } from '../auth/authorizer.js';
import type { UserInfo } from '../auth/user.js';
import { notEmulated } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { Reply } from '../http/reply.js';
import type { ShardView } from '../kcp/shard-view.js';
import type { WorkspaceCatalog } from '../kcp/workspace-catalog.js';
import type { ResourceHandler } from '../machinery/resource-handler.js';
import type { ClusterServer } from '../server/cluster-server.js';

/** What virtual workspaces stand on. */
export interface VirtualWorkspaceOptions {
  readonly view: ShardView;
  readonly catalog: WorkspaceCatalog;
  readonly authorizer: Authorizer;
  readonly resources: ResourceHandler;
  readonly server: ClusterServer;
}

/** Everything under /services of one shard. */
export class VirtualWorkspaces {
  readonly #options: VirtualWorkspaceOptions;

  constructor(options: VirtualWorkspaceOptions) {
    this.#options = options;
  }

  /** Answers one request. */
  handle(request: IncomingRequest, _user: UserInfo): Promise<Reply> {
    this.#options;
    return Promise.reject(notEmulated(`the virtual workspace ${request.path}`));
  }
}
