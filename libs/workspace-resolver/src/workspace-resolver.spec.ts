import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printResolution } from './resolution.js';
import { path, removeWorkspace, startKcp, type KcpWorld } from './spec-support/kcp-world.js';
import { WorkspaceResolver } from './workspace-resolver.js';

const signal = AbortSignal.timeout(300_000);

describe(WorkspaceResolver, () => {
  let world: KcpWorld;
  let clusters: Record<string, string>;

  beforeAll(async () => {
    world = await startKcp();
    clusters = {};
    for (const text of ['root:a', 'root:a:b', 'root:a:b:c', 'root:d']) clusters[text] = await world.makeWorkspace(text);
  }, 60_000);

  afterAll(() => world.stop());

  it.each(['root:a', 'root:a:b', 'root:a:b:c'])('given %s, then it is found at its depth', async (text) => {
    const { resolver } = resolving();

    expect(await resolver.resolve(path(text), { signal })).toMatchObject({
      state: 'found',
      cluster: clusters[text],
      from: 'logicalcluster',
      terminating: false,
    });
  });

  it('given a path of one segment, then it is the name, without a request', async () => {
    const { resolver, requests } = resolving();

    expect(await resolver.resolve(path('root'), { signal })).toMatchObject({ state: 'found', cluster: 'root', from: 'name' });
    expect(requests()).toBe(0);
  });

  it('given somebody who may look into the parents and not into the workspace, then the Workspace objects say where it is', async () => {
    const mend = world.kcp.faults.onRequest({ path: /logicalclusters/ }, { kind: 'answer', status: 403 });
    const { resolver } = resolving();

    const resolution = await resolver.resolve(path('root:a:b:c'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'found', cluster: clusters['root:a:b:c'], from: 'workspaces' });
  });

  it.each([
    ['root:x', 'root:x'],
    ['root:a:x', 'root:a:x'],
    ['root:x:y:z', 'root:x'],
  ])('given %s, which does not exist, then %s is what is missing', async (text, segment) => {
    const { resolver } = resolving();

    expect(await resolver.resolve(path(text), { signal })).toEqual({ state: 'missing', path: segment });
  });

  it('given somebody who may not look into a parent, then the answer names workspace, right and ClusterRoles', async () => {
    const resolver = new WorkspaceResolver({ connection: world.connectAs('nobody') });

    const resolution = await resolver.resolve(path('root:a:b'), { signal });

    expect(resolution).toMatchObject({ state: 'forbidden', workspace: 'root:a' });
    expect(printResolution(path('root:a:b'), resolution)).toBe(
      'cannot look up workspace "root:a:b": may not list workspaces.tenancy.kcp.io, and access on / in "root:a": bind ClusterRoles system:kcp:tenancy:reader and system:kcp:workspace:access there',
    );
  });

  it('given a path that kcp says it knows no workspace of, and a parent that may not be read, then that is said and is no proof', async () => {
    const details = { name: 'root:a:x', group: 'tenancy.kcp.io', kind: 'workspaces' };
    const message = 'workspaces.tenancy.kcp.io "root:a:x" not found';
    const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message, details };
    const mend = world.kcp.faults.onRequest({ path: /root:a:x\// }, { kind: 'answer', status: 404, body });
    const resolver = new WorkspaceResolver({ connection: world.connectAs('nobody') });

    const resolution = await resolver.resolve(path('root:a:x'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'forbidden', workspace: 'root:a', isUnknown: true });
    expect(await resolver.resolve(path('root:a:x'), { signal })).toMatchObject({ state: 'forbidden', isUnknown: false });
  });

  it('given a server that is away, then it is unreachable and not believed to be empty', async () => {
    const { resolver } = resolving();
    const mend = world.kcp.faults.onRequest({ path: /logicalclusters|workspaces/ }, { kind: 'answer', status: 503 });

    const resolution = await resolver.resolve(path('root:a'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'unreachable', retryable: true });
    expect(await resolver.resolve(path('root:a'), { signal })).toMatchObject({ state: 'found' });
  });

  it('given a shard that starts and serves no workspaces yet, then nothing is proven missing', async () => {
    const { resolver } = resolving();
    const mend = world.kcp.faults.onRequest({ path: /logicalclusters|workspaces/ }, { kind: 'answer', status: 404 });

    const resolution = await resolver.resolve(path('root:a'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'forbidden', workspace: 'root' });
  });

  it('given a workspace made again under its path, then the next question is answered with the new one', async () => {
    const first = await world.makeWorkspace('root:again');
    const { resolver } = resolving();
    expect(await resolver.resolve(path('root:again'), { signal })).toMatchObject({ cluster: first });
    await removeWorkspace(world.admin, 'root:again');
    const second = await world.makeWorkspace('root:again');

    expect(await resolver.resolve(path('root:again'), { signal })).toMatchObject({ cluster: second });
  }, 60_000);

  it('given a path of very many segments, then no more is asked than there is of it', async () => {
    const { resolver, requests } = resolving();

    expect(await resolver.resolve(path(`root:a${':x'.repeat(400)}`), { signal })).toEqual({ state: 'missing', path: 'root:a:x' });
    expect(requests()).toBe(3);
  });

  function resolving() {
    const before = world.kcp.requests.count({ path: /\/(workspaces|logicalclusters)/, listener: 'proxy' });
    return {
      resolver: new WorkspaceResolver({ connection: world.admin }),
      requests: () => world.kcp.requests.count({ path: /\/(workspaces|logicalclusters)/, listener: 'proxy' }) - before,
    };
  }
});
