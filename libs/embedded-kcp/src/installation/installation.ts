// Joins the parts of one embedded kcp: certificates, users, shards, the cache between the shards, the front-proxy and the controllers.
import type { TokenAuthenticator } from '../authentication/authenticator.js';
import { TokenDirectory } from '../authentication/token-directory.js';
import { Background } from '../background/background.js';
import { BindingController } from '../controllers/binding-controller.js';
import type { ControllerContext } from '../background/controller-context.js';
import { CrdController } from '../controllers/crd-controller.js';
import { ExportController } from '../controllers/export-controller.js';
import { LogicalClusterController } from '../controllers/logical-cluster-controller.js';
import { WorkspaceController } from '../controllers/workspace-controller.js';
import { WorkspaceTypeController } from '../controllers/workspace-type-controller.js';
import type { Delays } from '../background/delays.js';
import type { Faults } from './embedded-kcp.js';
import { RequestFaults } from '../faults/request-faults.js';
import { RequestLog } from '../faults/request-log.js';
import { GarbageCollector } from '../garbage-collection/garbage-collector.js';
import { CertificateAuthority, type KeyPair } from '../http/certificates.js';
import { Listener } from '../http/listener.js';
import { seedRoot, seedSystemAdmin } from '../kcp/bootstrap/bootstrap-root.js';
import { isReplicated } from '../kcp/shards/replicated-kinds.js';
import { ReplicationCache } from '../kcp/shards/replication-cache.js';
import { makeRootResources, type RootResources } from '../kcp/bootstrap/root-resources.js';
import { FrontProxy } from './front-proxy.js';
import { Shard } from './shard.js';
import { NamespaceIdentities } from '../service-accounts/namespace-identities.js';
import { serviceAccountOf, type ServiceAccountTokens } from '../service-accounts/service-account-authenticator.js';
import { TokenSigner } from '../service-accounts/signed-token.js';
import { BindingTeardown } from '../teardown/binding-teardown.js';
import { NamespaceTeardown } from '../teardown/namespace-teardown.js';
import { WorkspaceTeardown } from '../teardown/workspace-teardown.js';
import type { ObjectKey, StoredObject } from '../storage/stored-object.js';

/** How an installation is made. */
export interface InstallationOptions {
  readonly shards: number;
  readonly delays: Delays;
  readonly port: number;
  readonly host: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Everything that one embedded kcp is made of. */
export class Installation {
  readonly authority: CertificateAuthority;
  readonly tokens = new TokenDirectory();
  readonly requests = new RequestLog();
  readonly shards: readonly Shard[];
  readonly #background: Background;
  readonly #cache: ReplicationCache;
  readonly #requestFaults = new RequestFaults();
  readonly #options: InstallationOptions;
  readonly #proxy: Listener;
  readonly #root: RootResources = makeRootResources();
  #exports: ExportController | undefined;
  readonly #serviceAccounts: ServiceAccountTokens = {
    signer: new TokenSigner(),
    find: (resource, cluster, namespace, name) => findOnShards(this.shards, resource, { cluster, namespace, name }),
    now: () => Date.now(),
  };
  readonly #authenticators: readonly TokenAuthenticator[] = [
    (token) => this.tokens.find(token),
    (token) => serviceAccountOf(token, this.#serviceAccounts),
  ];

  private constructor(options: InstallationOptions, authority: CertificateAuthority, serving: KeyPair) {
    this.#options = options;
    this.authority = authority;
    const background = new Background(options.delays, options.onFailure);
    this.#background = background;
    this.#cache = new ReplicationCache(
      { now: () => performance.now(), after: (ms, work) => background.afterMs(ms, 'replication', work) },
      background.pause('replication'),
      isReplicated,
    );
    this.shards = Array.from({ length: options.shards }, (_, index) => this.#makeShard(index, serving));
    const proxy = new FrontProxy({ shards: this.shards, workspacesBucket: this.#root.workspaces.bucket, tokens: this.#authenticators });
    this.#proxy = new Listener({
      host: options.host,
      port: options.port,
      serving,
      clientCa: authority.pem,
      handle: this.#requestFaults.wrap('proxy', this.requests, (request) => proxy.handle(request)),
    });
  }

