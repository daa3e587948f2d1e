// What a case is given: the listeners of one backend, the users the facts speak of, and workspaces of its own.
import { randomBytes } from 'node:crypto';
import type { Backend } from '../backends/backend.js';
import type { KeyPair, Subject } from '../backends/pki.js';
import { isAtLeast } from '../backends/programs.js';
import { Caller, type Credentials } from '../https/caller.js';
import { at } from '../https/kube-body.js';
import { eventually, patience } from './eventually.js';
import { WebhookServer } from './webhooks.js';

/** The users every listener knows: `admin` is in system:kcp:admin, `masters` in system:masters, `alice` in no group at all. */
export type UserName = 'admin' | 'masters' | 'alice' | 'bob' | 'anonymous';

/** One listener, seen by several users. */
export type Door = Readonly<Record<UserName, Caller>> & {
  readonly url: string;
  /** Anybody: a client certificate is made. */
  user(subject: Subject): Promise<Caller>;
  /** A client with these credentials. */
  with(credentials: Credentials): Caller;
};

/** A workspace made for a case. */
export interface Workspace {
  /** `root:x`. */
  readonly path: string;
  /** The name of its logical cluster. */
  readonly cluster: string;
  /** `/clusters/<name>`: what a request path begins with. */
  readonly at: string;
  /** The position of its shard. */
  readonly shard: number;
}

/** What a new workspace should be. */
export interface WorkspaceWish {
  readonly parent?: string;
  readonly name?: string;
  readonly type?: { readonly name: string; readonly path: string };
  /** Pins it to a shard; absent: kcp decides. */
  readonly shard?: number;
}

const UNIVERSAL = { name: 'universal', path: 'root' };

/** One backend with its users, shared by all cases of a run. */
export class Stage {
  readonly backend: Backend;
  /** The webhooks that cases have kcp call. */
  readonly webhooks: WebhookServer;
  readonly #doors: readonly [Door, ...Door[]];
  readonly #proxy: Door | undefined;
  readonly #callers: Caller[];
  readonly #shared = new Map<string, Promise<unknown>>();

  private constructor(made: {
    backend: Backend;
    webhooks: WebhookServer;
    doors: readonly [Door, ...Door[]];
    proxy: Door | undefined;
    callers: Caller[];
  }) {
    this.backend = made.backend;
    this.webhooks = made.webhooks;
    this.#doors = made.doors;
    this.#proxy = made.proxy;
    this.#callers = made.callers;
  }

  /** Makes the users' certificates. */
  static async open(backend: Backend): Promise<Stage> {
    patience.ms = backend.name.startsWith('embedded') ? 60_000 : 120_000;
    const certificates = {
      admin: await backend.clientCertificate({ name: 'kcp-admin', groups: ['system:kcp:admin'] }),
      masters: await backend.clientCertificate({ name: 'shard-admin', groups: ['system:masters'] }),
      alice: await backend.clientCertificate({ name: 'alice' }),
      bob: await backend.clientCertificate({ name: 'bob' }),
    };
    const callers: Caller[] = [];
    const [first, ...others] = backend.shards;
    const open = (url: string): Door => openDoor(backend, url, certificates, callers);
    const proxy = backend.proxyUrl === undefined ? undefined : open(backend.proxyUrl);
    const doors = [open(first.url), ...others.map(({ url }) => open(url))] as const;
    return new Stage({ backend, webhooks: await WebhookServer.start(), doors: [...doors], proxy, callers });
  }

  /** Whether this kcp is that version or a later one. */
  since(version: string): boolean {
    return isAtLeast(this.backend.version, version);
  }

  /** One shard's own listener. */
  shard(index = 0): Door {
    const door = this.#doors[index];
    if (door === undefined) throw new Error(`there is no shard ${index}: the case should say that it needs two`);
    return door;
  }

  /** The front-proxy; only for cases that need one. */
  get proxy(): Door {
    if (this.#proxy === undefined) throw new Error('there is no front-proxy: the case should say that it needs one');
    return this.#proxy;
  }

  /** Where users go: the front-proxy, or the only shard. */
  get front(): Door {
    return this.#proxy ?? this.#doors[0];
  }

  /** kcp-admin, where users go. */
  get admin(): Caller {
    return this.front.admin;
  }

  /** A unique name. */
  unique(prefix: string): string {
    return `${prefix}-${randomBytes(4).toString('hex')}`;
  }

  /** Makes something once per run, for all cases that only read it. */
  async shared<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = this.#shared.get(what) ?? make();
    this.#shared.set(what, made);
    return (await made) as T;
  }

  /** Makes a workspace and waits until it can be used at every listener. */
  async workspace(wish: WorkspaceWish = {}): Promise<Workspace> {
    const { parent = 'root', name = this.unique('w'), type = UNIVERSAL, shard } = wish;
    const workspaces = `/clusters/${parent}/apis/tenancy.kcp.io/v1alpha1/workspaces`;
    const location = shard === undefined ? {} : { location: { selector: { matchLabels: { name: this.backend.shards[shard]?.name } } } };
    await eventually(`workspace ${parent}:${name} may be created`, async () => {
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec: { type, ...location } };
      (await this.admin.post(workspaces, object)).expect(201);
    });
    return this.ready(parent, name);
  }

  /** Waits until a workspace is Ready and can be used. */
  async ready(parent: string, name: string): Promise<Workspace> {
    const found = await eventually(`workspace ${parent}:${name} is Ready`, async () => {
      const { body } = (await this.admin.get(`/clusters/${parent}/apis/tenancy.kcp.io/v1alpha1/workspaces/${name}`)).expect(200);
      if (at(body, 'status', 'phase') !== 'Ready') throw new Error(`phase ${String(at(body, 'status', 'phase'))}`);
      return body;
    });
    const cluster = String(at(found, 'spec', 'cluster'));
    const shardName = at(found, 'metadata', 'annotations', 'core.kcp.io/shard') ?? 'root';
    // Ready is said by the workspace's shard; the proxy learns of it a moment later.
    await eventually(`${parent}:${name} can be used`, async () => {
      for (const address of [cluster, `${parent}:${name}`]) {
        (await this.admin.get(`/clusters/${address}/api/v1/namespaces/default`)).expect(200);
      }
    });
    return {
      path: `${parent}:${name}`,
      cluster,
      at: `/clusters/${cluster}`,
      shard: Math.max(
        0,
        this.backend.shards.findIndex((shard) => shard.name === shardName),
      ),
    };
  }

  /** Ends every connection and the webhook server. */
  async close(): Promise<void> {
    this.webhooks.close();
    await Promise.all(this.#callers.map((caller) => caller.close()));
  }
}

function openDoor(backend: Backend, url: string, certificates: Readonly<Record<string, KeyPair>>, callers: Caller[]): Door {
  const caller = (credentials: Credentials): Caller => {
    const made = new Caller(url, backend.ca, credentials);
    callers.push(made);
    return made;
  };
  return {
    url,
    admin: caller(certificates['admin'] ?? {}),
    masters: caller(certificates['masters'] ?? {}),
    alice: caller(certificates['alice'] ?? {}),
    bob: caller(certificates['bob'] ?? {}),
    anonymous: caller({}),
    user: async (subject) => caller(await backend.clientCertificate(subject)),
    with: caller,
  };
}
