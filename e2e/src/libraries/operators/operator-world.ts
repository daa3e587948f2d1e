// An export, workspaces that bind it, zones that are written there all the time, and the operators that look after them.
import { deepEqual } from 'node:assert/strict';
import { isKcpError, listAll, type Connection } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { zone } from '../../stage/example-types.js';
import { eventually, patience } from '../../stage/eventually.js';
import { consumerOf, makeExport, type Export } from '../../stage/exports.js';
import type { Workspace } from '../../stage/stage.js';
import { clusterNamed } from '../connect.js';
import type { Library } from '../library-case.js';
import { Writer, ZONES } from '../writer.js';
import { judgeZones, OBSERVED_ZONE, type KcpZone, type ZonesVerdict } from './observed-zones.js';
import { ZonesOperator, type ZonesOperatorOptions } from './zones-operator.js';

const FEW_WRITES = 40;
const SIDE_BY_SIDE = 10;

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** What a case of operators works with. */
export class OperatorWorld implements AsyncDisposable {
  readonly target: Export;
  readonly #connection: Connection;
  readonly #consumers: readonly Workspace[];
  readonly #writers: readonly Writer[];
  readonly #running: Running[] = [];

  private constructor(connection: Connection, target: Export, consumers: readonly Workspace[]) {
    this.#connection = connection;
    this.target = target;
    this.#consumers = consumers;
    this.#writers = consumers.map((consumer) => new Writer(connection, consumer));
    for (const writer of this.#writers) writer.start();
  }

  /** An export on the first shard, bound by a workspace on each of these shards, in which zones come, change and go. */
  static async open({ kcp, connection }: Library, shards: readonly number[]): Promise<OperatorWorld> {
    const target = await makeExport(kcp, { workspace: await kcp.workspace({ shard: 0 }), types: [OBSERVED_ZONE] });
    const consumers = await Promise.all(shards.map((shard) => consumerOf(kcp, target, { shard, types: [OBSERVED_ZONE] })));
    return new OperatorWorld(connection, target, consumers);
  }

  /** The workspaces that bind the export. */
  get clusters(): readonly LogicalClusterName[] {
    return this.#consumers.map(({ cluster }) => clusterNamed(cluster));
  }

  /** Starts an operator in this process. */
  start(options: Partial<ZonesOperatorOptions> = {}): ZonesOperator {
    const operator = new ZonesOperator({
      connection: this.#connection,
      workspace: this.#connection.cluster(clusterNamed(this.target.workspace.cluster)),
      exportName: this.target.name,
      identity: 'in-process',
      ...options,
    });
    const stop = new AbortController();
    this.#running.push({ stop, ended: operator.run(stop.signal) });
    return operator;
  }

  /** Waits until kcp has confirmed some more writes in each workspace. */
  async written(): Promise<void> {
    const enough = this.#writers.map((writer) => writer.count + FEW_WRITES);
    await until('kcp takes writes', () => this.#writers.every((writer, index) => writer.count >= (enough[index] ?? 0)));
  }

  /** Writes one zone, however long kcp takes to accept that. */
  async write(consumer: number, name: string, region: string): Promise<void> {
    const client = this.#connection.cluster(this.#cluster(consumer));
    const options = { signal: AbortSignal.timeout(patience.ms), timeoutMs: 5_000 };
    await eventually(`${name} is written`, async () => {
      try {
        await client.create(ZONES, { ...zone(name), metadata: { name }, spec: { region } }, options);
      } catch (error) {
        if (!isKcpError(error, 'already-exists')) throw error;
        await client.patch(ZONES, { name }, { kind: 'merge', body: { spec: { region } } }, options);
      }
    });
  }

  /** Writes that many zones, several at a time. */
  async writeMany(consumer: number, count: number, region: string): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `many-${String(index)}`);
    const lane = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await this.write(consumer, name, region);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  }

  /** Ends the writing, and waits until the operator has seen everything: the law. Says how much that was. */
  async settled(operator: ZonesOperator): Promise<string> {
    await this.#endWriting();
    await eventually('the operator has seen everything', async () => {
      deepEqual(await this.#verdict(operator), { unseen: [], different: [] });
    });
    const writes = this.#writers.reduce((sum, { count }) => sum + count, 0);
    return `${String(writes)} writes, ${String(operator.zones.size)} zones in the end, all as they should be`;
  }

  /** Ends the writing, and waits until the operator has seen everything but one zone. */
  async onlyUnseen(operator: ZonesOperator, name: string): Promise<void> {
    await this.#endWriting();
    await eventually(`all but ${name} is seen`, async () => {
      deepEqual(await this.#verdict(operator), { unseen: [`${this.#cluster(0)}/${name}`], different: [] });
    });
  }

  /** What kcp has, without an operator in this process. */
  async settledByOthers(): Promise<void> {
    await this.#endWriting();
    await eventually('all is seen', async () => {
      const zones = await this.#zones();
      deepEqual(judgeZones(zones, []).unseen, []);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endWriting();
    for (const { stop, ended } of this.#running) {
      stop.abort();
      await ended;
    }
  }

  async #endWriting(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.end()));
  }

  async #verdict(operator: ZonesOperator): Promise<ZonesVerdict> {
    return judgeZones(await this.#zones(), operator.zones.list());
  }

  async #zones(): Promise<readonly KcpZone[]> {
    const lists = this.clusters.map(async (cluster) => {
      const { objects } = await listAll(this.#connection.cluster(cluster), ZONES, {}, { signal: AbortSignal.timeout(10_000) });
      return objects.map((object) => ({ cluster, object }));
    });
    return (await Promise.all(lists)).flat();
  }

  #cluster(consumer: number): LogicalClusterName {
    const cluster = this.clusters[consumer];
    if (cluster === undefined) throw new Error(`there is no consumer ${String(consumer)}`);
    return cluster;
  }
}

/** Waits until something is so. */
export async function until(what: string, isSo: () => boolean, withinMs?: number): Promise<void> {
  await eventually(what, () => (isSo() ? Promise.resolve() : Promise.reject(new Error('not so'))), withinMs);
}
