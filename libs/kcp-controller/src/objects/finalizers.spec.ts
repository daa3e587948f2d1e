// Finalizers through the virtual workspace of an export, on a kcp.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isKcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { ObjectMeta } from '@dep-ctrl/kcp-names';
import { EXPORT, insistently, KcpWorld, parseVpc, until, vpc, VPCS } from '../spec-support/kcp-world.js';
import { ExportStores } from '../store/export-stores.js';
import { addFinalizer, removeFinalizer } from './finalizers.js';

const OURS = 'network.example.com/vpc-operator';
const THEIRS = 'network.example.com/somebody-else';
const signal = AbortSignal.timeout(120_000);

let world: KcpWorld;
let consumer: ClusterClient;
/** The workspace of the consumer, through the export. */
let client: ClusterClient;
const stop = new AbortController();
let ended: Promise<void>;

beforeAll(async () => {
  world = await KcpWorld.start();
  const workspace = await world.exporter('root:net');
  consumer = await world.consumer('root:one', 'root:net', 'shard-1');
  const stores = new ExportStores({ connection: world.connection, workspace, exportName: EXPORT });
  const vpcs = stores.store({ type: VPCS, parse: parseVpc });
  ended = stores.run(stop.signal);
  await insistently(() => consumer.create(VPCS, vpc('first', '10.0'), { signal }));
  await until(() => vpcs.size === 1);
  client = vpcs.clientOf(vpcs.list()[0]!);
}, 60_000);

afterAll(async () => {
  stop.abort();
  await ended;
  await world[Symbol.asyncDispose]();
});

describe('finalizers', () => {
  it('given an object, then its finalizer is added and removed once, and others stay', async () => {
    const metadata = await created('once', [THEIRS]);

    expect(await addFinalizer(client, { type: VPCS, metadata }, OURS, { signal })).toBe('added');
    expect(await addFinalizer(client, { type: VPCS, metadata: await read('once') }, OURS, { signal })).toBe('unchanged');
    expect((await read('once')).finalizers).toEqual([THEIRS, OURS]);
    expect(await removeFinalizer(client, { type: VPCS, metadata: await read('once') }, OURS, { signal })).toBe('removed');

    expect((await read('once')).finalizers).toEqual([THEIRS]);
  });

  it('given metadata that is old, then it is read again and nothing that others wrote is lost', async () => {
    const metadata = await created('old');
    await consumer.patch(VPCS, { name: 'old' }, { kind: 'merge', body: { metadata: { finalizers: [THEIRS] } } }, { signal });

    expect(await addFinalizer(client, { type: VPCS, metadata }, OURS, { signal })).toBe('added');

    expect((await read('old')).finalizers).toEqual([THEIRS, OURS]);
  });

  it('given an object that is being deleted, then it takes none, and goes when the last one is removed', async () => {
    const metadata = await created('leaving', [OURS]);
    await consumer.delete(VPCS, { name: 'leaving' }, { signal });

    expect(await addFinalizer(client, { type: VPCS, metadata: await read('leaving') }, THEIRS, { signal })).toBe('leaving');
    expect(await removeFinalizer(client, { type: VPCS, metadata }, OURS, { signal })).toBe('removed');

    await expect(read('leaving')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('given an object that went, or was made anew under the same name, then it is gone and the other one is left alone', async () => {
    const metadata = await created('anew', [OURS]);
    await removeFinalizer(client, { type: VPCS, metadata }, OURS, { signal });
    await consumer.delete(VPCS, { name: 'anew' }, { signal });
    expect(await removeFinalizer(client, { type: VPCS, metadata }, OURS, { signal })).toBe('gone');

    await created('anew', [OURS]);

    expect(await removeFinalizer(client, { type: VPCS, metadata }, OURS, { signal })).toBe('gone');
    expect((await read('anew')).finalizers).toEqual([OURS]);
  });

  it('given a 404 that does not name the object, then that is no absence', async () => {
    const metadata = await created('starting');
    const body = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      details: { name: 'root:one', kind: 'workspaces' },
    };
    const remove = world.kcp.faults.onRequest({ path: /vpcs\/starting/ }, { kind: 'answer', status: 404, body });

    const answer = addFinalizer(client, { type: VPCS, metadata }, OURS, { signal }).catch((error: unknown) => isKcpError(error));

    expect(await answer).toBe(true);
    remove();
  });
});

async function created(name: string, finalizers: readonly string[] = []): Promise<ObjectMeta> {
  return (await consumer.create(VPCS, vpc(name, '10.0', { finalizers }), { signal })).metadata;
}

async function read(name: string): Promise<ObjectMeta> {
  return (await consumer.get(VPCS, { name }, { signal })).metadata;
}
