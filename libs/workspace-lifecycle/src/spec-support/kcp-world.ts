// A kcp with a WorkspaceType, workspaces of it, and controllers, for specs.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection, systemClock, type ClusterClient, type LogFields, type Logger } from '@dep-ctrl/kcp-client';
import { parseWorkspacePath, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { LifecycleController, type LifecycleControllerOptions, type WaitingWorkspace } from '../index.js';
import { clusterName } from './seen.js';

const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const TYPES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' };
const LOGICAL_CLUSTERS = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
const { signal } = new AbortController();

/** A reference to a type. */
export interface TypeRef {
  readonly name: string;
  readonly path: string;
}

/** The type that every workspace extends. */
export const UNIVERSAL: TypeRef = { name: 'universal', path: 'root' };

/** A path that is one. */
export function pathOf(text: string): WorkspacePath {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}

/** What a controller said, and a promise for the moment when it said enough. */
export class Said implements Logger {
  readonly lines: string[] = [];
  readonly debug = (message: string, fields?: LogFields): void => this.#take('debug', message, fields);
  readonly info = (message: string, fields?: LogFields): void => this.#take('info', message, fields);
  readonly warn = (message: string, fields?: LogFields): void => this.#take('warn', message, fields);
  readonly error = (message: string, fields?: LogFields): void => this.#take('error', message, fields);

  /** The lines at a level that contain a text. */
  of(level: string, text = ''): readonly string[] {
    return this.lines.filter((line) => line.startsWith(`${level} `) && line.includes(text));
  }

  #take(level: string, message: string, fields: LogFields = {}): void {
    this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  }
}

/** A controller that runs. */
export interface Running {
  readonly controller: LifecycleController;
  readonly said: Said;
  /** Stops it and waits until it has ended; rejects with what broke it. */
  readonly stop: () => Promise<void>;
}

/** One kcp, its admin, and the type `ordered` in root:home. */
export class KcpWorld {
  readonly kcp: EmbeddedKcp;
  readonly admin: Connection;
  readonly #connections: Connection[] = [];
  #running: Running[] = [];
  #round = 0;

  private constructor(kcp: EmbeddedKcp) {
    this.kcp = kcp;
    this.admin = this.connectAs('kcp-admin', ['system:kcp:admin']);
  }

  static async start(shards: 1 | 2 = 1): Promise<KcpWorld> {
    const world = new KcpWorld(await EmbeddedKcp.start({ delays: 'fast', shards }));
    // On the first shard: while the shard of a type is away, kcp lets nobody new follow the workspaces of the type on others.
    await world.#make('home', UNIVERSAL, 'root');
    await world.#ready('home');
    return world;
  }

  /** A name of this test alone: all of them share the kcp. */
  named(name: string): string {
    return `${name}-${this.#round}`;
  }

