import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { printResolution } from './resolution.js';
import { makeWorkspace, path, removeWorkspace, startKcp, type KcpWorld } from './spec-support/kcp-world.js';
import { WorkspaceResolver } from './workspace-resolver.js';

const signal = AbortSignal.timeout(300_000);

describe(WorkspaceResolver, () => {
  let world: KcpWorld;
  let clusters: Record<string, string>;

  beforeAll(async () => {
    world = await startKcp();
    clusters = {};
    for (const text of ['root:a', 'root:a:b', 'root:a:b:c', 'root:d']) clusters[text] = await makeWorkspace(world.admin, text);
  }, 60_000);

  afterAll(() => world.stop());

  it.each(['root:a', 'root:a:b', 'root:a:b:c'])('given %s, then it is found at its depth', async (text) => {
    const { resolver } = resolving();

    expect(await resolver.resolve(path(text), { signal })).toMatchObject({
      state: 'found',
      cluster: clusters[text],
      from: 'workspaces',
      terminating: false,
    });
  });

  it('given a path of one segment, then it is the name, without a request', async () => {
    const { resolver, requests } = resolving();

    expect(await resolver.resolve(path('root'), { signal })).toMatchObject({ state: 'found', cluster: 'root', from: 'name' });
    expect(requests()).toBe(0);
  });

  it('given a live map that knows, then it is believed without a request, and inspecting asks kcp all the same', async () => {
    const { resolver, requests } = resolving({ liveMap: () => 'live1' as LogicalClusterName });

    expect(await resolver.resolve(path('root:a'), { signal })).toMatchObject({ cluster: 'live1', from: 'live-map' });
    expect(requests()).toBe(0);
    expect(await resolver.inspect(path('root:a'), { signal })).toMatchObject({ cluster: clusters['root:a'], from: 'workspaces' });
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
    const resolver = new WorkspaceResolver({ connection: world.connectAs('nobody'), clock: manualClock() });

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
    const resolver = new WorkspaceResolver({ connection: world.connectAs('nobody'), clock: manualClock() });

    const resolution = await resolver.resolve(path('root:a:x'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'forbidden', workspace: 'root:a', isUnknown: true });
    expect(await resolver.resolve(path('root:a:x'), { signal })).toMatchObject({ state: 'forbidden', isUnknown: false });
  });

  it('given a server that is away, then it is unreachable and not believed to be empty', async () => {
    const { resolver } = resolving();
    const mend = world.kcp.faults.onRequest({ path: /workspaces/ }, { kind: 'answer', status: 503 });

    const resolution = await resolver.resolve(path('root:a'), { signal });
    mend();

    expect(resolution).toMatchObject({ state: 'unreachable', retryable: true });
    expect(await resolver.resolve(path('root:a'), { signal })).toMatchObject({ state: 'found' });
  });

  it('given a workspace made again under its path, then the old answer lasts no longer than the bound, and a fresh one is right at once', async () => {
    const first = await makeWorkspace(world.admin, 'root:again');
    const { resolver, clock } = resolving();
    await resolver.resolve(path('root:again'), { signal });
    await removeWorkspace(world.admin, 'root:again');
    const second = await makeWorkspace(world.admin, 'root:again');

    clock.ms = 29_999;
    expect(await resolver.resolve(path('root:again'), { signal })).toMatchObject({ cluster: first });
    expect(await resolver.resolve(path('root:again'), { signal, fresh: true })).toMatchObject({ cluster: second });
    clock.ms = 60_000;
    expect(await resolver.resolve(path('root:again'), { signal })).toMatchObject({ cluster: second });
  }, 60_000);

  it('given ten thousand questions at once, then there is one list per parent', async () => {
    const { resolver, requests } = resolving();
    const texts = Array.from({ length: 1000 }, (_, at) => `${['root', 'root:a', 'root:a:b', 'root:d'][at % 4]!}:w${at}`);

    const answers = await Promise.all(Array.from({ length: 10_000 }, (_, at) => resolver.resolve(path(texts[at % 1000]!), { signal })));

    expect(answers.every(({ state }) => state === 'missing')).toBe(true);
    expect(requests()).toBe(4);
  });

  function resolving({ liveMap = () => undefined }: { liveMap?: () => LogicalClusterName | undefined } = {}) {
    const clock = manualClock();
    const before = world.kcp.requests.count({ path: /\/(workspaces|logicalclusters)/, listener: 'proxy' });
    const resolver = new WorkspaceResolver({ connection: world.admin, clock, liveMap });
    return {
      resolver,
      clock,
      requests: () => world.kcp.requests.count({ path: /\/(workspaces|logicalclusters)/, listener: 'proxy' }) - before,
    };
  }
});

function manualClock() {
  const clock = { ms: 0, now: () => clock.ms, monotonic: () => clock.ms, sleep: () => Promise.reject(new Error('nobody sleeps here')) };
  return clock;
}
