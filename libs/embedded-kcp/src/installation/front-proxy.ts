// The front-proxy: forwards each request to the shard that hosts the workspace, and refuses requests for anything else.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { authenticate, unauthorized, type TokenAuthenticator } from '../authentication/authenticator.js';
import { AUTHENTICATED, type UserInfo } from '../authentication/user.js';
import { ApiError, pageNotFound, PlainError } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { bytesReply, type Reply } from '../http/reply.js';
import { WorkspaceIndex } from '../kcp/shards/workspace-index.js';
import { isPath, splitCluster } from '../server/cluster-address.js';
import type { Shard } from './shard.js';

/** The parts that the front-proxy needs. */
export interface FrontProxyOptions {
  readonly shards: readonly Shard[];
  readonly workspacesBucket: string;
  readonly tokens: readonly TokenAuthenticator[];
}

// Groups that the proxy takes away from every user.
const DROPPED = /^(?:system:masters|system:kcp:logical-cluster-admin|system:kcp:(?:initializer|terminator):.*)$/;

/** Serves all shards under one address. */
export class FrontProxy {
  readonly #options: FrontProxyOptions;
  readonly #index: WorkspaceIndex;

  constructor(options: FrontProxyOptions) {
    this.#options = options;
    this.#index = new WorkspaceIndex(
      options.shards.map(({ store }) => store),
      options.workspacesBucket,
    );
  }

  /** Answers one request. */
  async handle(request: IncomingRequest): Promise<Reply> {
    if (/^\/(?:livez|readyz|healthz)$/.test(request.path))
      return bytesReply(200, [Buffer.from('ok')], { 'content-type': 'text/plain; charset=utf-8' });
    const user = withoutPower(authenticate(request, this.#options.tokens));
    const { cluster: address, path } = splitCluster(request.path, user);
    if (address === '') throw pageNotFound();
    const cluster = this.#resolve(address, request);
    const shard = this.#options.shards.find(({ view }) => view.logicalCluster(cluster) !== undefined);
    if (shard === undefined) throw notPermitted(request);
    if (!user.groups.includes(AUTHENTICATED)) throw unauthorized();
    if (!shard.isRunning) return bytesReply(502, []);
    return shard.serve({ cluster, path, user, method: request.method, http: request });
  }

  #resolve(address: string, request: IncomingRequest): LogicalClusterName {
    if (!isPath(address)) throw notPermitted(request);
    const answer = this.#index.resolve(address);
    if (answer.state === 'unavailable') throw new PlainError(503, 'Not available.');
    if (answer.state === 'unknown') throw notPermitted(request);
    return answer.cluster;
  }
}

function withoutPower(user: UserInfo): UserInfo {
  return { ...user, groups: user.groups.filter((group) => !DROPPED.test(group)) };
}

// The proxy takes no request for one of a resource: it speaks of methods and paths.
function notPermitted({ method, path }: IncomingRequest): ApiError {
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `forbidden: User "" cannot ${method.toLowerCase()} path ${JSON.stringify(path)}: workspace access not permitted`,
    details: {},
  });
}
