import { setTimeout as sleep } from 'node:timers/promises';
import { isKcpError, listAll, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { NETWORK, zone } from '../stage/example-types.js';
import type { Workspace } from '../stage/stage.js';
import { clusterNamed } from './connect.js';
import type { Accepted, Truth } from './verdict.js';

/** The type that is written and followed. */
export const ZONES: GroupVersionResource = { group: NETWORK, version: 'v1', resource: 'zones' };

const PAUSE_MS = 40;
const PATIENCE_MS = 2_000;

/** Writes zones one after the other for as long as it runs, and remembers which writes kcp has confirmed, and when. */
export class Writer {
  readonly #client: ClusterClient;
  readonly #cluster: string;
  readonly #accepted: (Accepted & { readonly atMs: number })[] = [];
  readonly #removed = new Set<string>();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(connection: Connection, { cluster }: Workspace) {
    this.#cluster = cluster;
    this.#client = connection.cluster(clusterNamed(cluster));
  }

  /** How many writes kcp has confirmed. */
  get count(): number {
    return this.#accepted.length + this.#removed.size;
  }

  /** The confirmed writes of objects, with the time of the answer. */
  get accepted(): readonly (Accepted & { readonly atMs: number })[] {
    return this.#accepted;
  }

  start(): void {
    this.#running = this.#writeAll();
  }

  /** Ends the writing. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Ends the writing and reads what there is. */
  async finish(): Promise<Truth> {
    await this.end();
    const { objects } = await listAll(this.#client, ZONES, {}, { signal: new AbortController().signal });
    return {
      accepted: this.#accepted,
      removed: this.#removed,
      objects: new Map(objects.map((object) => [this.#name(object.metadata.name), revisionOf(object)])),
    };
  }

  async #writeAll(): Promise<void> {
    await this.#insist(() => this.#write('create', 'counter', 0));
    for (let turn = 1; !this.#stop.signal.aborted; turn += 1) {
      // Names are never used twice, so that of what happened to each there is no doubt.
      const name = `z${String(turn)}`;
      const isThere = await this.#attempt(() => this.#write('create', name, turn));
      await this.#attempt(() => this.#write('patch', 'counter', turn));
      if (isThere && turn % 3 === 0) await this.#attempt(() => this.#remove(name));
      await sleep(PAUSE_MS);
    }
  }

  async #write(verb: 'create' | 'patch', name: string, turn: number): Promise<void> {
    const options = { signal: new AbortController().signal, timeoutMs: PATIENCE_MS };
    const region = `r${String(turn)}`;
    const body = { spec: { region } };
    const written = await (verb === 'create'
      ? this.#client.create(ZONES, { ...zone(name), ...body, metadata: { name } }, options)
      : this.#client.patch(ZONES, { name }, { kind: 'merge', body }, options));
    this.#accepted.push({ object: this.#name(name), revision: revisionOf(written), atMs: performance.now() });
  }

  async #remove(name: string): Promise<void> {
    // Remembered before it is known to have worked: an object that is gone need not be told of.
    this.#removed.add(this.#name(name));
    await this.#client.delete(ZONES, { name }, { signal: new AbortController().signal, timeoutMs: PATIENCE_MS });
  }

  /** What kcp refuses while it is away does not count; answers whether it was accepted. */
  async #attempt(write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (failure) {
      if (!isKcpError(failure)) throw failure;
      return false;
    }
  }

  async #insist(write: () => Promise<void>): Promise<void> {
    while (!(await this.#attempt(write))) await sleep(PAUSE_MS);
  }

  #name(name: string | undefined): string {
    return `${this.#cluster}/${String(name)}`;
  }
}

/** The resource version as the number that it is on every kcp. */
export function revisionOf({ metadata }: KubeObject): number {
  const revision = Number(metadata.resourceVersion);
  if (!Number.isSafeInteger(revision)) throw new Error(`${String(metadata.resourceVersion)} is no number`);
  return revision;
}
