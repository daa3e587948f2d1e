// Follows a WorkspaceType and the LogicalClusters in each of its virtual workspaces: one watch of the type, one per shard. named-views.ts decides what the
// type means. A shard that does not answer only makes its own watch less fresh.
import {
  Reflector,
  silentLogger,
  VirtualWorkspace,
  type Clock,
  type ClusterClient,
  type Freshness,
  type Logger,
  type ReflectorBounds,
  type ReflectorEvent,
  type Requester,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { CLUSTER_ANNOTATION, PATH_ANNOTATION, recordAt, type KubeObject } from '@dep-ctrl/kcp-names';
import { explainedClient } from './explained-client.js';
import { entriesOf } from './held-entry.js';
import { LIFECYCLE_WORDS, LOGICAL_CLUSTERS, WORKSPACE_TYPES, type LifecycleKind } from './lifecycle-kind.js';
import { missingRight, type RefusedAsk } from './missing-right.js';
import { nameViews, NOTHING_NAMED, type NamedViews } from './named-views.js';

/** What to follow, and who is told. */
export interface TypeViewsOptions {
  readonly connection: Requester;
  /** The workspace of the type. */
  readonly workspace: ClusterClient;
  readonly typeName: string;
  readonly kind: LifecycleKind;
  /** What a virtual workspace tells of its LogicalClusters. */
  readonly onClusters: (url: VirtualWorkspaceUrl, event: ReflectorEvent, named: NamedType) => void;
  readonly onWithdrawn: (url: VirtualWorkspaceUrl) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly bounds?: Partial<ReflectorBounds>;
}

/** What is known of the type when a virtual workspace tells something. */
export interface NamedType {
  readonly entry: string;
  readonly namesPermissions: boolean;
}

interface View {
  readonly reflector: Reflector;
  readonly stop: AbortController;
}

// As for endpoint slices: where the workspace of the type was made again under its path, a watch goes on with bookmarks for ever. A list of one object is cheap.
const TYPE_BOUNDS: Partial<ReflectorBounds> = { watchSeconds: 10, unheardMs: 0 };

/** Follows the virtual workspaces of a type. */
export class TypeViews implements Runnable {
  readonly #options: TypeViewsOptions;
  readonly #logger: Logger;
  readonly #type: Reflector;
  readonly #views = new Map<VirtualWorkspaceUrl, View>();
  readonly #running = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];
  #group = new AbortController();
  #named: NamedViews = NOTHING_NAMED;

  constructor(options: TypeViewsOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#type = new Reflector({
      ...reflectorOptions(options),
      client: explainedClient(options.workspace, (error) => this.#advice(error, 'type')),
      type: WORKSPACE_TYPES,
      query: { fieldSelector: `metadata.name=${options.typeName}` },
      bounds: { ...TYPE_BOUNDS, ...options.bounds },
      onEvent: (event) => this.#takeType(event),
    });
  }

  /** What the type says. */
  get named(): NamedViews {
    return this.#named;
  }

  /** How fresh the watch of the type is, and each of the others. */
  freshness(): { readonly type: Freshness; readonly views: ReadonlyMap<VirtualWorkspaceUrl, Freshness> } {
    const views = [...this.#views].map(([url, { reflector }]) => [url, reflector.freshness()] as const);
    return { type: this.#type.freshness(), views: new Map(views) };
  }

  /** Follows until the signal aborts. Rejects only for what the listeners throw. */
  async run(signal: AbortSignal): Promise<void> {
    this.#group = new AbortController();
    const end = (): void => this.#group.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    for (const [url, view] of this.#views) this.#start(url, view);
    try {
      await this.#type.run(this.#group.signal);
    } catch (failure) {
      this.#failures.push(failure);
    } finally {
      signal.removeEventListener('abort', end);
      this.#group.abort();
    }
    await Promise.all(this.#running);
    const failures = this.#failures.splice(0);
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several watches broke');
  }

  #takeType(event: ReflectorEvent): void {
    const { typeName, kind, onWithdrawn } = this.#options;
    const before = this.#named.type;
    const { views, appeared, withdrawn, problems } = nameViews(this.#named, event, kind);
    this.#named = views;
    for (const problem of problems) this.#logger.warn('virtual workspace of the type not used', { type: typeName, problem });
    if (views.type === 'gone' && before !== 'gone') this.#logger.warn('workspace type not found', { type: typeName });
    for (const url of withdrawn) {
      this.#views.get(url)?.stop.abort();
      this.#views.delete(url);
      this.#logger.info('virtual workspace withdrawn', { type: typeName, endpoint: url });
      onWithdrawn(url);
    }
    for (const url of appeared) this.#appear(url);
  }

  #appear(url: VirtualWorkspaceUrl): void {
    const stop = new AbortController();
    const client = new VirtualWorkspace(this.#options.connection, url).wildcard();
    const reflector = new Reflector({
      ...reflectorOptions(this.#options),
      ...(this.#options.bounds === undefined ? {} : { bounds: this.#options.bounds }),
      client: explainedClient(client, (error) => this.#advice(error, 'view')),
      type: LOGICAL_CLUSTERS,
      keep: (object) => keptOf(object, this.#options.kind),
      onEvent: (event) => {
        const { entry, namesPermissions } = this.#named;
        if (!stop.signal.aborted && entry !== undefined) this.#options.onClusters(url, event, { entry, namesPermissions });
      },
    });
    const view = { reflector, stop };
    this.#views.set(url, view);
    this.#logger.info('virtual workspace appeared', { type: this.#options.typeName, endpoint: url });
    this.#start(url, view);
  }

  #start(url: VirtualWorkspaceUrl, { reflector, stop }: View): void {
    const running = reflector.run(AbortSignal.any([this.#group.signal, stop.signal])).catch((failure: unknown) => {
      this.#logger.error('a watch of a virtual workspace broke', { endpoint: url });
      this.#failures.push(failure);
      this.#group.abort();
    });
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  #advice(error: unknown, asked: RefusedAsk): string | undefined {
    const { kind, typeName } = this.#options;
    return missingRight(error, asked, { kind, typeName, namesPermissions: this.#named.namesPermissions });
  }
}

/** What is kept of a LogicalCluster: who it is, whether it dies, how far that has got, and for what it waits. Its owner may write other annotations. */
function keptOf(object: KubeObject, kind: LifecycleKind): KubeObject {
  const { name, uid, resourceVersion, deletionTimestamp } = object.metadata;
  const annotations = Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).filter(([key]) => key === CLUSTER_ANNOTATION || key === PATH_ANNOTATION),
  );
  const kept = Object.entries({ name, uid, resourceVersion, deletionTimestamp, annotations }).filter(([, value]) => value !== undefined);
  return {
    metadata: Object.fromEntries(kept),
    status: { phase: recordAt(object, 'status')['phase'], [LIFECYCLE_WORDS[kind].list]: entriesOf(object, kind) },
  };
}

function reflectorOptions({ clock, random, logger }: TypeViewsOptions): {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
} {
  return {
    ...(clock === undefined ? {} : { clock }),
    ...(random === undefined ? {} : { random }),
    ...(logger === undefined ? {} : { logger }),
  };
}
