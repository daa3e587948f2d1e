// The workspaces that all seeds of a lane play in: providers whose types may refer to each other in every way, and their consumers.
import type { Tree } from '../https/kube-body.js';
import { GUARDS, RULES } from '../scenarios/rules.js';
import type { World } from '../scenarios/world.js';
import { eventually } from '../stage/eventually.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import { bind, served, type Export } from '../stage/exports.js';
import type { Workspace } from '../stage/stage.js';
import { HostileHome } from './hostile-home.js';
import type { Known } from './hostile-tenant.js';
import type { Field, ModelObject, ModelRule, ModelType } from './referenced.js';

const PROVIDERS = 3;
// Which providers each consumer has bound.
const CONSUMERS: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 1],
];

const text = { type: 'string' };
const reference = { type: 'object', properties: { name: text, namespace: text } };
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { ref: reference, refs: { type: 'array', items: reference }, peer: text } } },
};
// One reference is a printer column of things, so that both ways of listing are played.
const column = { name: 'Ref', type: 'string', jsonPath: '.spec.ref.name' };
const TYPES: readonly TypeToServe[] = [
  { plural: 'things', kind: 'Thing', scope: 'Namespaced', versions: [version('v1', schema, { additionalPrinterColumns: [column] })] },
  { plural: 'places', kind: 'Place', scope: 'Cluster', versions: [version('v1', schema)] },
];

const PATHS: Readonly<Record<Field, { readonly path: string; readonly namespacePath?: string }>> = {
  ref: { path: '.spec.ref.name', namespacePath: '.spec.ref.namespace' },
  refs: { path: '.spec.refs[*].name', namespacePath: '.spec.refs[*].namespace' },
  peer: { path: '.spec.peer' },
};

/** Who plays. */
export class Cast {
  readonly world: World;
  readonly consumers: readonly Workspace[];
  /** Whom no consumer has bound. */
  readonly hostile: HostileHome;
  readonly #providers: readonly Export[];
  /** The logical cluster of dep-ctrl's own workspace. */
  readonly #home: string;

  private constructor(
    world: World,
    made: { providers: readonly Export[]; consumers: readonly Workspace[]; hostile: HostileHome; home: string },
  ) {
    this.world = world;
    this.#home = made.home;
    this.#providers = made.providers;
    this.consumers = made.consumers;
    this.hostile = made.hostile;
  }

  /** Makes the workspaces, spread over the shards. */
  static async assemble(world: World): Promise<Cast> {
    const shards = world.kcp.backend.shards.length;
    const providers = await Promise.all(
      Array.from({ length: PROVIDERS }, async (_, at) => {
        const workspace = await world.kcp.workspace({ shard: at % shards });
        return world.provider({ name: groupOf(at), group: groupOf(at), types: TYPES, workspace }, { bound: false });
      }),
    );
    const homes = providers.map(({ workspace }) => workspace);
    await Promise.all(homes.map((home) => world.bindOnly(home)));
    await world.grantReading(...homes);
    const consumers = await Promise.all(
      CONSUMERS.map(async (bound, at) => {
        const workspace = await world.kcp.workspace({ shard: (at + 1) % shards });
        for (const provider of providers.filter((_, number) => bound.includes(number))) await bind(world.kcp, workspace, provider);
        for (const provider of bound) {
          for (const { plural } of TYPES) await served(world.kcp, `${workspace.at}/apis/${groupOf(provider)}/v1/${plural}`);
        }
        return workspace;
      }),
    );
    await consentTo(world, providers);
    return new Cast(world, { providers, consumers, hostile: await HostileHome.settle(world), home: await world.homeCluster() });
  }

  /** Where requests about this cast go: other seeds are played beside it, and what breaks here is not to break there. */
  get addresses(): readonly string[] {
    const own = [...this.#providers.map(({ workspace }) => workspace), ...this.consumers];
    return [...own.map(({ cluster }) => `/clusters/${cluster}`), `/services/apiexport/${this.#home}`];
  }

  /** What a hostile tenant may know of the cast. */
  known(rules: () => readonly string[]): Known {
    const workspaces = [...this.#providers.map(({ workspace }) => workspace), ...this.consumers];
    return { workspaces, groups: this.#providers.map((_, at) => groupOf(at)), rules };
  }

  /** The types of a consumer. */
  typesOf(consumer: number): readonly ModelType[] {
    return (CONSUMERS[consumer] ?? []).flatMap((provider) => [
      { provider, resource: 'things' as const },
      { provider, resource: 'places' as const },
    ]);
  }

  /** All types. */
  get types(): readonly ModelType[] {
    return this.typesOf(0);
  }

  /** Where objects of a type are created. */
  collectionOf({ consumer, type, namespace }: Pick<ModelObject, 'consumer' | 'type' | 'namespace'>): string {
    const at = `${this.consumers[consumer]?.at ?? ''}/apis/${groupOf(type.provider)}/v1`;
    return namespace === undefined ? `${at}/${type.resource}` : `${at}/namespaces/${namespace}/${type.resource}`;
  }

  /** Where an object is. */
  pathOf(object: ModelObject): string {
    return `${this.collectionOf(object)}/${object.name}`;
  }

  /** Where rules about a dependent type are. */
  rulesOf({ provider }: ModelType): string {
    return (this.#providers[provider]?.workspace.at ?? '') + RULES;
  }

  /** An object as it is written. */
  manifest({ type, name, references }: ModelObject): Tree {
    const [ref] = references.ref;
    const [peer] = references.peer;
    return {
      apiVersion: `${groupOf(type.provider)}/v1`,
      kind: kindOf(type),
      metadata: { name },
      spec: { ...(ref === undefined ? {} : { ref }), refs: references.refs, ...(peer === undefined ? {} : { peer: peer.name }) },
    };
  }

  /** A rule as it is written. */
  ruleManifest(name: string, { dependent, dependency, field, readsNamespace, enforcement }: ModelRule): Tree {
    const { path, namespacePath } = PATHS[field];
    const group = groupOf(dependent.provider);
    return {
      apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
      kind: 'DependencyRule',
      metadata: { name },
      spec: {
        dependent: { apiExportName: group, group, version: 'v1', kind: kindOf(dependent), resource: dependent.resource },
        dependencies: [
          {
            apiExportRef: { path: this.#providers[dependency.provider]?.workspace.path, name: groupOf(dependency.provider) },
            group: groupOf(dependency.provider),
            version: 'v1',
            resource: dependency.resource,
            fieldRef: { path, ...(readsNamespace ? { namespacePath } : {}) },
          },
        ],
        enforcement,
      },
    };
  }
}

/** The first provider admits by name those who may hold its resources: it has others beside it than the cast. */
async function consentTo({ kcp }: World, providers: readonly Export[]): Promise<void> {
  const [first] = providers;
  const spec = { allowRulesFrom: providers.map(({ workspace }) => workspace.path) };
  const guard = {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyGuard',
    metadata: { name: 'dependency-controller' },
    spec,
  };
  await eventually('consent is written', async () => {
    (await kcp.admin.post(`${first?.workspace.at ?? ''}${GUARDS}`, guard)).expect(201);
  });
}

function groupOf(provider: number): string {
  return `p${provider}.example.com`;
}

function kindOf({ resource }: ModelType): string {
  return resource === 'things' ? 'Thing' : 'Place';
}
