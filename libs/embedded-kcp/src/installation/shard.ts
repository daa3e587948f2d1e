// One shard: its storage and everything that serves it, behind one listener.
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { admissionChain } from '../admission/admission-chain.js';
import { admissionPlugins } from '../admission/admission-plugins.js';
import { ClaimLabels } from '../admission/claim-labels.js';
import { policyPlugin } from '../admission/webhooks/policy-plugin.js';
import { WebhookPlugin } from '../admission/webhooks/webhook-plugin.js';
import { typeFinder } from '../admission/workspace-admission.js';
import { authenticate, type TokenAuthenticator } from '../authentication/authenticator.js';
import type { UserInfo } from '../authentication/user.js';
import { Authorizer } from '../authorization/authorizer.js';
import type { Background } from '../background/background.js';
import type { ShardControl } from '../background/controller-context.js';
import { badRequest, notFound, PlainError } from '../http/api-status.js';
import type { KeyPair } from '../http/certificates.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { Listener, type RequestHandler } from '../http/listener.js';
import { bytesReply, type Reply } from '../http/reply.js';
import { Loopback } from '../kcp/shards/loopback.js';
import type { ReplicationCache } from '../kcp/shards/replication-cache.js';
import type { RootResources } from '../kcp/bootstrap/root-resources.js';
import { ShardView } from '../kcp/shards/shard-view.js';
import { WorkspaceCatalog } from '../kcp/shards/workspace-catalog.js';
import { WorkspaceIndex } from '../kcp/shards/workspace-index.js';
import { ResourceHandler } from '../machinery/objects/resource-handler.js';
import type { Machinery } from '../machinery/objects/write-target.js';
import { openApiReply } from '../openapi/openapi-replies.js';
import { review } from '../reviews/review-handler.js';
import type { ServiceAccountTokens } from '../service-accounts/service-account-authenticator.js';
import { openIdReply } from '../service-accounts/openid-discovery.js';
import { tokenRequest } from '../service-accounts/token-request.js';
import { ShardStore } from '../storage/shard-store.js';
import { ShardStart } from '../starting/shard-start.js';
import { VirtualWorkspaces } from '../virtual-workspaces/virtual-workspaces.js';
import { isPath, splitCluster } from '../server/cluster-address.js';
import { ClusterServer } from '../server/cluster-server.js';
import type { ClusterRequest } from '../server/cluster-request.js';
import { impersonate } from '../server/impersonation.js';

/** How to start a shard. */
export interface StartOptions {
  /** At once (the default), or as a real kcp does, which refuses for half a minute what it has. */
  readonly pace?: 'at-once' | 'as-kcp' | undefined;
}

/** How a shard is made. */
export interface ShardOptions {
  readonly name: string;
  readonly index: number;
  readonly host: string;
  readonly serving: KeyPair;
  readonly clientCa: string;
  readonly cache: ReplicationCache;
  readonly root: RootResources;
  readonly background: Background;
  readonly tokens: readonly TokenAuthenticator[];
  /** How tokens of ServiceAccounts are made and known; the same on every shard. */
  readonly serviceAccounts: ServiceAccountTokens;
  readonly now: () => number;
  /** Whether the shard of a cluster serves. */
  readonly isServed: (cluster: LogicalClusterName) => boolean;
  /** Wraps the handler of the listener: records and faults. */
  readonly wrap: (name: string, handle: RequestHandler) => RequestHandler;
}

// Far apart, so that a resource version of one shard never means something on another by chance.
const REVISIONS_PER_SHARD = 100_000;

/** A shard. */
export class Shard {
  readonly name: string;
  readonly store: ShardStore;
  readonly view: ShardView;
  readonly catalog: WorkspaceCatalog;
  readonly loopback: Loopback;
  readonly authorizer: Authorizer;
  readonly server: ClusterServer;
  readonly resources: ResourceHandler;
  readonly #options: ShardOptions;
  readonly #listener: Listener;
  readonly #index: WorkspaceIndex;
  readonly #claimLabels: ClaimLabels;
  readonly #virtualWorkspaces: VirtualWorkspaces;
  readonly #webhooks: WebhookPlugin;
  readonly #closers = new Set<() => void>();
  #running = false;
  /** A start that is not over. */
  #start: ShardStart | undefined;