  /** Makes one, fills it and starts its listeners. */
  static async create(options: InstallationOptions): Promise<Installation> {
    const authority = await CertificateAuthority.create('embedded-kcp-ca');
    const serving = await authority.serving([...new Set(['localhost', '127.0.0.1', options.host])]);
    const installation = new Installation(options, authority, serving);
    await installation.#start();
    return installation;
  }

  /** The front-proxy. */
  get proxyUrl(): string {
    return `https://${this.#options.host}:${this.#proxy.port}`;
  }

  /** The certificate that signs all others. */
  get ca(): string {
    return this.authority.pem;
  }

  /** Breaks things on purpose. */
  get faults(): Faults {
    return {
      onRequest: (match, fault, options) => this.#requestFaults.add(match, fault, options),
      clear: () => this.#requestFaults.clear(),
      compact: () => {
        for (const { store } of this.shards) store.compact();
      },
      withdrawEndpoint: (endpoint) => {
        this.#exports?.withdraw(endpoint, true);
        return () => this.#exports?.withdraw(endpoint, false);
      },
      setReplicationDelay: (ms) => this.#cache.setDelay(ms ?? this.#background.pause('replication')),
      pauseReplication: () => this.#cache.pause(),
      resumeReplication: () => this.#cache.resume(),
    };
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    this.#background.stop();
    this.#requestFaults.clear();
    await Promise.all([this.#proxy.stop(), ...this.shards.map((shard) => shard.close())]);
  }

  #makeShard(index: number, serving: KeyPair): Shard {
    return new Shard({
      name: index === 0 ? 'root' : `shard-${index}`,
      index,
      host: this.#options.host,
      serving,
      clientCa: this.authority.pem,
      cache: this.#cache,
      root: this.#root,
      background: this.#background,
      tokens: this.#authenticators,
      serviceAccounts: this.#serviceAccounts,
      now: () => Date.now(),
      isServed: (cluster) => this.shards.every(({ isRunning, view }) => isRunning || view.logicalCluster(cluster) === undefined),
      wrap: (name, handle) => this.#requestFaults.wrap(name, this.requests, handle),
    });
  }

  async #start(): Promise<void> {
    try {
      await this.#proxy.start();
      for (const shard of this.shards) await shard.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#seed();
    this.#control();
  }

  // The objects that kcp has at its start are on every shard at once: there is no wait for the replication of root.
  #seed(): void {
    const nowMs = Date.now();
    const root = this.shards[0];
    const remember = root?.store.subscribe((change) => this.#cache.seed(change));
    for (const { store } of this.shards) seedSystemAdmin(store, nowMs);
    if (root !== undefined) seedRoot(root.store, { root: this.#root, shards: this.shards, externalUrl: this.proxyUrl, nowMs });
    remember?.();
    // Versions from before the start are not known to any shard.
    for (const { store } of this.shards) store.compact();
    for (const shard of this.shards) {
      shard.store.subscribe((change) => this.#cache.feed(change));
      for (const { schema, schemaUid } of this.#root.resources) {
        shard.catalog.keepSchema({ ...schema, metadata: { ...schema.metadata, uid: schemaUid } });
      }
    }
  }

  #control(): void {
    const context: ControllerContext = {
      background: this.#background,
      root: this.#root,
      shards: this.shards.map((shard) => shard.control()),
      externalUrl: this.proxyUrl,
      now: () => Date.now(),
    };
    this.#exports = new ExportController(context);
    const controllers = [
      new WorkspaceController(context),
      new WorkspaceTypeController(context),
      new LogicalClusterController(context),
      this.#exports,
      new BindingController(context),
      new CrdController(context),
      new NamespaceTeardown(context),
      new BindingTeardown(context),
      new WorkspaceTeardown(context),
    ];
    for (const controller of controllers) controller.start();
    for (const { store, catalog, loopback } of this.shards) {
      const common = { store, loopback, background: this.#background };
      new GarbageCollector({ ...common, catalog }).start();
      new NamespaceIdentities({ ...common, signer: this.#serviceAccounts.signer, ca: this.ca }).start();
    }
  }
}

function findOnShards(shards: readonly Shard[], resource: string, key: ObjectKey): StoredObject | undefined {
  for (const { store } of shards) {
    const found = store.bucket(`/${resource}`).get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
