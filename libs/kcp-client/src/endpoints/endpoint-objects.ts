/*
 * The objects that the endpoints show now, each with its cluster and its endpoint. Unparsed. A relist replaces all objects of an endpoint at once. Objects of
 * a withdrawn endpoint stay until they are proven gone.
 */
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Observed, ReflectorEvent } from '../watch/reflector-event.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';

/** One object as an endpoint shows it. */
export interface Seen {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly cluster: LogicalClusterName;
  readonly object: KubeObject;
}

/** One object that may have changed. */
export interface TouchedObject<Kind extends string> {
  readonly kind: Kind;
  readonly cluster: LogicalClusterName;
  readonly name: string;
}

/** What readers may ask. */
export interface EndpointObjectsReader<Kind extends string> {
  all(kind: Kind): Iterable<Seen>;
  get(kind: Kind, cluster: LogicalClusterName, name: string): Seen | undefined;
  inCluster(kind: Kind, cluster: LogicalClusterName): readonly Seen[];
  /** Whether the endpoint has listed this kind at least once. */
  hasListed(endpoint: VirtualWorkspaceUrl, kind: Kind): boolean;
  endpoints(): readonly VirtualWorkspaceUrl[];
}

type ByCluster = Map<LogicalClusterName, Map<string, KubeObject>>;

/** The store. One writer feeds it with the events of the watches; all others get it as a reader. `Kind`: the kinds that are watched. */
export class EndpointObjects<Kind extends string> implements EndpointObjectsReader<Kind> {
  readonly #endpoints = new Map<VirtualWorkspaceUrl, Map<Kind, ByCluster>>();

  *all(kind: Kind): Iterable<Seen> {
    for (const [endpoint, kinds] of this.#endpoints) {
      for (const [cluster, objects] of kinds.get(kind) ?? []) {
        for (const object of objects.values()) yield { endpoint, cluster, object };
      }
    }
  }

  get(kind: Kind, cluster: LogicalClusterName, name: string): Seen | undefined {
    for (const [endpoint, kinds] of this.#endpoints) {
      const object = kinds.get(kind)?.get(cluster)?.get(name);
      if (object !== undefined) return { endpoint, cluster, object };
    }
    return undefined;
  }

  inCluster(kind: Kind, cluster: LogicalClusterName): readonly Seen[] {
    return [...this.#endpoints].flatMap(([endpoint, kinds]) =>
      [...(kinds.get(kind)?.get(cluster)?.values() ?? [])].map((object) => ({ endpoint, cluster, object })),
    );
  }

  hasListed(endpoint: VirtualWorkspaceUrl, kind: Kind): boolean {
    return this.#endpoints.get(endpoint)?.has(kind) ?? false;
  }

  /** Takes in what a watch says. Returns what may have changed. */
  apply(endpoint: VirtualWorkspaceUrl, kind: Kind, event: ReflectorEvent): readonly TouchedObject<Kind>[] {
    switch (event.kind) {
      case 'replaced':
        return this.#replace(endpoint, kind, event.objects);
      case 'applied':
        return this.#set(endpoint, kind, event.object);
      case 'deleted':
        return this.#delete(endpoint, kind, event.object);
      case 'undecodable':
        return [];
      default:
        return event satisfies never;
    }
  }

  /** The endpoints that showed anything. */
  endpoints(): readonly VirtualWorkspaceUrl[] {
    return [...this.#endpoints.keys()];
  }

  /** The clusters that an endpoint showed anything of. */
  clustersAt(endpoint: VirtualWorkspaceUrl): ReadonlySet<LogicalClusterName> {
    return new Set([...(this.#endpoints.get(endpoint)?.values() ?? [])].flatMap((clusters) => [...clusters.keys()]));
  }

  /** Forgets what withdrawn endpoints showed of a cluster that is proven gone, and the endpoints that hold nothing any more. */
  forgetWithdrawn(cluster: LogicalClusterName, withdrawn: readonly VirtualWorkspaceUrl[]): void {
    for (const endpoint of withdrawn) {
      for (const clusters of this.#endpoints.get(endpoint)?.values() ?? []) clusters.delete(cluster);
      if (this.clustersAt(endpoint).size === 0) this.#endpoints.delete(endpoint);
    }
  }

  #replace(endpoint: VirtualWorkspaceUrl, kind: Kind, objects: readonly Observed[]): readonly TouchedObject<Kind>[] {
    const kinds = this.#kinds(endpoint);
    const before = kinds.get(kind) ?? new Map<LogicalClusterName, Map<string, KubeObject>>();
    const after: ByCluster = new Map();
    for (const observed of objects) put(after, observed);
    kinds.set(kind, after);
    const changed = touchedIn(kind, after).filter(({ cluster, name }) => {
      const version = before.get(cluster)?.get(name)?.metadata.resourceVersion;
      return version === undefined || version !== after.get(cluster)?.get(name)?.metadata.resourceVersion;
    });
    const gone = touchedIn(kind, before).filter(({ cluster, name }) => !after.get(cluster)?.has(name));
    return [...changed, ...gone];
  }

  #set(endpoint: VirtualWorkspaceUrl, kind: Kind, observed: Observed): readonly TouchedObject<Kind>[] {
    put(this.#clusters(endpoint, kind), observed);
    return [touched(kind, observed)];
  }

  #delete(endpoint: VirtualWorkspaceUrl, kind: Kind, observed: Observed): readonly TouchedObject<Kind>[] {
    const clusters = this.#clusters(endpoint, kind);
    const objects = clusters.get(observed.cluster);
    if (objects?.delete(nameOf(observed.object)) !== true) return [];
    if (objects.size === 0) clusters.delete(observed.cluster);
    return [touched(kind, observed)];
  }

  #kinds(endpoint: VirtualWorkspaceUrl): Map<Kind, ByCluster> {
    const found = this.#endpoints.get(endpoint) ?? new Map<Kind, ByCluster>();
    this.#endpoints.set(endpoint, found);
    return found;
  }

  #clusters(endpoint: VirtualWorkspaceUrl, kind: Kind): ByCluster {
    const kinds = this.#kinds(endpoint);
    const found: ByCluster = kinds.get(kind) ?? new Map<LogicalClusterName, Map<string, KubeObject>>();
    kinds.set(kind, found);
    return found;
  }
}

function put(clusters: ByCluster, { cluster, object }: Observed): void {
  const objects = clusters.get(cluster) ?? new Map<string, KubeObject>();
  objects.set(nameOf(object), object);
  clusters.set(cluster, objects);
}

function touchedIn<Kind extends string>(kind: Kind, clusters: ByCluster): readonly TouchedObject<Kind>[] {
  return [...clusters].flatMap(([cluster, objects]) => [...objects.keys()].map((name) => ({ kind, cluster, name })));
}

function touched<Kind extends string>(kind: Kind, { cluster, object }: Observed): TouchedObject<Kind> {
  return { kind, cluster, name: nameOf(object) };
}

function nameOf(object: KubeObject): string {
  return object.metadata.name ?? '';
}
