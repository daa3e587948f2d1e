import {
  ExportEndpoints,
  type Connection,
  type EndpointEvent,
  type Freshness,
  type Observed,
  type ReflectorBounds,
  type ReflectorEvent,
} from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey } from '@dep-ctrl/kcp-names';
import type { Export } from '../stage/exports.js';
import { clusterNamed } from './connect.js';
import type { Told } from './verdict.js';
import { revisionOf, ZONES } from './writer.js';

/** Follows the zones of all consumers of an export, as a controller would, and keeps all that it is told. */
export class Follower {
  readonly withdrawn: string[] = [];
  readonly #told = new Map<string, Told[]>();
  readonly #stop = new AbortController();
  readonly #endpoints: ExportEndpoints;
  readonly #ended: Promise<void>;

  constructor(connection: Connection, target: Export, bounds: Partial<ReflectorBounds> = {}) {
    this.#endpoints = new ExportEndpoints({
      connection,
      workspace: connection.cluster(clusterNamed(target.workspace.cluster)),
      exportName: target.name,
      types: [ZONES],
      onEvent: (event) => this.#take(event),
      bounds,
    });
    this.#ended = this.#endpoints.run(this.#stop.signal);
  }

  /** The addresses of the endpoints. */
  get urls(): readonly string[] {
    return [...this.#endpoints.state().endpoints.keys()];
  }

  /** What was told of an endpoint. */
  told(url: string): readonly Told[] {
    return this.#told.get(url) ?? [];
  }

  /** How fresh the knowledge of an endpoint is. */
  freshness(url: string): Freshness {
    const found = [...this.#endpoints.state().endpoints].find(([endpoint]) => endpoint === url);
    const freshness = found?.[1].get(groupVersionResourceKey(ZONES));
    if (freshness === undefined) throw new Error(`${url} is not followed`);
    return freshness;
  }

  /** The endpoint that told of a logical cluster. */
  endpointOf(cluster: string): string {
    const url = this.urls.find((candidate) => this.told(candidate).some((entry) => tellsOf(entry, cluster)));
    if (url === undefined) throw new Error(`no endpoint told of ${cluster}`);
    return url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  #take(event: EndpointEvent): void {
    if (event.kind === 'withdrawn') this.withdrawn.push(event.endpoint);
    if (event.kind !== 'observed') return;
    const told = this.#told.get(event.endpoint) ?? [];
    this.#told.set(event.endpoint, told);
    told.push(toldOf(event.event));
  }
}

/** What an event told, and that it was now. */
export function toldOf(event: ReflectorEvent): Told {
  const atMs = performance.now();
  switch (event.kind) {
    case 'replaced':
      return { atMs, kind: event.kind, objects: new Map(event.objects.map((observed) => [nameOf(observed), revisionOf(observed.object)])) };
    case 'applied':
    case 'deleted':
      return { atMs, kind: event.kind, object: nameOf(event.object), revision: revisionOf(event.object.object) };
    case 'undecodable':
      throw new Error(`undecodable: ${event.problem}`);
    default:
      return event satisfies never;
  }
}

function tellsOf(entry: Told, cluster: string): boolean {
  const names = entry.kind === 'replaced' ? [...entry.objects.keys()] : [entry.object];
  return names.some((name) => name.startsWith(`${cluster}/`));
}

function nameOf({ cluster, object }: Observed): string {
  return `${cluster}/${String(object.metadata.name)}`;
}
