// The workspaces of the deletes that go through kcp: two providers of targets, one guarded by dep-ctrl and one by the naive webhook; a
// provider of machines, which refer to targets; one small consumer that binds all three. The targets exist, and are really deleted.

import { systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import {
  workspacePath,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
// The app exports nothing; these are the steps that its own commands take.
/* eslint-disable @nx/enforce-module-boundaries */
import { bindDepCtrl } from '../../../apps/dep-ctrl/src/bind/bind-dep-ctrl.js';
import { bindExport } from '@dep-ctrl/exported-types';
import { bootstrapExport } from '../../../apps/dep-ctrl/src/bootstrap/bootstrap-export.js';
import {
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  deleteIfExists,
  ensureObject,
  ensureWorkspace,
  getIfExists,
  patiently,
  removeWorkspace,
} from '@dep-ctrl/kcp-objects';
/* eslint-enable @nx/enforce-module-boundaries */
import {
  apiExport,
  EXPORTED,
  EXTRAS,
  groupOf,
  MACHINE_OBJECTS,
  MACHINES,
  REFERRED,
  rule,
  schema,
  target,
  TARGETS,
  type Provider,
} from './review-deletes-objects.js';

const WRITERS = 16;
const PROVIDERS: readonly Provider[] = ['ours', 'naive', 'machines'];

const options = { clock: systemClock, signal: new AbortController().signal };
const patience = { ...options, timeoutMs: 60_000 };

/** The workspaces and what is in them. */
export class DeletesWorld {
  readonly connection: Connection;
  readonly depCtrl: WorkspacePath;
  readonly #hasColumn: boolean;
  readonly #paths: Readonly<Record<Provider | 'consumer', WorkspacePath>>;
  #consumer: LogicalClusterName | undefined;

  /** With a column, machines show what they refer to. */
  constructor(connection: Connection, { hasColumn }: { readonly hasColumn: boolean }) {
    this.connection = connection;
    this.#hasColumn = hasColumn;
    const path = (name: string): WorkspacePath => workspacePath(`root:deletes-bench-${process.pid}-${name}`);
    this.depCtrl = path('dep-ctrl');
    this.#paths = { ours: path('ours'), naive: path('naive'), machines: path('machines'), consumer: path('consumer') };
  }

  /** The workspace in which targets are deleted. */
  get consumer(): LogicalClusterName {
    if (this.#consumer === undefined) throw new Error('make the world first');
    return this.#consumer;
  }

  /** Makes the providers, the consumer, its machines, and the targets that they refer to. No rule yet. */
  async make(): Promise<void> {
    const { connection, depCtrl } = this;
    const depCtrlExport = await bootstrapExport({ connection, path: depCtrl, ...options, adopt: true, onEnsured: () => undefined });
    await Promise.all(PROVIDERS.map((provider) => this.#makeProvider(provider)));
    this.#consumer = (await ensureWorkspace(connection, this.#paths.consumer, options)).cluster;
    await Promise.all([
      ...(['ours', 'machines'] as const).map((provider) => bindDepCtrl(this.#client(provider), depCtrlExport, options)),
      ...PROVIDERS.map((provider) => this.#bindInConsumer(provider)),
    ]);
    await this.#write(MACHINES, MACHINE_OBJECTS);
    for (const each of [TARGETS.ours, TARGETS.naive, EXTRAS]) await this.writeTargets(each, REFERRED);
  }

  /** Writes targets in the consumer. */
  async writeTargets(of: GroupVersionResource, names: readonly string[]): Promise<void> {
    await this.#write(
      of,
      names.map((name) => target(of, name)),
    );
  }

  /** Declares that machines refer to a type of the provider that dep-ctrl guards. Resolves when kcp has answered. */
  async addRule(of: GroupVersionResource): Promise<void> {
    const desired = rule(of, this.#paths.ours);
    await patiently('the rule', () => this.#client('machines').create(RULES, desired, options), patience);
  }

  /** Deletes that rule. */
  async removeRule(of: GroupVersionResource): Promise<void> {
    await deleteIfExists(this.#client('machines'), RULES, rule(of, this.#paths.ours).metadata, options);
  }

  /** Whether dep-ctrl has no guard and no configuration in the provider that it guards. */
  async isUnguarded(): Promise<boolean> {
    const left = [GUARDS, WEBHOOK_CONFIGURATIONS].map((of) => getIfExists(this.#client('ours'), of, { name: GUARD_NAME }, options));
    return (await Promise.all(left)).every((each) => each === undefined);
  }

  /** Writes a configuration by hand, in the provider of the naive side. Resolves when kcp has answered. */
  async install(configuration: KubeObject): Promise<void> {
    await this.#client('naive').create(WEBHOOK_CONFIGURATIONS, configuration, options);
  }

  /** Deletes that configuration. */
  async withdraw({ metadata }: KubeObject): Promise<void> {
    await deleteIfExists(this.#client('naive'), WEBHOOK_CONFIGURATIONS, metadata, options);
  }

  /** Removes every workspace. Answers what went wrong: kcp may take more than a minute, and goes on by itself. */
  async remove(): Promise<readonly string[]> {
    const problems: string[] = [];
    const { consumer, ...providers } = this.#paths;
    for (const step of [[consumer], Object.values(providers), [this.depCtrl]]) {
      const removals = step.map((each) =>
        removeWorkspace(this.connection, each, options).catch((failure: unknown) => problems.push(String(failure))),
      );
      await Promise.all(removals);
    }
    return problems;
  }

  #client(provider: Provider): ClusterClient {
    return this.connection.cluster(this.#paths[provider]);
  }

  async #makeProvider(provider: Provider): Promise<void> {
    await ensureWorkspace(this.connection, this.#paths[provider], options);
    const client = this.#client(provider);
    const schemas = EXPORTED[provider].map((each) => schema(each, { hasColumn: this.#hasColumn }));
    const exporting = async (): Promise<void> => {
      for (const each of schemas) await ensureObject(client, API_RESOURCE_SCHEMAS, each, options);
      await ensureObject(client, API_EXPORTS, apiExport(provider), options);
    };
    await patiently('the export', exporting, patience);
  }

  async #bindInConsumer(provider: Provider): Promise<void> {
    const exported = { path: this.#paths[provider], name: groupOf(provider) };
    await bindExport(this.connection.cluster(this.consumer), { export: exported, claims: [] }, options);
  }

  async #write(of: GroupVersionResource, objects: readonly KubeObject[]): Promise<void> {
    const client = this.connection.cluster(this.consumer);
    const left = [...objects];
    const writer = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const object = next;
        await patiently('an object', () => client.create(of, object, options), patience);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }
}
