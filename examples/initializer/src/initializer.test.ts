import { deepEqual, equal } from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { eventually, TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, silentLogger } from '@dep-ctrl/kcp-client';
import { runInitializer } from './initializer.js';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const options = { signal: AbortSignal.timeout(60_000) };
const stop = new AbortController();
let kcp: TestKcp, operator: Connection, running: Promise<void>;

before(async () => {
  const spec = { initializer: true, extend: { with: [{ name: 'universal', path: 'root' }] } };
  const team = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: 'team' }, spec };
  const verbs = ['get', 'initialize'];
  kcp = await TestKcp.start({
    shards: 2,
    workspaces: { 'root:owner': { objects: [team] } },
    users: { operator: { rights: { 'root:owner': [{ apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], verbs }] } } },
  });
  operator = new Connection(kcp.access('root:owner', 'operator'));
  await eventually('kcp names the virtual workspaces of the type', async () => {
    const type = await operator
      .ownWorkspace()
      .get({ group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' }, { name: 'team' }, options);
    equal((type['status'] as { virtualWorkspaces: unknown[] }).virtualWorkspaces.length, 4);
  });
  running = runInitializer(operator, 'team', silentLogger, stop.signal);
});
afterEach(() => kcp.expectHits());
after(async () => {
  stop.abort();
  await running;
  await operator.close();
  await kcp.stop();
});

async function namespacesOf(path: string): Promise<readonly unknown[]> {
  const connection = new Connection(kcp.access(path));
  try {
    const found: unknown[] = [];
    for await (const page of connection.ownWorkspace().list(NAMESPACES, {}, options))
      found.push(...page.objects().map((o) => o.metadata.name));
    return found.sort();
  } finally {
    await connection.close();
  }
}

for (const shard of ['root', 'shard-1']) {
  test(`a new workspace on ${shard} is Ready with what belongs into it`, async () => {
    await kcp.add({ workspaces: { [`root:on-${shard}`]: { type: 'root:owner:team', shard } } }); // answers when it is Ready

    deepEqual(await namespacesOf(`root:on-${shard}`), ['default', 'kube-system', 'shared']);
  });
}

test('a workspace waits for a write that kcp refuses, and gets it', async () => {
  const fault = kcp.fault({ method: 'PATCH', path: /\/namespaces\/shared$/ }, { kind: 'answer', status: 503 }, { times: 2 });

  await kcp.add({ workspaces: { 'root:refused': { type: 'root:owner:team' } } });

  equal(fault.hits, 2);
  deepEqual(await namespacesOf('root:refused'), ['default', 'kube-system', 'shared']);
});
