// Follows an APIExport on all shards: one reflector for its endpoint slice, and one per endpoint and type. Every shard has its own endpoint and its own
// resourceVersions, so endpoints share nothing. named-endpoints.ts decides what the slice means. A shard that does not answer only makes its endpoint less
// fresh.
import { groupVersionResourceKey, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Clock } from '../time/clock.js';
import type { ClusterClient } from '../connection/cluster-client.js';
import type { Connection } from '../connection/connection.js';
import type { EndpointEvent, EndpointsState, SliceState } from './endpoint-event.js';
import { silentLogger, type Logger } from '../running/logger.js';
import { nameEndpoints, NOTHING_NAMED, type NamedEndpoints } from './named-endpoints.js';
import { Reflector, type ReflectorBounds, type ReflectorOptions } from '../watch/reflector.js';
import type { ReflectorEvent, TakeEvent } from '../watch/reflector-event.js';
import type { Runnable } from '../running/run-all.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';

/** What to follow. */
export interface ExportEndpointsOptions {
  /** Makes the clients of the endpoints. */
  readonly connection: Pick<Connection, 'virtualWorkspace'>;
  /** The workspace of the export. */
  readonly workspace: ClusterClient;
  readonly exportName: string;
  /** The APIExportEndpointSlice. Default: named like the export, as kcp makes it. */
  readonly sliceName?: string | undefined;
  /** What to watch at every endpoint. */
  readonly types: readonly GroupVersionResource[];
  /** What to keep of an object of a type; undefined: it is as if it were not there. Default: all of it. */
  readonly keep?: ((type: GroupVersionResource, object: KubeObject) => KubeObject | undefined) | undefined;
  /** How to parse what is large, of a type; the slice is parsed at one go. Default: `JSON.parse`. */
  readonly parseLarge?: ((type: GroupVersionResource, json: Buffer, form: 'list' | 'event') => Promise<unknown>) | undefined;
  /** Called for every event, in order per endpoint. What it throws ends `run`. */
  readonly onEvent: TakeEvent<EndpointEvent>;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
  readonly bounds?: Partial<ReflectorBounds> | undefined;
}

/** The type of the slices. */
const SLICES: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' };

// Where the workspace was deleted and made again under the same path, a watch of the slices goes on and has bookmarks for ever. A list of one object is
// cheap: there is one behind each watch.
const SLICE_BOUNDS: Partial<ReflectorBounds> = { watchSeconds: 10, unheardMs: 0 };

interface Endpoint {
  readonly reflectors: ReadonlyMap<string, Reflector>;
  readonly stop: AbortController;
}

/** Follows all endpoints of an APIExport and what is to be seen there. */
export class ExportEndpoints implements Runnable {
  readonly #options: ExportEndpointsOptions;
  readonly #logger: Logger;
  readonly #slice: Reflector;
  #named: NamedEndpoints = NOTHING_NAMED;
  readonly #endpoints = new Map<VirtualWorkspaceUrl, Endpoint>();
  readonly #running = new Set<Promise<void>>();
  #group = new AbortController();
  readonly #failures: unknown[] = [];

  constructor(options: ExportEndpointsOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#slice = new Reflector({
      ...reflectorOptions(options),
      client: options.workspace,
      type: SLICES,
      query: { fieldSelector: `metadata.name=${options.sliceName ?? options.exportName}` },
      bounds: { ...SLICE_BOUNDS, ...options.bounds },
      onEvent: (event) => this.#takeSlice(event),
    });
  }

  /** What is known now, and how fresh it is. */
  state(): EndpointsState {
    const freshness = [...this.#endpoints].map(
      ([url, { reflectors }]) => [url, new Map([...reflectors].map(([key, reflector]) => [key, reflector.freshness()]))] as const,
    );
    return { slice: this.#sliceState(), sliceFreshness: this.#slice.freshness(), endpoints: new Map(freshness) };
  }

  /** Follows until the signal aborts; then everything has ended. Rejects only for what `onEvent` throws. */
  async run(signal: AbortSignal): Promise<void> {
    this.#group = new AbortController();
    const watched = AbortSignal.any([signal, this.#group.signal]);
    for (const [url, endpoint] of this.#endpoints) this.#start(url, endpoint);
    try {
      await this.#slice.run(watched);
    } catch (failure) {
      this.#failures.push(failure);
    }
    this.#group.abort();
    await Promise.all(this.#running);
    const failures = this.#failures.splice(0);
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several watches broke');
  }

  #sliceState(): SliceState {
    if (this.#named.slice !== 'unknown') return { kind: this.#named.slice };
    const { lastError } = this.#slice.freshness();
    return lastError === undefined ? { kind: 'unknown' } : { kind: 'unknown', lastError };
  }

  #takeSlice(event: ReflectorEvent): void {
    const first = this.#named.slice === 'unknown';
    const { named, appeared, withdrawn, problems } = nameEndpoints(this.#named, event);
    this.#named = named;
    for (const problem of problems) this.#logger.warn('endpoint slice not understood', { problem });
    for (const url of withdrawn) this.#withdraw(url);
    for (const url of appeared) this.#appear(url);
    const known = named.slice !== 'unknown';
    if (known && (first || appeared.length > 0 || withdrawn.length > 0))
      this.#options.onEvent({ kind: 'named', endpoints: [...named.endpoints.keys()] });
  }

  #appear(url: VirtualWorkspaceUrl): void {
    const stop = new AbortController();
    const client = this.#options.connection.virtualWorkspace(url).wildcard();
    const reflectors = this.#options.types.map((type) => {
      const onEvent = (event: ReflectorEvent): void => {
        // A withdrawn endpoint's last bytes may still be on their way.
        if (!stop.signal.aborted) this.#options.onEvent({ kind: 'observed', endpoint: url, type, event });
      };
      const { keep, parseLarge } = this.#options;
      const keeping: Pick<ReflectorOptions, 'keep' | 'parseLarge'> = {
        ...(keep === undefined ? {} : { keep: (object) => keep(type, object) }),
        ...(parseLarge === undefined ? {} : { parseLarge: (json, form) => parseLarge(type, json, form) }),
      };
      return [
        groupVersionResourceKey(type),
        new Reflector({ ...reflectorOptions(this.#options), ...keeping, client, type, onEvent }),
      ] as const;
    });
    const endpoint = { reflectors: new Map(reflectors), stop };
    this.#endpoints.set(url, endpoint);
    this.#logger.info('endpoint appeared', { endpoint: url });
    this.#options.onEvent({ kind: 'appeared', endpoint: url });
    this.#start(url, endpoint);
  }

  #withdraw(url: VirtualWorkspaceUrl): void {
    this.#endpoints.get(url)?.stop.abort();
    this.#endpoints.delete(url);
    this.#logger.info('endpoint withdrawn', { endpoint: url });
    this.#options.onEvent({ kind: 'withdrawn', endpoint: url });
  }

  #start(url: VirtualWorkspaceUrl, { reflectors, stop }: Endpoint): void {
    const signal = AbortSignal.any([this.#group.signal, stop.signal]);
    for (const reflector of reflectors.values()) {
      const running = reflector.run(signal).catch((failure: unknown) => {
        this.#logger.error('a watch of an endpoint broke', { endpoint: url });
        this.#failures.push(failure);
        this.#group.abort();
      });
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }
}

function reflectorOptions({ clock, random, logger, bounds }: ExportEndpointsOptions): {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly bounds?: Partial<ReflectorBounds>;
} {
  return {
    ...(clock === undefined ? {} : { clock }),
    ...(random === undefined ? {} : { random }),
    ...(logger === undefined ? {} : { logger }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}
