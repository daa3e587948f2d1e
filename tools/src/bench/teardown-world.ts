// The workspaces of the teardown bench: dep-ctrl with its WorkspaceType, the two providers, the rule, and workspaces that are made to be deleted.

import { execFile } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bindExport } from '@dep-ctrl/exported-types';
import { atMost, isKcpError, systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import { workspacePath, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  ensureObject,
  ensureWorkspace,
  patiently,
  removeWorkspace,
  until,
  WORKSPACES,
} from '@dep-ctrl/kcp-objects';
import { RULES } from '@dep-ctrl/rule-registry';
import type { KcpAdmin } from './review-kubeconfig.js';
import { TeardownEnds } from './teardown-ends.js';
import { apiExport, FINALIZER, rule, schema, stockObjects, TYPES, type Provider, type Stock } from './teardown-objects.js';

/** Workspaces of our type; the same of kcp's own type; and those in which nothing refers to anything: what kcp itself takes at least. */
export type Kind = 'ordered' | 'plain' | 'unreferenced';

/** A workspace with objects in it. */
export interface Stocked {
  readonly name: string;
  readonly cluster: LogicalClusterName;
  readonly kind: Kind;
}

const TYPE = 'dependency-ordered';
const WRITERS = 16;
const PROVIDERS: readonly Provider[] = ['networks', 'machines'];
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };

const { signal } = new AbortController();
// Many writers at a time wait for it.
setMaxListeners(0, signal);
const options = { clock: systemClock, signal };
// kcp makes many workspaces at a time more slowly.
const patience = { ...options, timeoutMs: 300_000 };

/** The workspaces and what is in them. */
export class TeardownWorld {
  readonly connection: Connection;
  readonly ends: TeardownEnds;
  readonly depCtrl: WorkspacePath;
  readonly #admin: KcpAdmin;
  readonly #parent: WorkspacePath;
  readonly #paths: Readonly<Record<Provider, WorkspacePath>>;
  #made = 0;

  private constructor(connection: Connection, admin: KcpAdmin, path: (name: string) => WorkspacePath) {
    this.connection = connection;
    this.#admin = admin;
    this.depCtrl = path('dep-ctrl');
    this.#parent = path('consumers');
    this.#paths = { networks: path('networks'), machines: path('machines') };
    this.ends = new TeardownEnds(connection.cluster(this.#parent), TYPE);
  }

  /** Installs dep-ctrl as its users do, and makes both providers. No role runs yet, and there is no rule. */
  static async make(connection: Connection, admin: KcpAdmin, bundle: string): Promise<TeardownWorld> {
    const path = (name: string): WorkspacePath => workspacePath(`root:teardown-bench-${process.pid}-${name}`);
    await ensureWorkspace(connection, path('consumers'), options);
    const world = new TeardownWorld(connection, admin, path);
    await Promise.all(PROVIDERS.map((provider) => world.#makeProvider(provider)));
    await world.#run(bundle, 'bootstrap', '--ordered-teardown');
    await world.#run(bundle, 'bind', ...PROVIDERS.map((provider) => world.#paths[provider]));
    return world;
  }

  /** Declares that machines refer to networks. */
  async addRule(): Promise<void> {
    const desired = rule(this.#paths.networks);
    await patiently('the rule', () => ensureObject(this.connection.cluster(this.#paths.machines), RULES, desired, options), patience);
  }

  /** A workspace with objects in it, and one more machine that is held, if that is wanted. */
  async stocked(kind: Kind, stock: Stock, { isHeld = false } = {}): Promise<Stocked> {
    const name = `${kind}-${(this.#made += 1)}`;
    const type = kind === 'ordered' ? { type: { name: TYPE, path: this.depCtrl } } : {};
    const workspace = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec: type };
    await patiently('a workspace', () => this.connection.cluster(this.#parent).create(WORKSPACES, workspace, options), patience);
    const cluster = await this.ends.ready(name);
    const client = this.connection.cluster(cluster);
    for (const provider of PROVIDERS) {
      const exported = { path: this.#paths[provider], name: TYPES[provider].group };
      await patiently('a binding', () => bindExport(client, { export: exported, claims: [] }, options), patience);
    }
    await write(client, stockObjects(stock, kind !== 'unreferenced'), isHeld);
    return { name, cluster, kind };
  }

  /** Waits until a delete of what is referred to is refused there. */
  async isGuarded({ cluster }: Stocked): Promise<void> {
    const client = this.connection.cluster(cluster);
    const ref = { name: 'net-0', namespace: 'default' };
    const probe = async () => {
      try {
        await client.delete(TYPES.networks, ref, { ...options, dryRun: true });
        return { waitingFor: 'a delete is not refused' };
      } catch (error) {
        if (isKcpError(error, 'forbidden')) return { done: true };
        throw error;
      }
    };
    await until('the rule in force', probe, patience);
  }

  /** Begins to delete it. Answers when. */
  async delete({ name }: Stocked): Promise<number> {
    const atMs = performance.now();
    await this.connection.cluster(this.#parent).delete(WORKSPACES, { name }, options);
    return atMs;
  }

  /** Takes the finalizer off the machine that is held. Answers when. */
  async release({ cluster }: Stocked): Promise<number> {
    const patch = { kind: 'merge', body: { metadata: { finalizers: null } } } as const;
    await this.connection.cluster(cluster).patch(TYPES.machines, { name: 'held', namespace: 'default' }, patch, options);
    return performance.now();
  }

  /** Removes everything. Answers what went wrong. */
  async remove(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const path of [this.#parent, ...PROVIDERS.map((provider) => this.#paths[provider]), this.depCtrl])
      await removeWorkspace(this.connection, path, options).catch((failure: unknown) => problems.push(String(failure)));
    return problems;
  }

  async #makeProvider(provider: Provider): Promise<void> {
    await ensureWorkspace(this.connection, this.#paths[provider], options);
    const client = this.connection.cluster(this.#paths[provider]);
    const exporting = async (): Promise<void> => {
      await ensureObject(client, API_RESOURCE_SCHEMAS, schema(provider), options);
      await ensureObject(client, API_EXPORTS, apiExport(provider), options);
    };
    await patiently('the export', exporting, patience);
  }

  async #run(bundle: string, command: string, ...args: readonly string[]): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'teardown-bench-'));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, this.#admin.kubeconfigFor('root'));
    try {
      await promisify(execFile)(process.execPath, [bundle, command, '--kubeconfig', kubeconfig, '--workspace', this.depCtrl, ...args]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

async function write(
  client: ClusterClient,
  { namespaces, networks, machines }: ReturnType<typeof stockObjects>,
  isHeld: boolean,
): Promise<void> {
  for (const name of namespaces) await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, options);
  await writeAll(client, 'networks', networks);
  await writeAll(client, 'machines', machines);
  const [first] = machines;
  if (!isHeld || first === undefined) return;
  await writeAll(client, 'machines', [{ ...first, metadata: { ...first.metadata, name: 'held', finalizers: [FINALIZER] } }]);
}

async function writeAll(client: ClusterClient, provider: Provider, objects: readonly KubeObject[]): Promise<void> {
  await atMost(WRITERS, objects, (object) => patiently('an object', () => client.create(TYPES[provider], object, options), patience));
}
