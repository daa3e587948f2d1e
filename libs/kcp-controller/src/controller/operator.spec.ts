// An operator on a kcp of two shards: each fault, and then the statuses that it wrote compared with a model.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeaderElector, runAll, type ClusterClient, type ReflectorBounds } from '@dep-ctrl/kcp-client';
import { isRecord } from '@dep-ctrl/kcp-names';
import { applyVpc, EXPORT, insistently, KcpWorld, parseVpc, until, VPCS, type Vpc } from '../spec-support/kcp-world.js';
import { keepingLogger } from '../spec-support/widgets.js';
import { ExportStores } from '../store/export-stores.js';
import type { Stored } from '../store/stored.js';
import { createController } from './create-controller.js';
import type { ReconcileContext } from './controller-options.js';
import { Leadership } from './leadership.js';

const NAMES = ['a', 'b', 'c', 'd'];
const BOUNDS: Partial<ReflectorBounds> = { watchSeconds: 1, silenceMs: 3_000 };
const signal = AbortSignal.timeout(600_000);

let world: KcpWorld;
let consumers: readonly ClusterClient[];

beforeAll(async () => {
  world = await KcpWorld.start();
  await world.exporter('root:net');
  consumers = await Promise.all([world.consumer('root:one', 'root:net', 'root'), world.consumer('root:two', 'root:net', 'shard-1')]);
}, 60_000);

afterAll(() => world[Symbol.asyncDispose]());

describe('an operator that writes what it read into the status', () => {
  it('given changes on two shards, then every last one is seen', async () => {
    await using operator = new Operator();

    await applyAll('10.1');

    await operator.settled('10.1');
  }, 30_000);

  it('given a shard that is away, then the other one goes on, and what was written before it came back is seen', async () => {
    await using operator = new Operator();
    await applyAll('10.2');
    await operator.settled('10.2');
    const shard = world.kcp.shards[1]!;
    await applyAll('10.3', [consumers[1]!]);

    await shard.stop();
    await applyAll('10.3', [consumers[0]!]);
    await operator.settled('10.3', [consumers[0]!]);
    expect(operator.vpcs.size).toBe(2 * NAMES.length);
    await shard.start();

    await operator.settled('10.3');
  }, 60_000);

  it('given a shard that is away when it starts, then it starts without, and takes the shard in later', async () => {
    await applyAll('10.4');
    const shard = world.kcp.shards[1]!;
    await shard.stop();
    await using operator = new Operator();

    await operator.settled('10.4', [consumers[0]!]);
    expect(operator.logger.lines.some((line) => line.startsWith('starting without an endpoint'))).toBe(true);
    await shard.start();

    await operator.settled('10.4');
  }, 60_000);

  it('given every kind of restart, frozen watches and history that is forgotten, while it writes, then nothing is lost', async () => {
    await using operator = new Operator();
    for (const [round, fault] of [restart, freeze, compact, restart].entries()) {
      const writing = applyAll(`10.${String(10 + round)}`);
      await fault();
      await writing;
    }

    await operator.settled('10.13');
  }, 120_000);

  it('given objects that do not parse, then the others are reconciled, each is told once, and mended ones are reconciled', async () => {
    await using operator = new Operator();
    await applyAll('10.20');
    await operator.settled('10.20');

    await applyVpc(consumers[0]!, 'a', 'none');
    await applyVpc(consumers[1]!, 'b', '10.21');
    await until(async () => (await statusOf(consumers[1]!, 'b')) === '10.21');
    await until(() => operator.logger.lines.some((line) => line.includes('spec.cidr is no address')));
    await restart();
    await applyVpc(consumers[1]!, 'b', '10.20');
    await until(async () => (await statusOf(consumers[1]!, 'b')) === '10.20');
    expect(operator.logger.lines.filter((line) => line.includes('spec.cidr is no address'))).toHaveLength(1);
    await applyVpc(consumers[0]!, 'a', '10.20');

    await operator.settled('10.20');
  }, 60_000);

  it('given a reconcile that throws every third time, hangs once and blocks the event loop once, then nothing is lost', async () => {
    let runs = 0;
    await using operator = new Operator({
      timeLimitMs: 200,
      before: () => {
        runs += 1;
        if (runs === 2) return new Promise(() => undefined);
        if (runs === 5) for (const end = performance.now() + 1_800; performance.now() < end;);
        return runs % 3 === 0 ? Promise.reject(new Error('out of order')) : Promise.resolve();
      },
    });
    await until(() => operator.controller.state().hung === 1);
    const hanging = operator.hanging!;

    await applyAll('10.30');

    await until(async () => (await wrong('10.30')).length <= 1);
    expect((await wrong('10.30')).filter((each) => each !== hanging)).toEqual([]);
    expect(operator.logger.lines.filter((line) => line.includes('did not end in time'))).toHaveLength(1);
    expect(operator.logger.lines.filter((line) => line.startsWith('the event loop was blocked'))).toHaveLength(1);
  }, 60_000);

  it('given two of them, then one works at a time; stopped, the other one goes on; and a write of one that leads no more is refused', async () => {
    const [first, second] = [new Operator({ identity: 'first' }), new Operator({ identity: 'second' })];
    await applyAll('10.40');
    await first.settled('10.40');
    const working = (): readonly boolean[] => [first, second].map(({ controller }) => controller.state().isWorking);
    expect(working().filter(Boolean)).toHaveLength(1);
    const [leader, other] = working()[0] === true ? [first, second] : [second, first];

    await leader[Symbol.asyncDispose]();
    await applyAll('10.41');
    await other.settled('10.41');

    const { context } = leader;
    await expect(context!.client.patch(VPCS, { name: 'a' }, { kind: 'merge', body: {} }, { signal })).rejects.toMatchObject({
      code: 'conflict',
    });
    await other[Symbol.asyncDispose]();
  }, 60_000);
});

