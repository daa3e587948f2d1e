// The workspaces of a lane: providers whose types may refer to each other in every way, and their consumers. Each is made when a seed first wants it,
// and used again by later seeds; before a seed begins, consumers have bound what its topology says.
import { equal } from 'node:assert/strict';
import { GUARDS, RULES } from '../scenarios/rules.js';
import type { World } from '../scenarios/world.js';
import { eventually } from '../stage/eventually.js';
import { APIS, bind, served, type Export } from '../stage/exports.js';
import type { Workspace } from '../stage/stage.js';
import { HostileHome } from './hostile-home.js';
import type { Known } from './hostile-tenant.js';
import { exportedTypes, groupOf } from './manifests.js';
import type { Bound, ObjectKey } from './script/state.js';
import { PROVIDERS, shapeOf, type Topology, type Version } from './script/topology.js';

const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** A consumer, and what is there for later seeds to use. */
interface Consumer {
  readonly workspace: Workspace;
  readonly bound: Set<number>;
  readonly namespaces: Set<string>;
}

/** Who plays. */
export class Cast {
  readonly world: World;
  /** Whom no consumer has bound. */
  readonly hostile: HostileHome;
  readonly #providers = new Map<number, Export>();
  readonly #members = new Set<number>();
  /** Providers whose types the webhook may read. */
  readonly #readable = new Set<number>();
  readonly #consumers = new Map<number, Consumer>();
  #run = 0;

  private constructor(world: World, hostile: HostileHome) {
    this.world = world;
    this.hostile = hostile;
  }

  /** Makes what every seed needs. */
  static async assemble(world: World): Promise<Cast> {
    return new Cast(world, await HostileHome.settle(world));
  }

  /** Makes the workspaces of a topology be there and be bound as it says. Names are new ones from here on. */
  async open({ providers, consumers }: Topology): Promise<void> {
    this.#run += 1;
    // One after the other: a real kcp that is asked for many workspaces at once has none of them ready for minutes.
    for (const provider of providers) await this.#makeProvider(provider);
    for (const { consumer } of consumers) await this.#makeConsumer(consumer);
    await this.#admit(providers);
    await Promise.all(
      consumers.map(async ({ consumer, binds }) => {
        const { bound } = this.#consumerOf(consumer);
        const surplus = [...bound].filter((provider) => !binds.includes(provider));
        const missing = binds.filter((provider) => !bound.has(provider));
        await Promise.all([
          ...surplus.map((provider) => this.unbind({ consumer, provider }, () => Promise.resolve())),
          ...missing.map((provider) => this.bind({ consumer, provider })),
        ]);
      }),
    );
  }

  /** A name of this run. */
  nameOf = (name: string): string => `${name}-${this.#run}`;

