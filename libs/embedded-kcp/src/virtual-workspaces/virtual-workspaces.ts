import type { Authorizer } from '../authorization/authorizer.js';
import { accessDenied } from '../authorization/denial.js';
import { isMasters, type UserInfo } from '../authentication/user.js';
import { notEmulated, pageNotFound } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { Reply } from '../http/reply.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import type { WorkspaceCatalog } from '../kcp/shards/workspace-catalog.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import type { ResourceHandler } from '../machinery/objects/resource-handler.js';
import type { ClusterServer } from '../server/cluster-server.js';
import { ExportVirtualWorkspace } from './export-virtual-workspace.js';
import type { LifecycleAuthorizationOptions } from './lifecycle-authorization.js';
import { LifecycleVirtualWorkspace } from './lifecycle-virtual-workspace.js';
import { readServicePath } from './service-path.js';

/** The parts that virtual workspaces need. */
export interface VirtualWorkspaceOptions extends LifecycleAuthorizationOptions {
  readonly view: ShardView;
  readonly catalog: WorkspaceCatalog;
  readonly authorizer: Authorizer;
  readonly resources: ResourceHandler;
  readonly server: ClusterServer;
  /** `host:port` for discovery. */
  readonly address: () => string;
  /** OpenAPI of some resources, or undefined when there is none at that path. */
  readonly openApi: (definitions: readonly ResourceDefinition[], path: string, http: IncomingRequest) => Reply | undefined;
}

const NOT_COVERED: Readonly<Record<string, string>> = {
  apiresourceschema: 'the virtual workspace apiresourceschema',
  replication: 'the virtual workspace replication',
  migratingworkspaces: 'the virtual workspace migratingworkspaces',
  cache: 'the API of the cache server',
};

/** Everything under /services of one shard. */
export class VirtualWorkspaces {
  readonly #exports: ExportVirtualWorkspace;
  readonly #lifecycle: LifecycleVirtualWorkspace;

  constructor(options: VirtualWorkspaceOptions, workspaceTypes: ResourceDefinition) {
    this.#exports = new ExportVirtualWorkspace(options);
    this.#lifecycle = new LifecycleVirtualWorkspace(options, workspaceTypes);
  }

  /** Answers one request. */
  async handle(request: IncomingRequest, user: UserInfo): Promise<Reply> {
    const kind = request.path.split('/')[2] ?? '';
    if (Object.hasOwn(NOT_COVERED, kind)) throw notEmulated(NOT_COVERED[kind] ?? kind);
    const path = readServicePath(request.path);
    switch (path?.kind) {
      case 'apiexport':
        if (path.subject.length === 2) return this.#exports.handle(path, request, user);
        break;
      case 'initializingworkspaces':
      case 'terminatingworkspaces':
        if (path.subject.length === 1) return this.#lifecycle.handle(path, request, user);
        break;
      default:
    }
    if (isMasters(user)) throw pageNotFound();
    const wanted = { kind: 'path', verb: 'get', path: request.path } as const;
    throw accessDenied(user, wanted, ': Path not resolved to a valid virtual workspace');
  }
}
