import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { eventually, TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, logicalCluster, silentLogger } from '@dep-ctrl/kcp-client';
import { runOperator } from './operator.js';

const EXPORT = 'widgets.example.com';
const WIDGETS = { group: EXPORT, version: 'v1', resource: 'widgets' };
const QUOTAS = { group: EXPORT, version: 'v1', resource: 'quotas' };
const options = { signal: AbortSignal.timeout(60_000) };
const binds = [`root:owner:${EXPORT}`];
const quota = (name: string, spec: object) => ({ apiVersion: `${EXPORT}/v1`, kind: 'Quota', metadata: { name }, spec });
let kcp: TestKcp, admin: Connection;
let stop = (): Promise<void> => Promise.resolve();

before(async () => {
  kcp = await TestKcp.start({
    shards: 2,
    workspaces: {
      'root:owner': {
        exports: { [EXPORT]: { types: [{ kind: 'Widget' }, { kind: 'Quota', scope: 'Cluster', spec: { limit: 'integer' } }] } },
      },
      'root:one': { shard: 'root', binds, objects: [quota('widgets', { limit: 2 })] },
      'root:two': { shard: 'shard-1', binds, objects: [quota('broken', {}), quota('widgets', { limit: 2 })] },
    },
    users: {
      operator: {
        rights: {
          'root:owner': [
            { apiGroups: ['apis.kcp.io'], resources: ['apiexportendpointslices'], verbs: ['get', 'list', 'watch'] },
            { apiGroups: ['apis.kcp.io'], resources: ['apiexports/content'], verbs: ['list', 'watch', 'patch'], resourceNames: [EXPORT] },
            { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
          ],
        },
      },
    },
  });
  admin = new Connection(kcp.access());
});
afterEach(async () => {
  await stop();
  kcp.expectHits();
});
after(async () => {
  await admin.close();
  await kcp.stop();
});

function start(identity: string): () => Promise<void> {
  const [operator, ending] = [new Connection(kcp.access('root:owner', 'operator')), new AbortController()];
  const running = runOperator(operator, identity, silentLogger, ending.signal).then(() => operator.close());
  return () => (ending.abort(), running);
}

const at = (path: string) => admin.cluster(logicalCluster(kcp.workspace(path).cluster));
const widget = (name: string) => ({ apiVersion: `${EXPORT}/v1`, kind: 'Widget', metadata: { name, namespace: 'default' } });
const add = (path: string, name: string) => at(path).create(WIDGETS, widget(name), options);
const remove = (path: string, name: string) => at(path).delete(WIDGETS, { namespace: 'default', name }, options);
const says = (path: string, used: number, status: 'True' | 'False') =>
  eventually(`the Quota of ${path} says ${used} and ${status}`, async () => {
    const { status: found } = await at(path).get<Quota>(QUOTAS, { name: 'widgets' }, options);
    deepEqual([found?.used, found?.conditions[0]?.status], [used, status]);
  });
interface Quota {
  readonly metadata: object;
  readonly status?: { readonly used: number; readonly conditions: readonly { readonly status: string }[] };
}

for (const path of ['root:one', 'root:two']) {
  test(`the Quota of ${path} counts what comes and goes there, and a refused write is tried again`, async () => {
    stop = start('replica');
    await says(path, 0, 'True');

    await Promise.all(['a', 'b', 'c'].map((name) => add(path, name)));
    await says(path, 3, 'False');

    kcp.fault({ method: 'PATCH', path: /\/quotas\/widgets\/status$/ }, { kind: 'answer', status: 503 }, { times: 2 });
    await remove(path, 'a');
    await says(path, 2, 'True');
  });
}

test('what happened while no operator ran or its shard was away is counted, and of two replicas the other goes on', async () => {
  await remove('root:one', 'b');
  const [first, second] = [start('first'), start('second')];
  await says('root:one', 1, 'True');

  await kcp.withoutShard('shard-1', () => remove('root:one', 'c').then(() => says('root:one', 0, 'True')));
  await first();
  await remove('root:two', 'b');
  await says('root:two', 1, 'True');
  await second();
});

test('the program works until a signal, and ends in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quota-'));
  await writeFile(join(folder, 'operator.kubeconfig'), kcp.kubeconfig('root:owner', 'operator'));
  const env = { ...process.env, KUBECONFIG: join(folder, 'operator.kubeconfig') };
  const program = spawn(process.execPath, ['dist/main.js'], { env, stdio: 'inherit' });
  const ended = once(program, 'exit');
  await remove('root:two', 'c');
  await says('root:two', 0, 'True');

  program.kill('SIGTERM');
  equal((await ended)[0], 0);
  await rm(folder, { recursive: true });
});