  /** What a hostile tenant may know of the cast. */
  known(rules: () => readonly string[]): Known {
    return { workspaces: this.#workspaces(), groups: [...this.#providers.keys()].map(groupOf), rules };
  }

  /** The workspace of a provider. */
  provider(number: number): Workspace {
    const provider = this.#providers.get(number);
    if (provider === undefined) throw new Error(`provider ${number} is not part of this topology`);
    return provider.workspace;
  }

  /** The workspace of a consumer. */
  consumer(number: number): Workspace {
    return this.#consumerOf(number).workspace;
  }

  /** Where a provider's rules are. */
  rulesOf(provider: number): string {
    return this.provider(provider).at + RULES;
  }

  /** The only guard of a provider. */
  guardOf(provider: number): string {
    return `${this.provider(provider).at}${GUARDS}/dependency-controller`;
  }

  /** Where a consumer's binding to a provider is. */
  bindingOf({ consumer, provider }: Bound): string {
    return `${this.consumer(consumer).at}${APIS}/apibindings/${groupOf(provider)}`;
  }

  /** Where the Workspace object of a consumer is. */
  workspaceOf(consumer: number): string {
    return `${WORKSPACES}/${this.consumer(consumer).path.split(':').at(-1) ?? ''}`;
  }

  /** Where the objects of a type are, in one version. */
  collectionOf({ consumer, type, namespace }: Omit<ObjectKey, 'name'>, version: Version): string {
    const at = `${this.consumer(consumer).at}/apis/${groupOf(type.provider)}/${version}`;
    return namespace === undefined ? `${at}/${type.resource}` : `${at}/namespaces/${this.nameOf(namespace)}/${type.resource}`;
  }

  /** Where an object is, in one version. */
  pathOf(key: ObjectKey, version: Version = shapeOf(key.type).served[0]): string {
    return `${this.collectionOf(key, version)}/${this.nameOf(key.name)}`;
  }

  /** Where a namespace is. */
  namespaceOf({ consumer, namespace }: { readonly consumer: number; readonly namespace: string }): string {
    return `${this.consumer(consumer).at}/api/v1/namespaces/${this.nameOf(namespace)}`;
  }

  /** Has a namespace be there. */
  async namespace(consumer: number, namespace: string): Promise<void> {
    const { workspace, namespaces } = this.#consumerOf(consumer);
    const name = this.nameOf(namespace);
    if (namespaces.has(name)) return;
    (await this.world.kcp.admin.post(`${workspace.at}/api/v1/namespaces`, { metadata: { name } })).expect(201);
    namespaces.add(name);
  }

  /** A namespace is gone. */
  forgetNamespace(consumer: number, namespace: string): void {
    this.#consumerOf(consumer).namespaces.delete(this.nameOf(namespace));
  }

  /** Binds a provider and waits until its types are served. */
  async bind({ consumer, provider }: Bound): Promise<void> {
    const { workspace, bound } = this.#consumerOf(consumer);
    const target = this.#providers.get(provider);
    if (target === undefined) throw new Error(`provider ${provider} is not part of this topology`);
    await bind(this.world.kcp, workspace, target);
    for (const { resource, served: versions } of PROVIDERS[provider] ?? []) {
      for (const version of versions) await served(this.world.kcp, this.collectionOf({ consumer, type: { provider, resource } }, version));
    }
    bound.add(provider);
  }

  /** Lets go of a provider; `meanwhile` ends when all objects of the binding may go. */
  async unbind(binding: Bound, meanwhile: () => Promise<void>): Promise<void> {
    const path = this.bindingOf(binding);
    const { admin } = this.world.kcp;
    (await admin.delete(path)).expect(200);
    await meanwhile();
    await eventually(`${path} is gone`, async () => equal((await admin.get(path)).status, 404));
    this.#consumerOf(binding.consumer).bound.delete(binding.provider);
  }

  /** The workspace of a consumer is gone; a later seed that wants it gets another one. */
  forgetConsumer(consumer: number): void {
    this.#consumers.delete(consumer);
  }

  /** Has a provider bind dep-ctrl, which may take a moment. */
  async join(provider: number): Promise<void> {
    await this.world.bindOnly(this.provider(provider));
    this.#members.add(provider);
  }

  /** Has a provider let go of dep-ctrl, with its rules and its guard. */
  async leave(provider: number): Promise<void> {
    const path = `${this.provider(provider).at}${APIS}/apibindings/dep-ctrl`;
    const { admin } = this.world.kcp;
    (await admin.delete(path)).expect(200);
    await eventually(`${path} is gone`, async () => equal((await admin.get(path)).status, 404));
    this.#members.delete(provider);
  }

  /** Takes back what providers wrote. */
  async forgetRules(): Promise<void> {
    const { admin } = this.world.kcp;
    await Promise.all(
      [...this.#members].map(async (provider) => {
        const { items = [] } = (await admin.get(this.rulesOf(provider))).expect(200).body;
        await Promise.all(items.map(({ metadata }) => admin.delete(`${this.rulesOf(provider)}/${metadata.name ?? ''}`)));
        await admin.patch('json', this.guardOf(provider), [{ op: 'remove', path: '/spec' }]);
      }),
    );
  }

  /** After what went wrong, nobody knows what is in the consumers' workspaces: later seeds get others. Throws where that does not suffice. */
  async mend(): Promise<void> {
    const { admin } = this.world.kcp;
    await this.forgetRules();
    await Promise.all([...this.#consumers.keys()].map((consumer) => admin.delete(this.workspaceOf(consumer))));
    this.#consumers.clear();
  }

  async #makeProvider(number: number): Promise<void> {
    const { kcp } = this.world;
    if (this.#providers.has(number)) return;
    const workspace = await kcp.workspace({ shard: number % kcp.backend.shards.length });
    const wish = { name: groupOf(number), group: groupOf(number), types: exportedTypes(number), workspace };
    this.#providers.set(number, await this.world.provider(wish, { bound: false }));
  }

  async #makeConsumer(number: number): Promise<void> {
    const { kcp } = this.world;
    if (this.#consumers.has(number)) return;
    // Spread over the shards in another way than the providers, so that some are beside theirs and some are not.
    const workspace = await kcp.workspace({ shard: (number >> 1) % kcp.backend.shards.length });
    this.#consumers.set(number, { workspace, bound: new Set<number>(), namespaces: new Set<string>() });
  }

  /** Has all of them bind dep-ctrl, and the webhook read what they export. */
  async #admit(numbers: readonly number[]): Promise<void> {
    await Promise.all(numbers.filter((number) => !this.#members.has(number)).map((number) => this.join(number)));
    const unread = numbers.filter((number) => !this.#readable.has(number));
    if (unread.length === 0) return;
    await this.world.grantReading(...unread.map((number) => this.provider(number)));
    for (const number of unread) this.#readable.add(number);
  }

  #consumerOf(number: number): Consumer {
    const consumer = this.#consumers.get(number);
    if (consumer === undefined) throw new Error(`consumer ${number} is not there`);
    return consumer;
  }

  #workspaces(): readonly Workspace[] {
    return [
      ...[...this.#providers.values()].map(({ workspace }) => workspace),
      ...[...this.#consumers.values()].map(({ workspace }) => workspace),
    ];
  }
}
