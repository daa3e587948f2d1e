// An embedded kcp in which everything is there that a test declares, in one call.
import type { RequestFault } from '../faults/request-faults.js';
import type { RequestMatch } from '../faults/request-log.js';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';
import { ApiClient } from './api-client.js';
import { ExpectedFaults, type ExpectedFault } from './expected-faults.js';
import type { KcpSetup, TestKcpOptions } from './kcp-setup.js';
import type { Maker } from './maker.js';
import { endpointsOf, setUp, type TestWorkspace } from './set-up.js';

/** How a client reaches a workspace as a user: what kcp-client's `Connection` takes as it is. */
export interface Access {
  readonly server: string;
  readonly credentials: { readonly ca: string; readonly token: string };
}

/** The user that may do everything. */
const ADMIN = { name: 'kcp-admin', groups: ['system:kcp:admin'] } as const;

/** A running kcp with what a test declared. */
export class TestKcp {
  /** The server: shards to stop, faults that are not counted, requests that arrived. */
  readonly server: EmbeddedKcp;
  readonly #maker: Maker & { readonly admin: ApiClient };
  readonly #faults: ExpectedFaults;
  readonly #workspaces = new Map<string, TestWorkspace>();
  readonly #groups = new Map<string, readonly string[]>([['admin', ADMIN.groups]]);

  private constructor(server: EmbeddedKcp) {
    this.server = server;
    this.#maker = { admin: new ApiClient(server, ADMIN.name, ADMIN.groups), baseUrl: server.baseUrl };
    this.#faults = new ExpectedFaults(server);
  }

  /** Starts a kcp and makes what is declared. Rejects, and leaves nothing running, where kcp refuses any of it. */
  static async start({ shards = 1, delays = 'fast', ...setup }: TestKcpOptions = {}): Promise<TestKcp> {
    const kcp = new TestKcp(await EmbeddedKcp.start({ shards, delays }));
    try {
      await kcp.add(setup);
      return kcp;
    } catch (failure) {
      await kcp.stop();
      throw failure;
    }
  }

  /** Makes more, in the same words. */
  async add(setup: KcpSetup): Promise<void> {
    for (const [user, { groups = [] }] of Object.entries(setup.users ?? {})) this.#groups.set(user, groups);
    for (const workspace of await setUp(this.#maker, setup)) this.#workspaces.set(workspace.path, workspace);
  }

  /** A declared workspace. Throws for any other. */
  workspace(path: string): TestWorkspace {
    const found = this.#workspaces.get(path);
    if (found === undefined)
      throw new Error(`no workspace "${path}" was declared: there are ${[...this.#workspaces.keys()].join(', ') || 'none'}`);
    return found;
  }

  /** Address, authority and token for a workspace, by path; `admin` may do everything everywhere. */
  access(path = 'root', user = 'admin'): Access {
    return { server: `${this.server.baseUrl}/clusters/${path}`, credentials: { ca: this.server.ca, token: this.token(user) } };
  }

  /** A kubeconfig whose current context is a workspace, as YAML. */
  kubeconfig(path = 'root', user = 'admin'): string {
    return this.server.kubeconfig({ workspace: path, user, groups: this.#groups.get(user) ?? [] });
  }

  /** A user's token. */
  token(user: string): string {
    return this.server.token(user === 'admin' ? ADMIN.name : user, this.#groups.get(user) ?? []);
  }

  /** The URLs of an export's virtual workspace: one for each shard where a workspace binds it. */
  endpoints(exported: string): Promise<readonly string[]> {
    return endpointsOf(this.#maker, exported);
  }

  /** Adds a fault that has to be hit: `expectHits` and `stop` fail where it was not. The next `times` requests that match, or all. */
  fault(match: RequestMatch, fault: RequestFault, options: { readonly times?: number } = {}): ExpectedFault {
    return this.#faults.add(match, fault, options);
  }

  /** Does the work while there is a fault, removes it, and fails where the work has never met it. */
  withFault<T>(
    match: RequestMatch,
    fault: RequestFault,
    work: (fault: ExpectedFault) => Promise<T>,
    options: { readonly times?: number } = {},
  ): Promise<T> {
    return this.#faults.during(match, fault, work, options);
  }

  /** Removes all faults. Throws where one of them was never hit: the test has not tested it. For `afterEach`. */
  expectHits(): void {
    this.#faults.expectHits();
  }

  /** Does the work while a shard is away, as after a crash, and starts it again whatever came of it. */
  async withoutShard<T>(name: string, work: () => Promise<T>): Promise<T> {
    const shard = this.server.shards.find((one) => one.name === name);
    if (shard === undefined) throw new Error(`there is no shard "${name}": start with shards: 2`);
    await shard.stop();
    try {
      return await work();
    } finally {
      await shard.start();
    }
  }

  /** Stops everything, then does as `expectHits`. */
  async stop(): Promise<void> {
    await this.#maker.admin.close();
    await this.server.stop();
    this.expectHits();
  }

  /** `await using kcp = await TestKcp.start(...)` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