  constructor(options: ShardOptions) {
    const { name, index, host, serving, clientCa, cache, root, background, now, wrap } = options;
    this.#options = options;
    this.name = name;
    this.store = new ShardStore(1 + index * REVISIONS_PER_SHARD);
    this.view = new ShardView(this.store, cache);
    this.catalog = new WorkspaceCatalog(this.store, (work) => background.after('schemaFollowed', 'catalog', work));
    this.authorizer = new Authorizer(this.view, this.catalog);
    this.#claimLabels = new ClaimLabels(this.view);
    this.#webhooks = new WebhookPlugin(this.view);
    const findType = typeFinder(this.view, root.workspaceTypes);
    const machinery: Machinery = {
      store: this.store,
      admission: admissionChain(
        admissionPlugins({
          view: this.view,
          authorizer: this.authorizer,
          findType,
          claimLabels: this.#claimLabels,
          policies: policyPlugin(this.view),
          webhooks: this.#webhooks,
        }),
      ),
      now,
    };
    this.loopback = new Loopback(machinery);
    this.resources = new ResourceHandler({
      machinery,
      bookmarkEveryMs: background.pause('bookmark'),
      futureMs: background.pause('futureRevision'),
      onClose: (close) => {
        this.#closers.add(close);
        return () => void this.#closers.delete(close);
      },
    });
    this.server = new ClusterServer({
      catalog: this.catalog,
      authorizer: this.authorizer,
      resources: this.resources,
      specials: [
        (request) => review(request, { authorizer: this.authorizer, view: this.view, tokens: options.tokens, now }),
        (request) => tokenRequest(request, options.serviceAccounts),
      ],
      openApi: ({ cluster, path, http }) =>
        openApiReply(cluster === '' ? [] : this.catalog.all(cluster), {
          path,
          query: http.query,
          accept: http.headers.accept,
          ifNoneMatch: http.headers['if-none-match'],
        }),
      openId: (path, accept) => openIdReply(path, accept, { signer: options.serviceAccounts.signer, url: this.url }),
      address: () => new URL(this.url).host,
    });
    this.#index = new WorkspaceIndex([this.store], root.workspaces.bucket);
    this.#virtualWorkspaces = new VirtualWorkspaces(
      {
        view: this.view,
        catalog: this.catalog,
        authorizer: this.authorizer,
        resources: this.resources,
        server: this.server,
        background,
        isServed: options.isServed,
        address: () => new URL(this.url).host,
        openApi: (definitions, path, { query, headers }) =>
          openApiReply(definitions, { path, query, accept: headers.accept, ifNoneMatch: headers['if-none-match'] }),
      },
      root.workspaceTypes,
    );
    this.#listener = new Listener({ host, port: 0, serving, clientCa, handle: wrap(name, (request) => this.#handle(request)) });
  }

  /** The shard's own address. */
  get url(): string {
    return `https://${this.#options.host}:${this.#listener.port}`;
  }

  /** Whether the shard serves. */
  get isRunning(): boolean {
    return this.#running;
  }

  /** What the controllers of the installation get of this shard. */
  control(): ShardControl {
    const { name, url, view, catalog, loopback } = this;
    return {
      name,
      url,
      view,
      catalog,
      loopback,
      claimLabels: this.#claimLabels,
      findType: typeFinder(view, this.#options.root.workspaceTypes),
    };
  }

  /** Begins to listen; `as-kcp`: after a while, and then refuses for a while what a kcp that starts does. Resolves when everything is served. */
  async start({ pace = 'at-once' }: StartOptions = {}): Promise<void> {
    if (this.#running || this.#start !== undefined) return;
    if (pace === 'at-once') return this.#listen();
    const { background } = this.#options;
    const start = new ShardStart({ background, catalog: this.catalog, now: () => performance.now() });
    this.#start = start;
    if (!(await start.untilListening())) return;
    await this.#listen();
    await start.untilOver();
    if (this.#start === start) this.#start = undefined;
  }

  async #listen(): Promise<void> {
    await this.#listener.start();
    this.#running = true;
  }

  /** Stops listening and cuts every connection. After a restart older versions are gone, as in a real shard. */
  async stop(): Promise<void> {
    this.#start?.end();
    this.#start = undefined;
    if (!this.#running) return;
    this.#running = false;
    for (const close of [...this.#closers]) close();
    await this.#listener.stop();
    this.store.compact();
  }

  /** Gives up for good. */
  async close(): Promise<void> {
    await this.stop();
    await this.#webhooks.close();
  }

  /** Answers a request that the front-proxy forwards: its user and its cluster are known already. */
  async serve(request: ClusterRequest): Promise<Reply> {
    this.#start?.checkCluster(request);
    return this.server.handle(impersonate(request, this.authorizer));
  }

  async #handle(request: IncomingRequest): Promise<Reply> {
    if (request.path === '/readyz' && this.#start !== undefined)
      throw new PlainError(500, '[-]poststarthook/kcp-start failed: not finished');
    if (/^\/(?:livez|readyz|healthz)(?:\/|$)/.test(request.path))
      return bytesReply(200, [Buffer.from('ok')], { 'content-type': 'text/plain; charset=utf-8' });
    const user = authenticate(request, this.#options.tokens);
    if (request.path.startsWith('/services/')) {
      this.#start?.checkView(request, user);
      return this.#virtualWorkspaces.handle(request, user);
    }
    const { cluster, path } = splitCluster(request.path, user);
    return this.serve({
      cluster: cluster === '' || cluster === '*' ? cluster : this.#resolve(cluster, request, user),
      path,
      user,
      method: request.method,
      http: request,
    });
  }

  #resolve(address: string, request: IncomingRequest, user: UserInfo): LogicalClusterName {
    const name = parseLogicalClusterName(address);
    if (name.ok) return name.value;
    if (!isPath(address)) throw badRequest(`invalid cluster: ${JSON.stringify(address)} does not match the regex`);
    this.#start?.checkPath(address, request, user);
    const answer = this.#index.resolve(address);
    if (answer.state === 'unavailable') throw new PlainError(503, 'Not available.');
    if (answer.state === 'unknown' || this.view.logicalCluster(answer.cluster) === undefined) {
      throw notFound({ group: 'tenancy.kcp.io', resource: 'workspaces' }, address);
    }
    return answer.cluster;
  }
}
