import { deepEqual, equal } from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, silentLogger } from '@dep-ctrl/kcp-client';
import { runInitializer } from './initializer.js';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const options = { signal: AbortSignal.timeout(60_000) };
const stop = new AbortController();
let kcp: TestKcp, operator: Connection, running: Promise<void>;

before(async () => {
  const spec = { initializer: true, extend: { with: [{ name: 'universal', path: 'root' }] } };
  const team = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: 'team' }, spec };
  const rights = [
    { apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], resourceNames: ['team'], verbs: ['list', 'watch', 'initialize'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
  ];
  kcp = await TestKcp.start({
    shards: 2,
    workspaces: { 'root:owner': { objects: [team] } },
    users: { operator: { rights: { 'root:owner': rights } } },
  });
  operator = new Connection(kcp.access('root:owner', 'operator'));
  running = runInitializer(operator, 'team', 'replica', silentLogger, stop.signal);
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
