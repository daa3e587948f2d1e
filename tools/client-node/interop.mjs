// Run in an empty project that has our packages and one line of @kubernetes/client-node: its generated APIs and its KubeConfig over a connection of ours.
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { ApiException, CoreV1Api, KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection, isKcpError } from '@dep-ctrl/kcp-client';
import { configurationOf, connectionOptionsOf, kcpErrorOf } from '@dep-ctrl/kcp-client/client-node';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';

const signal = AbortSignal.timeout(60_000);
const kcp = await EmbeddedKcp.start({ delays: 'fast' });
let opened = 0;
const relay = createServer((from) => {
  opened += 1;
  const onwards = connect(Number(new URL(kcp.baseUrl).port), '127.0.0.1');
  from.pipe(onwards).pipe(from);
  for (const socket of [from, onwards]) socket.on('error', () => undefined);
});
await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve));
const kubeConfig = new KubeConfig();
kubeConfig.loadFromString(kcp.kubeconfig().replaceAll(kcp.baseUrl, `https://127.0.0.1:${relay.address().port}`));
const options = connectionOptionsOf(kubeConfig);
assert.ok(options.ok, options.problem);
const connection = new Connection({ ...options.value, requestConnections: 1 });
const workspaces = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const root = connection.cluster(parseWorkspacePath('root').value);

const apis = [];
for (const name of ['one', 'two']) {
  const spec = { type: { name: 'universal', path: 'root' } };
  await root.create(workspaces, { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec }, { signal });
  const configuration = configurationOf(connection.cluster(parseWorkspacePath(`root:${name}`).value), { signal });
  apis.push({ core: new CoreV1Api(configuration), any: new KubernetesObjectApi(configuration) });
}
const [one, two] = apis;
const namespace = 'default';
for (const { core } of apis) {
  // A workspace takes a moment, as in a real kcp.
  while ((await core.readNamespace({ name: namespace }).catch((error) => ignoreRetryable(error))) === undefined);
}

const body = { metadata: { name: 'a', labels: { of: 'team' } }, data: { key: 'value' } };
const made = await one.core.createNamespacedConfigMap({ namespace, body });
assert.ok(made.metadata.creationTimestamp instanceof Date);
const items = async ({ core }) =>
  (await core.listNamespacedConfigMap({ namespace, labelSelector: 'of=team' })).items.map(({ data }) => data);
assert.deepEqual(await items(one), [{ key: 'value' }]);
assert.deepEqual(await items(two), []);
await one.any.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace } });
assert.equal((await one.any.read({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace } })).metadata.name, 'b');

const thrown = await two.core.readNamespacedConfigMap({ namespace, name: 'a' }).catch((error) => error);
assert.ok(thrown instanceof ApiException);
assert.equal(thrown.code, 404);
assert.equal(JSON.parse(thrown.body).details.name, 'a');
assert.ok(isKcpError(thrown.cause, 'not-found'));
const all = await two.core.deleteNamespacedConfigMap({ namespace, name: '' }).catch((error) => error);
assert.ok(isKcpError(all, 'invalid'), String(all));

// client-node by itself opens one for each of these calls; ours opens another one where an idle one was closed meanwhile.
assert.ok(opened <= 3, `${opened} connections for calls one after the other`);
await connection.close();
await kcp.stop();
relay.close();

function ignoreRetryable(error) {
  if (kcpErrorOf(error) === undefined) throw error;
}