  /** Ends what the last test left running; names are new from here on. */
  async next(): Promise<void> {
    await Promise.allSettled(this.#running.map((one) => one.stop()));
    this.#running = [];
    this.#round += 1;
  }

  /** A reference to a type in root:home. */
  typed(name: string): TypeRef {
    return { name: this.named(name), path: 'root:home' };
  }

  /** A connection of another user. */
  connectAs(user: string, groups: readonly string[] = []): Connection {
    const credentials = { ca: this.kcp.ca, token: this.kcp.token(user, groups) };
    const connection = new Connection({ server: this.kcp.baseUrl, credentials });
    this.#connections.push(connection);
    return connection;
  }

  get root(): ClusterClient {
    return this.admin.cluster(clusterName('root'));
  }

  get home(): ClusterClient {
    return this.admin.cluster(pathOf('root:home'));
  }

  /** Makes root:platform with a type `ordered`, and a workspace `team` of that type; answers with the cluster of the workspace. */
  async platform(spec: object): Promise<string> {
    await this.#make('platform', UNIVERSAL);
    await this.#ready('platform');
    const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: 'ordered' }, spec };
    await this.admin.cluster(pathOf('root:platform')).create(TYPES, object, { signal });
    return this.workspace('team', { name: 'ordered', path: 'root:platform' });
  }

  /** Makes a type in root:home. */
  async type(name: string, spec: object): Promise<void> {
    const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: this.named(name) }, spec };
    await this.home.create(TYPES, object, { signal });
  }

  removeType(name: string): Promise<void> {
    return this.home.delete(TYPES, { name: this.named(name) }, { signal });
  }

  /** Makes a workspace below root and answers with its cluster, once it is ready. */
  async workspace(name: string, type = this.typed('ordered'), shard?: string): Promise<string> {
    await this.#make(this.named(name), type, shard);
    return this.#ready(this.named(name));
  }

  remove(name: string): Promise<void> {
    return this.root.delete(WORKSPACES, { name: this.named(name) }, { signal });
  }

  /** Waits until a workspace below root is gone. */
  async gone(...wanted: readonly string[]): Promise<void> {
    const names = wanted.map((name) => this.named(name));
    await until(async () => {
      for await (const page of this.root.list(WORKSPACES, {}, { signal })) {
        if (page.objects().some(({ metadata }) => names.includes(metadata.name ?? ''))) return undefined;
      }
      return true;
    });
  }

  /** The lists of a workspace, as its admin reads them. */
  async listed(cluster: string, list: 'terminators' | 'initializers' = 'terminators'): Promise<readonly string[]> {
    const { status } = await this.admin.cluster(clusterName(cluster)).get(LOGICAL_CLUSTERS, { name: 'cluster' }, { signal });
    return (status as Readonly<Record<string, readonly string[] | undefined>>)[list] ?? [];
  }

  /** Whatever may be granted in root:home. */
  async grant(who: string, rules: readonly object[]): Promise<void> {
    const user = this.named(who);
    const rbac = (resource: string): typeof TYPES => ({ group: 'rbac.authorization.k8s.io', version: 'v1', resource });
    const object = (more: object): KubeObject => ({ metadata: { name: user }, ...more });
    const access = { nonResourceURLs: ['/'], verbs: ['access'] };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user };
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }];
    await this.home.create(rbac('clusterroles'), object({ rules: [...rules, access] }), { signal });
    await this.home.create(rbac('clusterrolebindings'), object({ roleRef, subjects }), { signal });
  }

  /** Starts a controller of the type `ordered`. */
  run(
    handle: LifecycleControllerOptions['handle'],
    options: Partial<LifecycleControllerOptions> & { readonly as?: Connection } = {},
  ): Running {
    const { as = this.admin, ...more } = options;
    const said = new Said();
    const controller = new LifecycleController({
      connection: as,
      workspace: as.cluster(pathOf('root:home')),
      typeName: this.named('ordered'),
      kind: 'terminating',
      handle,
      logger: said,
      backoff: { firstMs: 10, factor: 2, capMs: 100 },
      ...more,
    });
    const stop = new AbortController();
    const ended = controller.run(stop.signal);
    ended.catch(() => undefined);
    const running = {
      controller,
      said,
      stop: () => {
        stop.abort();
        return ended;
      },
    };
    this.#running.push(running);
    return running;
  }

  async stop(): Promise<void> {
    await this.next();
    await Promise.all(this.#connections.map((connection) => connection.close()));
    await this.kcp.stop();
  }

  async #make(name: string, type: TypeRef, shard?: string): Promise<void> {
    const location = shard === undefined ? {} : { location: { selector: { matchLabels: { name: shard } } } };
    const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec: { type, ...location } };
    await until(() => this.root.create(WORKSPACES, object, { signal }).catch(() => undefined));
  }

  #ready(name: string): Promise<string> {
    return until(async () => {
      const { spec, status } = await this.root.get(WORKSPACES, { name }, { signal });
      return phaseOf(status) === 'Ready' ? (spec as { readonly cluster: string }).cluster : undefined;
    });
  }
}

/** The clusters that a function was called for, in order, and what it does then. */
export class Calls {
  readonly clusters: string[] = [];
  readonly handle = async (workspace: WaitingWorkspace, options: { readonly signal: AbortSignal }): Promise<void> => {
    this.clusters.push(workspace.cluster);
    await this.#work(workspace, options.signal);
  };
  readonly #work: (workspace: WaitingWorkspace, signal: AbortSignal) => Promise<void>;

  constructor(work: (workspace: WaitingWorkspace, signal: AbortSignal) => Promise<void> = () => Promise.resolve()) {
    this.#work = work;
  }
}

/** Looks again and again until there is something. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await systemClock.sleep(5, { signal });
  }
}

function phaseOf(status: unknown): unknown {
  return typeof status === 'object' && status !== null && 'phase' in status ? status.phase : undefined;
}
