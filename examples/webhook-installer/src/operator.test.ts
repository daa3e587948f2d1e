import { equal } from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { eventually, TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, logicalCluster, silentLogger } from '@dep-ctrl/kcp-client';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { runOperator } from './operator.js';

const EXPORT = 'guards.example.com';
const PROTECTIONS = { group: EXPORT, version: 'v1', resource: 'protections' };
const PROTECTION = {
  apiVersion: `${EXPORT}/v1`,
  kind: 'Protection',
  metadata: { name: 'vpcs' },
  spec: { group: 'network.example.com', resource: 'vpcs' },
};
const options = { signal: AbortSignal.timeout(60_000) };
const binds = [`root:owner:${EXPORT}`];
let kcp: TestKcp, admin: Connection, operator: Connection, stop: () => Promise<void>;

before(async () => {
  kcp = await TestKcp.start({
    shards: 2,
    workspaces: {
      'root:owner': {
        exports: {
          [EXPORT]: {
            types: [{ kind: 'Protection', scope: 'Cluster', spec: { group: 'string', resource: 'string' } }],
            claims: [{ group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' }],
          },
        },
      },
      'root:network': { shard: 'root', binds },
      'root:compute': { shard: 'shard-1', binds },
    },
    users: { operator: { rights: { 'root:owner': 'admin' } } },
  });
  admin = new Connection(kcp.access());
  operator = new Connection(kcp.access('root:owner', 'operator'));
});
beforeEach(() => start());
afterEach(async () => {
  await stop();
  kcp.expectHits();
});
after(async () => {
  await Promise.all([admin.close(), operator.close()]);
  await kcp.stop();
});
function start(): void {
  const ending = new AbortController();
  const running = runOperator(operator, 'https://guard.example.com/validate', silentLogger, ending.signal);
  stop = () => (ending.abort(), running);
}

const at = (path: string) => admin.cluster(logicalCluster(kcp.workspace(path).cluster));
const webhooks = async (path: string): Promise<unknown[]> => {
  for await (const page of at(path).list(WEBHOOK_CONFIGURATIONS, {}, options))
    return page.objects().flatMap((one) => one['webhooks'] as unknown[]);
  return [];
};
const comesTo = (path: string, count: number) =>
  eventually(`${path} has ${count} webhooks`, async () => equal((await webhooks(path)).length, count));

for (const path of ['root:network', 'root:compute']) {
  test(`a Protection in ${path} brings its webhook, which comes back and goes with it`, async () => {
    await at(path).create(PROTECTIONS, PROTECTION, options);
    await comesTo(path, 1);

    await at(path).delete(WEBHOOK_CONFIGURATIONS, { name: EXPORT }, options);
    await comesTo(path, 1);

    await at(path).delete(PROTECTIONS, { name: 'vpcs' }, options);
    await comesTo(path, 0);
  });
}

test('a write that kcp refuses is tried again', async () => {
  kcp.fault({ method: 'POST', path: /\/validatingwebhookconfigurations$/ }, { kind: 'answer', status: 503 }, { times: 2 });

  await at('root:network').create(PROTECTIONS, PROTECTION, options);

  await comesTo('root:network', 1);
});

test('a Protection that went while no operator ran leaves no webhook behind', async () => {
  await comesTo('root:network', 1);
  await stop();
  await at('root:network').delete(PROTECTIONS, { name: 'vpcs' }, options);
  equal((await webhooks('root:network')).length, 1);

  start();
  await comesTo('root:network', 0);
});
