import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ClusterClient, KcpError } from '../index.js';
import { connect, KcpWorld } from '../spec-support/kcp-world.js';
import { Scratch } from '../spec-support/scratch.js';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const { signal } = new AbortController();

describe(ClusterClient, () => {
  let kcp: EmbeddedKcp;
  let world: KcpWorld;
  let client: ClusterClient;

  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    using scratch = new Scratch();
    world = new KcpWorld(connect(scratch.write('config', kcp.kubeconfig())));
    client = await world.workspace('root:writes');
  }, 30_000);

  afterAll(async () => {
    await world.connection.close();
    await kcp.stop();
  });

  it('given an object, when it is created, replaced and deleted, then kcp has what was written', async () => {
    const created = await client.create(configMaps, configMap('a', { x: '1' }), { signal });
    const replaced = await client.replace(configMaps, { ...created, data: { y: '2' } }, { signal });
    await client.delete(configMaps, ref('a'), { signal });

    expect(created).toMatchObject({ data: { x: '1' }, metadata: { name: 'a', namespace: 'default' } });
    expect(replaced['data']).toEqual({ y: '2' });
    expect(await failureOf(client.get(configMaps, ref('a'), { signal }))).toMatchObject({ code: 'not-found', status: 404 });
  });

  it('given an object that is there, when it is created again, then the error says so; and one that is not there cannot be replaced', async () => {
    await client.create(configMaps, configMap('twice'), { signal });

    expect(await failureOf(client.create(configMaps, configMap('twice'), { signal }))).toMatchObject({ code: 'already-exists' });
    expect(await failureOf(client.replace(configMaps, configMap('never'), { signal }))).toMatchObject({ code: 'not-found' });
    expect(await failureOf(client.replace(configMaps, { metadata: {} }, { signal }))).toMatchObject({ code: 'invalid' });
  });

  it('given an object that is read as bytes, then they are what kcp wrote; more than were asked for are refused', async () => {
    const created = await client.create(configMaps, configMap('as-bytes'), { signal });
    const ref = { namespace: 'default', name: 'as-bytes' };

    expect(JSON.parse((await client.getBytes(configMaps, ref, { signal })).toString())).toEqual(created);
    await expect(client.getBytes(configMaps, ref, { signal, maxBytes: 10 })).rejects.toMatchObject({ code: 'too-large' });
  });

  it('given a storm of writers with one resourceVersion, then one wins and the others are told of a conflict', async () => {
    const first = await client.create(configMaps, configMap('storm'), { signal });

    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => client.replace(configMaps, { ...first, data: { winner: String(index) } }, { signal })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const loser of losers) expect(loser).toMatchObject({ code: 'conflict', retryable: false });
  });

  it('given merge, json and apply patches, then each changes its part only', async () => {
    await client.create(configMaps, configMap('parts', { a: '1', b: '1' }), { signal });

    await client.patch(configMaps, ref('parts'), { kind: 'merge', body: { data: { a: '2' } } }, { signal });
    await client.patch(configMaps, ref('parts'), { kind: 'json', body: [{ op: 'remove', path: '/data/b' }] }, { signal });
    const apply = { kind: 'apply', fieldManager: 'spec', body: configMap('parts', { c: '3' }) } as const;
    const applied = await client.patch(configMaps, ref('parts'), apply, { signal });

    expect(applied['data']).toEqual({ a: '2', c: '3' });
  });

  it('given a field that somebody else applied, when it is applied, then it is a conflict, unless forced', async () => {
    const apply = (value: string, fieldManager: string, force: boolean): Promise<KubeObject> =>
      client.patch(configMaps, ref('owned'), { kind: 'apply', fieldManager, force, body: configMap('owned', { a: value }) }, { signal });
    await apply('1', 'one', false);

    expect(await failureOf(apply('2', 'two', false))).toMatchObject({ code: 'conflict' });
    expect((await apply('2', 'two', true))['data']).toEqual({ a: '2' });
  });

  it('given a status, when it is replaced, then the rest stays as it was', async () => {
    const namespace = await client.create(
      namespaces,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'with-status' } },
      { signal },
    );

    const sent = { ...namespace, metadata: { ...namespace.metadata, labels: { not: 'written' } }, status: { phase: 'Active' } };
    const replaced = await client.replaceStatus(namespaces, sent, { signal });

    expect(replaced.metadata.labels).not.toHaveProperty('not');
  });

  it('given preconditions that no longer hold, then nothing is deleted', async () => {
    const { metadata } = await client.create(configMaps, configMap('kept'), { signal });

    const stale = failureOf(client.delete(configMaps, ref('kept'), { preconditions: { uid: 'another' }, signal }));

    expect(await stale).toMatchObject({ code: 'conflict' });
    expect((await client.get(configMaps, ref('kept'), { signal })).metadata.uid).toBe(metadata.uid);
  });

  it('given a dry run, then nothing is stored or deleted', async () => {
    await client.create(configMaps, configMap('stays'), { signal });

    await client.create(configMaps, configMap('dry'), { dryRun: true, signal });
    await client.delete(configMaps, ref('stays'), { dryRun: true, signal });

    expect(await failureOf(client.get(configMaps, ref('dry'), { signal }))).toMatchObject({ code: 'not-found' });
    await expect(client.get(configMaps, ref('stays'), { signal })).resolves.toMatchObject({ kind: 'ConfigMap' });
  });

  it('given what the schema does not admit, then the error is one line with all causes', async () => {
    const failure = await failureOf(client.create(configMaps, configMap('Not a name'), { signal }));

    expect(failure).toMatchObject({ code: 'invalid', reason: 'Invalid', status: 422 });
    expect(failure.message).not.toContain('\n');
  });

  it('given a type that nobody serves, then that is another error than an object that is not there', async () => {
    const failure = await failureOf(client.get({ group: 'no.such.io', version: 'v1', resource: 'things' }, { name: 'a' }, { signal }));

    expect(failure.code).toBe('not-served');
  });

  it('given many watches, then they do not keep requests waiting', async () => {
    const stop = new AbortController();
    const query = { namespace: 'default', resourceVersion: '', timeoutSeconds: 60, silenceMs: 60_000 };
    const watches = await Promise.all(Array.from({ length: 30 }, () => client.watch(configMaps, query, { signal: stop.signal })));

    await expect(client.get(namespaces, { name: 'default' }, { signal, timeoutMs: 5_000 })).resolves.toMatchObject({ kind: 'Namespace' });

    const ends = watches.map((chunks) => readToEnd(chunks));
    stop.abort();
    const endings = await Promise.allSettled(ends);
    expect(endings.map((ending) => (ending.status === 'rejected' ? (ending.reason as KcpError).code : 'ended'))).toEqual(
      Array.from({ length: 30 }, () => 'aborted'),
    );
  });
});

function configMap(name: string, data: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

function ref(name: string): { readonly name: string; readonly namespace: string } {
  return { name, namespace: 'default' };
}

async function readToEnd(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) chunk.fill(0);
}

async function failureOf(promise: Promise<unknown>): Promise<KcpError> {
  const failure = await promise.catch((thrown: unknown) => thrown);
  if (!(failure instanceof KcpError)) throw new Error('it succeeded');
  return failure;
}
