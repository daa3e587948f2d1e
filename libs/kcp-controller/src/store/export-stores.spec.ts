// Stores that follow an export, on a kcp.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runAll, type EndpointEvent, type Runnable } from '@dep-ctrl/kcp-client';
import { applyVpc, EXPORT, KcpWorld, parseVpc, until, VPCS } from '../spec-support/kcp-world.js';
import { ExportStores } from './export-stores.js';

let world: KcpWorld;

beforeAll(async () => {
  world = await KcpWorld.start();
  await world.exporter('root:net');
}, 60_000);

afterAll(() => world[Symbol.asyncDispose]());

it('given a gate, then the stores see what it hands on, and who follows their events hears of each once the stores have it', async () => {
  const consumer = await world.consumer('root:one', 'root:net');
  const held: (() => void)[] = [];
  const stores = new ExportStores({
    connection: world.connection,
    workspace: world.at('root:net'),
    exportName: EXPORT,
    gate: (handOn) => ({
      take: (event) => {
        if (isChange(event)) held.push(() => handOn(event));
        else handOn(event);
      },
      run: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    }),
  });
  const vpcs = stores.store({ type: VPCS, parse: parseVpc });
  const heard: number[] = [];
  const leave = stores.subscribe((event) => {
    if (isChange(event)) heard.push(vpcs.size);
  });
  const stop = new AbortController();
  const running = runAll([stores satisfies Runnable], stop.signal);
  await vpcs.whenSynced(stop.signal);

  await applyVpc(consumer, 'x', '10.1');
  await until(() => held.length === 1);
  const before = vpcs.size;
  held[0]?.();
  const after = vpcs.size;
  leave();
  held[0]?.();
  stop.abort();
  await running;

  expect([before, after, heard]).toEqual([0, 1, [1]]);
}, 30_000);

function isChange(event: EndpointEvent): boolean {
  return event.kind === 'observed' && event.event.kind === 'applied';
}