interface OperatorParts {
  readonly identity?: string;
  readonly timeLimitMs?: number;
  readonly before?: () => Promise<void>;
}

class Operator {
  readonly logger = keepingLogger();
  readonly #stores = new ExportStores({
    connection: world.connection,
    workspace: world.at('root:net'),
    exportName: EXPORT,
    bounds: BOUNDS,
    logger: this.logger,
  });
  readonly vpcs = this.#stores.store({ type: VPCS, parse: parseVpc, indexes: { cidr: ({ value }) => [value.spec.cidr] } });
  readonly controller;
  context: ReconcileContext | undefined;
  /** The object whose run hangs. */
  hanging: string | undefined;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor({ identity, timeLimitMs, before }: OperatorParts = {}) {
    const election = { client: world.at('root:net'), namespace: 'default', name: 'vpc-operator' };
    const elector = identity === undefined ? undefined : new LeaderElector({ ...election, identity });
    const leadership = elector === undefined ? undefined : new Leadership({ elector });
    this.controller = createController({
      name: 'vpcs',
      store: this.vpcs,
      logger: this.logger,
      backoff: { firstMs: 20, factor: 2, capMs: 500 },
      ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
      ...(leadership === undefined ? {} : { leadership }),
      observe: (run) => {
        if (run.outcome === 'hung') this.hanging = run.name;
      },
      reconcile: async (stored, context) => {
        this.context = context;
        await before?.();
        await writeStatus(stored, context);
      },
    });
    const parts = [this.#stores, this.controller, ...(leadership === undefined ? [] : [leadership])];
    this.#ended = runAll(parts, this.#stop.signal);
  }

  /** Waits until each status says this CIDR, and the store does. */
  async settled(cidr: string, where: readonly ClusterClient[] = consumers): Promise<void> {
    await until(async () => (await wrong(cidr, where)).length === 0);
    await until(() => this.vpcs.by('cidr', cidr).length >= where.length * NAMES.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

async function writeStatus({ metadata, value: { status, spec } }: Stored<Vpc>, { client, signal: own }: ReconcileContext): Promise<void> {
  if (isRecord(status) && status['seen'] === spec.cidr) return;
  const { name = '', resourceVersion } = metadata;
  const body = { metadata: { resourceVersion }, status: { seen: spec.cidr } };
  await client.patch(VPCS, { name, subresource: 'status' }, { kind: 'merge', body }, { signal: own });
}

/** Writes the model: every VPC has this CIDR. */
async function applyAll(cidr: string, where: readonly ClusterClient[] = consumers): Promise<void> {
  for (const name of NAMES) for (const client of where) await applyVpc(client, name, cidr);
}

/** The VPCs whose status is not that of the model. */
async function wrong(cidr: string, where: readonly ClusterClient[] = consumers): Promise<readonly string[]> {
  const found = await Promise.all(
    where.flatMap((client) => NAMES.map(async (name) => ((await statusOf(client, name)) === cidr ? [] : [name]))),
  );
  return found.flat();
}

async function statusOf(client: ClusterClient, name: string): Promise<unknown> {
  const { status } = await insistently(() => client.get(VPCS, { name }, { signal }));
  return isRecord(status) ? status['seen'] : undefined;
}

async function restart(): Promise<void> {
  for (const shard of world.kcp.shards) {
    await shard.stop();
    await shard.start();
  }
}

async function freeze(): Promise<void> {
  const thaw = world.kcp.faults.onRequest({ watch: true }, { kind: 'freeze' });
  await restart();
  await applyAll('10.99');
  thaw();
}

function compact(): Promise<void> {
  world.kcp.faults.compact();
  return restart();
}
