import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isKcpError, LeaderElector, systemClock } from '@dep-ctrl/kcp-client';
import { LifecycleController } from './index.js';
import { Calls, KcpWorld, until } from './spec-support/kcp-world.js';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const QUICK = { leaseMs: 1_000, renewDeadlineMs: 600, retryMs: 100 };

jest.setTimeout(60_000);

describe(LifecycleController, () => {
  let world: KcpWorld;

  beforeAll(async () => {
    world = await KcpWorld.start(2);
  });

  beforeEach(async () => {
    await world.next();
    await world.type('ordered', { terminator: true, extend: { with: [{ name: 'universal', path: 'root' }] } });
  });

  afterAll(() => world.stop());

  function otherShard(): (typeof world.kcp.shards)[number] {
    const [, shard] = world.kcp.shards;
    if (shard === undefined) throw new Error('one shard only');
    return shard;
  }

  function elector(identity: string): LeaderElector {
    return new LeaderElector({ client: world.home, namespace: 'default', name: world.named('ordered'), identity, durations: QUICK });
  }

  it('given workspaces on two shards, then both are handled', async () => {
    const here = await world.workspace('here', world.typed('ordered'), 'root');
    const there = await world.workspace('there', world.typed('ordered'), otherShard().name);
    const calls = new Calls();
    const { controller } = world.run(calls.handle);

    await world.remove('here');
    await world.remove('there');
    await world.gone('here', 'there');

    expect(calls.clusters.toSorted()).toEqual([here, there].toSorted());
    expect(controller.state().views.size).toBe(2);
  });

  it('given a shard that is away, then the other one is served, and what died there is handled when it is back', async () => {
    const there = await world.workspace('there', world.typed('ordered'), otherShard().name);
    const here = await world.workspace('here', world.typed('ordered'), 'root');
    const entered: (() => void)[] = [];
    const calls: Calls = new Calls(({ cluster }) =>
      cluster === there && calls.clusters.length === 1 ? new Promise((resolve) => entered.push(resolve)) : Promise.resolve(),
    );
    world.run(calls.handle);
    await world.remove('there');
    await until(() => entered[0]);

    await otherShard().stop();
    entered[0]?.(); // its entry cannot be removed now
    await world.remove('here');
    await world.gone('here');
    expect(calls.clusters).toEqual([there, here]);
    await otherShard().start();
    await world.gone('there');

    // It had returned: only the removal was left.
    expect(calls.clusters).toEqual([there, here]);
  });

  it('given two replicas, then only the one that leads acts, and the other one goes on when it ends', async () => {
    const [first, second] = [new Calls(), new Calls()];
    const one = world.run(first.handle, { elector: elector('one') });
    await until(() => one.controller.state().kind === 'watching' || undefined);
    const two = world.run(second.handle, { elector: elector('two') });
    const a = await world.workspace('a');
    const b = await world.workspace('b');

    await world.remove('a');
    await world.gone('a');
    expect(two.controller.state().kind).toBe('standby');
    await one.stop();
    await world.remove('b');
    await world.gone('b');

    // An event from before the removal may have it called once more.
    expect([new Set(first.clusters), new Set(second.clusters)]).toEqual([new Set([a]), new Set([b])]);
  });

  it('given a replica that was frozen in its work, when another one leads, then nothing that the old one writes arrives', async () => {
    const frozen = new Date(0);
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + frozen.getTime() };
    const leader = new LeaderElector({
      client: world.home,
      namespace: 'default',
      name: 'ordered',
      identity: 'one',
      durations: QUICK,
      clock,
    });
    const writes: unknown[] = [];
    const entered: (() => void)[] = [];
    const calls = new Calls(async ({ client }, signal) => {
      await new Promise<void>((resolve) => entered.push(resolve));
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late', namespace: 'default' } };
      writes.push(await client.create(CONFIG_MAPS, object, { signal }).catch((error: unknown) => error));
    });
    const one = world.run(calls.handle, { elector: leader });
    const cluster = await world.workspace('team');
    await world.remove('team');
    await until(() => entered[0]);

    frozen.setTime(700); // it wakes up after its deadline, before any timer of it has run
    entered[0]?.();
    const [failure] = await until(() => (writes.length > 0 ? writes : undefined));

    expect(isKcpError(failure, 'conflict', 'aborted')).toBe(true);
    expect(await world.listed(cluster)).toHaveLength(1);
    void one.stop();
  });
});
