import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isKcpError } from '@dep-ctrl/kcp-client';
import { hurriedClock } from '@dep-ctrl/kcp-client/testing';
import { Calls, KcpWorld, UNIVERSAL, until } from './spec-support/kcp-world.js';
import { LifecycleController } from './lifecycle-controller.js';
import { clusterName } from './spec-support/seen.js';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const TERMINATOR = { terminator: true, extend: { with: [UNIVERSAL] } };
const forever = new AbortController().signal;

jest.setTimeout(60_000);

describe(LifecycleController, () => {
  let world: KcpWorld;

  beforeAll(async () => {
    world = await KcpWorld.start();
  });

  beforeEach(async () => {
    await world.next();
    await world.type('ordered', TERMINATOR);
  });

  afterAll(() => world.stop());

  it('given a workspace that lives, when it is deleted, then the function has its content, its path and its time, and it goes', async () => {
    const cluster = await world.workspace('team');
    // Without the finalizer kcp may delete it before it is read.
    const metadata = { name: 'mine', namespace: 'default', finalizers: ['example.com/mine'] };
    const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await world.admin.cluster(clusterName(cluster)).create(CONFIG_MAPS, marker, { signal: forever });
    const seen: unknown[] = [];
    const { said, controller } = world.run(async (workspace, { signal }) => {
      const path = await workspace.path({ signal });
      const mine = { namespace: 'default', name: 'mine' };
      const found = await workspace.client.get(CONFIG_MAPS, mine, { signal });
      await workspace.client.patch(CONFIG_MAPS, mine, { kind: 'merge', body: { metadata: { finalizers: null } } }, { signal });
      seen.push(workspace.cluster, path, Date.parse(workspace.deletionTimestamp ?? ''), workspace.earlierRuns, found.metadata.name);
    });
    await until(() => controller.state().views.size === 1 || undefined);

    await world.remove('team');
    await world.gone('team');

    expect(seen).toEqual([cluster, { ok: true, value: `root:${world.named('team')}` }, expect.any(Number), 0, 'mine']);
    expect(said.of('warn')).toEqual([]);
    expect(said.of('info', 'entry removed')).toHaveLength(1);
    expect(controller.state()).toMatchObject({ kind: 'watching', waiting: 0 });
  });

  it('given workspaces that died before, when the controller starts, then each is handled once', async () => {
    const names = ['a', 'b', 'c'];
    const clusters: string[] = [];
    for (const name of names) clusters.push(await world.workspace(name));
    for (const name of names) await world.remove(name);
    const calls = new Calls();

    world.run(calls.handle);
    await world.gone(...names);

    expect(calls.clusters.toSorted()).toEqual(clusters.toSorted());
  });

  it('given a process that ends in the middle, when the next one starts, then the function is called again and the workspace goes', async () => {
    const cluster = await world.workspace('team');
    const first = new Calls(() => new Promise(() => undefined));
    const one = world.run(first.handle);
    await world.remove('team');
    await until(() => first.clusters[0]);
    void one.stop();
    const second = new Calls();

    world.run(second.handle);
    await world.gone('team');

    expect([first.clusters, second.clusters]).toEqual([[cluster], [cluster]]);
  });

  it('given a function that throws twice, then it is told once, called again, and others are not held up', async () => {
    const bad = await world.workspace('bad');
    await world.workspace('good');
    const runs: number[] = [];
    const { said } = world.run(async (workspace) => {
      if (workspace.cluster !== bad) return;
      runs.push(workspace.earlierRuns);
      if (runs.length < 3) throw new Error('not yet');
      await Promise.resolve();
    });

    await world.remove('bad');
    await world.remove('good');
    await world.gone('bad', 'good');

    expect(runs).toEqual([0, 1, 2]);
    expect(said.of('warn')).toEqual([expect.stringContaining('"error":"not yet"')]);
  });

  it('given a function that hangs past its limit, then it is left behind, its client is closed, and the next call ends the wait', async () => {
    await world.workspace('team');
    const late: unknown[] = [];
    const { said } = world.run(
      async ({ client, earlierRuns }) => {
        if (earlierRuns > 0) return;
        await until(() => said.of('warn', 'left behind')[0]); // hears no signal
        const ref = { namespace: 'default', name: 'x' };
        late.push(await client.get(CONFIG_MAPS, ref, { signal: forever }).catch((error: unknown) => error));
      },
      { handleTimeoutMs: 10_000, clock: hurriedClock(100) },
    );

    await world.remove('team');
    await world.gone('team');
    const failure = await until(() => late[0]);

    expect(isKcpError(failure, 'aborted')).toBe(true);
    expect(said.of('warn', 'takes longer than 10000 ms')).toHaveLength(1);
  });

  it('given a function that wants to be called again, then it is, and that is no failure', async () => {
    await world.workspace('team');
    const runs: number[] = [];
    const { said } = world.run((workspace) => {
      runs.push(workspace.earlierRuns);
      return Promise.resolve(runs.length < 3 ? { againMs: 1 } : undefined);
    });

    await world.remove('team');
    await world.gone('team');

    expect(runs).toEqual([0, 1, 2]);
    expect(said.of('warn')).toEqual([]);
  });

  it('given two terminators of one workspace, then each controller removes its own, and the workspace goes after both', async () => {
    await world.type('outer', { terminator: true, extend: { with: [world.typed('ordered')] } });
    const cluster = await world.workspace('team', world.typed('outer'));
    const home = await until(async () => (await world.listed(cluster))[0]?.split(':')[0]);
    expect((await world.listed(cluster)).toSorted()).toEqual([`${home}:${world.named('ordered')}`, `${home}:${world.named('outer')}`]);
    const [inner, outer] = [new Calls(), new Calls()];
    world.run(inner.handle);
    await world.remove('team');
    await until(async () => ((await world.listed(cluster)).length === 1 ? true : undefined));
    expect(await world.listed(cluster)).toEqual([`${home}:${world.named('outer')}`]);

    world.run(outer.handle, { typeName: world.named('outer') });
    await world.gone('team');

    expect([inner.clusters, outer.clusters]).toEqual([[cluster], [cluster]]);
  });

  it('given an entry that somebody else removes, then the call for that workspace is cancelled', async () => {
    const cluster = await world.workspace('team');
    const reasons: unknown[] = [];
    const calls = new Calls(
      (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve();
          });
        }),
    );
    const first = world.run(calls.handle);
    await world.remove('team');
    await until(() => calls.clusters[0]);

    world.run(new Calls().handle);
    await world.gone('team');
    await until(() => reasons[0]);

    expect(reasons).toEqual([new Error('the workspace waits no more')]);
    expect(calls.clusters).toEqual([cluster]);
    expect(first.said.of('warn')).toEqual([]);
  });

  it('given a type that is deleted while a workspace dies, then the workspace is still let go', async () => {
    await world.workspace('team');
    const entered: (() => void)[] = [];
    const calls = new Calls(() => new Promise((resolve) => entered.push(resolve)));
    const { controller, said } = world.run(calls.handle);
    await world.remove('team');
    await until(() => entered[0]);

    await world.removeType('ordered');
    await until(() => controller.state().kind === 'no-type' || undefined);
    entered[0]?.();
    await world.gone('team');

    expect(said.of('warn')).toEqual([expect.stringContaining('workspace type not found')]);
  });

  it('given a type that was deleted and made again while a workspace dies, when a process starts, then it lets the workspace go', async () => {
    const cluster = await world.workspace('team');
    await world.remove('team');
    await world.removeType('ordered');
    const calls = new Calls();
    const { controller } = world.run(calls.handle, { bounds: { watchSeconds: 1 } });
    await until(() => controller.state().kind === 'no-type' || undefined);
    expect(controller.state().views.size).toBe(0);

    await world.type('ordered', TERMINATOR);
    await world.gone('team');

    expect(calls.clusters).toEqual([cluster]);
  });

  it('given a type that comes later, then it is noticed', async () => {
    await world.removeType('ordered');
    const calls = new Calls();
    const { controller } = world.run(calls.handle, { bounds: { watchSeconds: 1 } });
    await until(() => controller.state().kind === 'no-type' || undefined);

    await world.type('ordered', TERMINATOR);
    const cluster = await world.workspace('team');
    await world.remove('team');
    await world.gone('team');

    expect(calls.clusters).toEqual([cluster]);
  });

  it('given initializers, then a workspace is prepared through its client and is Ready when the function has returned', async () => {
    await world.type('begun', { initializer: true, extend: { with: [UNIVERSAL] } });
    const calls = new Calls(async ({ client, deletionTimestamp }, signal) => {
      const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'default' } };
      // kcp makes the namespace by an initializer of its own.
      await until(() => client.create(CONFIG_MAPS, made, { signal }).catch(() => undefined));
      expect(deletionTimestamp).toBeUndefined();
    });
    world.run(calls.handle, { typeName: world.named('begun'), kind: 'initializing' });

    const cluster = await world.workspace('team', world.typed('begun'));

    expect(calls.clusters).toEqual([cluster]);
    const made = await world.admin
      .cluster(clusterName(cluster))
      .get(CONFIG_MAPS, { namespace: 'default', name: 'made' }, { signal: forever });
    expect(made.metadata.name).toBe('made');
  });

  it('given a forged path on a dying workspace, then it is not believed', async () => {
    await world.workspace('other', UNIVERSAL);
    const cluster = await world.workspace('team');
    const logicalClusters = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
    const forged = { metadata: { annotations: { 'kcp.io/path': `root:${world.named('other')}` } } };
    await world.admin
      .cluster(clusterName(cluster))
      .patch(logicalClusters, { name: 'cluster' }, { kind: 'merge', body: forged }, { signal: forever });
    const paths: unknown[] = [];
    world.run(async ({ path }, { signal }) => {
      paths.push(await path({ signal }));
    });

    await world.remove('team');
    await world.gone('team');

    expect(paths).toEqual([{ ok: false, problem: `workspace "root:${world.named('other')}" is another logical cluster than ${cluster}` }]);
  });
});
