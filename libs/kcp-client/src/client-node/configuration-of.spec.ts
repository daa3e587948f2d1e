import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { describe, expect, it } from '@jest/globals';
import { ApiException, CoreV1Api, PatchStrategy, setHeaderOptions, VersionApi, V1ConfigMap } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { Connection, isKcpError, LeadersConnection, type ClusterClient } from '../index.js';
import { loadKubeconfig } from '../kubeconfig/index.js';
import { CountedRelay } from '../spec-support/counted-relay.js';
import { KcpWorld } from '../spec-support/kcp-world.js';
import { json, serve, text, unusedUrl } from '../spec-support/serve.js';
import { withClient } from '../spec-support/with-client.js';
import { configurationOf, kcpErrorOf } from './index.js';

const { signal } = new AbortController();
const IN_DEFAULT = { namespace: 'default' };
const labelled = { labelSelector: 'of=team' };

describe('generated APIs of @kubernetes/client-node over a connection of ours', () => {
  it('given two workspaces, then each API lists, creates, patches and misses in its own, over the sockets of the connection', async () => {
    const kcp = await EmbeddedKcp.start({ delays: 'fast' });
    await using relay = await CountedRelay.to(kcp.baseUrl);
    const loaded = loadKubeconfig({ object: parse(kcp.kubeconfig().replaceAll(kcp.baseUrl, relay.url)) });
    if (!loaded.ok) throw new Error(loaded.problem);
    const connection = new Connection({ ...loaded.value, requestConnections: 1 });
    const world = new KcpWorld(connection);
    const [one, two] = [apiOf(await world.workspace('root:one')), apiOf(await world.workspace('root:two'))];

    const body = Object.assign(new V1ConfigMap(), { metadata: { name: 'a', labels: { of: 'team' } }, data: { key: 'one' } });
    const made = await one.createNamespacedConfigMap({ ...IN_DEFAULT, body });
    const patched = await one.patchNamespacedConfigMap(
      { ...IN_DEFAULT, name: 'a', body: { data: { key: 'changed' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    const lists = await Promise.all([one, two].map((api) => api.listNamespacedConfigMap({ ...IN_DEFAULT, ...labelled })));
    const missing = await failureOf(two.readNamespacedConfigMap({ ...IN_DEFAULT, name: 'a' }));
    const twice = await failureOf(one.createNamespacedConfigMap({ ...IN_DEFAULT, body }));
    const opened = relay.opened;
    await connection.close();
    await kcp.stop();

    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
    expect(patched.data).toEqual({ key: 'changed' });
    expect(lists.map(({ items }) => items.map(({ data }) => data))).toEqual([[{ key: 'changed' }], []]);
    expect(missing).toMatchObject({ code: 404, cause: { code: 'not-found', asked: expect.stringContaining('in "root:two"') } });
    expect(JSON.parse(bodyOf(missing))).toMatchObject({ kind: 'Status', reason: 'NotFound', details: { name: 'a', kind: 'configmaps' } });
    expect(isKcpError(kcpErrorOf(twice), 'already-exists')).toBe(true);
    // client-node by itself opens one for each call; ours opens another one where an idle one was closed meanwhile.
    expect(opened).toBeLessThanOrEqual(2);
  }, 30_000);

  it('given a page of a proxy, then the ApiException has its text and headers, and the error is as ours', async () => {
    const thrown = await withClient(text(503, 'come back later', { 'retry-after': '7' }), (client) =>
      failureOf(apiOf(client).readNamespacedConfigMap({ ...IN_DEFAULT, name: 'a' })),
    );

    expect(thrown).toBeInstanceOf(ApiException);
    expect(thrown).toMatchObject({ code: 503, body: 'come back later', headers: { 'retry-after': '7' } });
    expect(kcpErrorOf(thrown)).toMatchObject({ code: 'unavailable', retryable: true, retryAfterMs: 7_000 });
  });

  it('given nobody who listens, then the error is ours', async () => {
    const connection = new Connection({ server: await unusedUrl() });

    const thrown = await failureOf(new VersionApi(configurationOf(connection.ownWorkspace(), { signal })).getCode());
    await connection.close();

    expect(kcpErrorOf(thrown)).toBe(thrown);
    expect(thrown).toMatchObject({ code: 'unreachable', asked: 'get /version' });
  });

  it.each(['', '..'])('given an object called %j, then nothing is sent: the delete would be one of all objects', async (name) => {
    const sent: string[] = [];

    const thrown = await withClient(
      (request, response) => {
        sent.push(String(request.url));
        json(200, {})(request, response);
      },
      (client) => failureOf(apiOf(client).deleteNamespacedConfigMap({ ...IN_DEFAULT, name })),
    );

    expect(thrown).toMatchObject({ code: 'invalid', message: expect.stringContaining(`${JSON.stringify(name)} is no name`) });
    expect(sent).toEqual([]);
  });

  it('given a middleware that asks for another identity, then nothing is sent', async () => {
    const thrown = await withClient(json(200, {}), (client) =>
      failureOf(apiOf(client).listNamespacedConfigMap(IN_DEFAULT, setHeaderOptions('Impersonate-User', 'me'))),
    );

    expect(thrown).toMatchObject({ code: 'invalid', message: expect.stringContaining('"impersonate-user" is not sent') });
  });

  it('given a signal that aborts while a call waits, then the call ends', async () => {
    const stop = new AbortController();

    const thrown = await withClient(
      () => stop.abort(),
      (client) => failureOf(new CoreV1Api(configurationOf(client, { signal: stop.signal })).listNamespacedConfigMap(IN_DEFAULT)),
    );

    expect(kcpErrorOf(thrown)?.code).toBe('aborted');
  });

  it('given the connection of a leader that leads no more, then a generated write is refused and a read is not', async () => {
    await using kcp = await serve(json(200, { kind: 'ConfigMap', metadata: { name: 'a' } }));
    const connection = new Connection({ server: kcp.url });
    const api = apiOf(new LeadersConnection({ connection, isLeader: () => false }).sameWorkspace(connection.ownWorkspace()));

    const write = await failureOf(api.createNamespacedConfigMap({ ...IN_DEFAULT, body: new V1ConfigMap() }));
    const read = await api.readNamespacedConfigMap({ ...IN_DEFAULT, name: 'a' });
    await connection.close();

    expect(write).toMatchObject({ code: 'conflict' });
    expect(read).toMatchObject({ metadata: { name: 'a' } });
  });
});

describe(kcpErrorOf, () => {
  it.each([undefined, 'text', new Error('other'), new ApiException(404, 'of another client', '', {})])(
    'given %p, then there is none',
    (thrown) => {
      expect(kcpErrorOf(thrown)).toBeUndefined();
    },
  );
});

function apiOf(client: ClusterClient): CoreV1Api {
  return new CoreV1Api(configurationOf(client, { signal }));
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('expected a failure');
    },
    (thrown: unknown) => thrown,
  );
}

function bodyOf(thrown: unknown): string {
  return thrown instanceof ApiException ? String(thrown.body) : '';
}
