// Events in the workspace of an object, through an export that claims them, on a kcp.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClusterClient } from '@dep-ctrl/kcp-client';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT, insistently, KcpWorld, parseVpc, until, vpc, VPCS, type Vpc } from '../spec-support/kcp-world.js';
import { keepingLogger } from '../spec-support/widgets.js';
import { ExportStores } from '../store/export-stores.js';
import { EventRecorder, EVENTS } from './event-recorder.js';
import type { EventSubject, SaidEvent } from './event-object.js';

const signal = AbortSignal.timeout(120_000);
const said: SaidEvent = { type: 'Warning', reason: 'Overlap', message: 'another VPC has this range' };

let world: KcpWorld;
let consumer: ClusterClient;
let client: ClusterClient;
let subject: Vpc;
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
  const [first] = vpcs.list();
  [client, subject] = [vpcs.clientOf(first!), first!.value];
}, 60_000);

afterAll(async () => {
  stop.abort();
  await ended;
  await world[Symbol.asyncDispose]();
});

describe(EventRecorder, () => {
  it('given the same words again, then they are one event, written again after a while with their number', async () => {
    const { recorder, clock } = build('counting');

    for (let times = 0; times < 3; times += 1) await recorder.record(client, about(), said, { signal });
    expect(await events('counting')).toMatchObject([
      { count: 1, type: 'Warning', reason: 'Overlap', involvedObject: { kind: 'VPC', name: 'first' } },
    ]);
    clock.ms += 300_000;
    await recorder.record(client, about(), said, { signal });

    expect(await events('counting')).toMatchObject([
      { count: 4, lastTimestamp: '2026-01-01T00:05:00Z', firstTimestamp: '2026-01-01T00:00:00Z' },
    ]);
  });

  it('given another process that says the same, then it counts on in the same event', async () => {
    await build('handing-over').recorder.record(client, about(), said, { signal });

    await build('handing-over').recorder.record(client, about(), said, { signal });

    expect(await events('handing-over')).toMatchObject([{ count: 2 }]);
  });

  it('given an event that kcp has dropped, then it is made again', async () => {
    const { recorder, clock } = build('dropped');
    await recorder.record(client, about(), said, { signal });
    const [event] = await events('dropped');
    await consumer.delete(EVENTS, { namespace: 'default', name: event?.metadata.name ?? '' }, { signal });

    clock.ms += 300_000;
    await recorder.record(client, about(), said, { signal });

    expect(await events('dropped')).toMatchObject([{ count: 2 }]);
  });

  it('given a kcp that refuses, then nothing is thrown, it is told once, and the next time is tried again', async () => {
    const { recorder, logger } = build('refused');
    const remove = world.kcp.faults.onRequest({ path: /events/ }, { kind: 'answer', status: 403 });
    for (let times = 0; times < 3; times += 1) await recorder.record(client, about(), said, { signal });
    expect(logger.lines).toEqual([expect.stringContaining('event not recorded')]);
    remove();

    await recorder.record(client, about(), said, { signal });

    expect(await events('refused')).toMatchObject([{ count: 1 }]);
  });

  it('given more words than it remembers, then the oldest are forgotten and counted on from kcp', async () => {
    const { recorder } = build('bounded', 1);

    await recorder.record(client, about(), said, { signal });
    await recorder.record(client, about(), { ...said, message: 'other words' }, { signal });
    await recorder.record(client, about(), said, { signal });

    expect((await events('bounded')).map((event) => event['count']).sort()).toEqual([1, 2]);
  });
});

function build(component: string, mostRemembered = 100) {
  const [clock, logger] = [new ManualClock(), keepingLogger()];
  return { recorder: new EventRecorder({ component, mostRemembered, clock, logger }), clock, logger };
}

function about(): EventSubject {
  return { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata: subject.metadata };
}

async function events(component: string): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const page of consumer.list(EVENTS, { namespace: 'default' }, { signal })) found.push(...page.objects());
  return found.filter((event) => event['reportingComponent'] === component);
}
