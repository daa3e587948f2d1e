import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, LeadersConnection, workspacePath, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { annotateOne, deleteOne, RightMissing, type Target } from './delete-one.js';
import { isReferenced, SKIP_ANNOTATION } from './spec-support/refusals.js';

const { signal } = new AbortController();
const options = { signal, timeoutMs: 5_000, isReferenced, annotation: SKIP_ANNOTATION };
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const status = (code: number, more: object = {}) => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...more });

describe(deleteOne, () => {
  let kcp: TestKcp;
  let connection: Connection;
  let client: ClusterClient;
  let made = 0;

  beforeAll(async () => {
    kcp = await TestKcp.start();
    connection = new Connection(kcp.access());
    client = connection.cluster(workspacePath('root'));
  });

  afterAll(async () => {
    await connection.close();
    await kcp.stop();
  });

  it.each([
    { given: 'an object that nothing holds', finalizers: [], expected: 'gone' },
    { given: 'an object with a finalizer', finalizers: ['example.com/held'], expected: 'held' },
  ])('given $given', async ({ finalizers, expected }) => {
    const target = await make(finalizers);

    expect(await deleteOne(client, target, options)).toEqual({ kind: expected });
  });

  it('given another object that has the name by now, then it stays', async () => {
    const target = await make();
    const other = { ...target.object, metadata: { ...target.object.metadata, uid: 'another' } };

    expect(await deleteOne(client, { ...target, object: other }, options)).toEqual({ kind: 'gone' });

    expect((await client.get(CONFIG_MAPS, refOf(target), { signal })).metadata.uid).toBe(target.object.metadata.uid);
  });

  it('given an object that is gone, then it is gone', async () => {
    const target = await make();
    await deleteOne(client, target, options);

    expect(await deleteOne(client, target, options)).toEqual({ kind: 'gone' });
  });

  it.each([
    {
      given: 'a refusal as others refer to it',
      answer: status(403, { reason: 'Forbidden', details: { causes: [{ reason: 'StillReferenced', message: 'VM/a' }] } }),
      expected: { kind: 'referenced' },
    },
    { given: 'a refusal of others', answer: status(403, { message: 'not today' }), expected: { kind: 'refused', message: 'not today' } },
    ...[401, 404, 409, 422, 500].map((code) => ({
      given: `a webhook that answers with ${code}`,
      answer: status(code, { message: 'admission webhook "x.example.com" denied the request: no', reason: 'NotFound' }),
      expected: { kind: 'refused', message: 'admission webhook "x.example.com" denied the request: no' },
    })),
    { given: 'an answer that comes too late for kcp', answer: status(504, { message: 'timeout' }), expected: { kind: 'unanswered' } },
    {
      given: 'a webhook that is away',
      answer: status(500, { message: 'failed calling webhook' }),
      expected: { kind: 'refused', message: 'failed calling webhook' },
    },
  ])('given $given', async ({ answer, expected }) => {
    const target = await make();
    const remove = kcp.server.faults.onRequest({ method: 'DELETE' }, { kind: 'answer', status: answer.code, body: answer });

    const became = await deleteOne(client, target, options);

    remove();
    expect(became).toEqual(expected);
  });

  it('given a refusal in plain text, then the right is missing', async () => {
    const target = await make();
    const remove = kcp.server.faults.onRequest({}, { kind: 'answer', status: 403, body: 'no rule allows this' });

    const deleting = deleteOne(client, target, options);
    await expect(deleting).rejects.toBeInstanceOf(RightMissing);
    await expect(deleting).rejects.toMatchObject({ verb: 'delete' });
    await expect(annotateOne(client, target, options)).rejects.toMatchObject({ verb: 'patch' });

    remove();
  });

  it('given no answer of the workspace, then it fails', async () => {
    const target = await make();
    const remove = kcp.server.faults.onRequest({ method: 'DELETE' }, { kind: 'answer', status: 503, body: 'away' });

    await expect(deleteOne(client, target, options)).rejects.toMatchObject({ code: 'unavailable' });

    remove();
  });

  it('given no answer in time, then it says so, and the object is annotated by nobody', async () => {
    const target = await make();
    const remove = kcp.server.faults.onRequest({}, { kind: 'hold' });

    expect(await deleteOne(client, target, { ...options, timeoutMs: 50 })).toEqual({ kind: 'unanswered' });
    expect(await annotateOne(client, target, { ...options, timeoutMs: 50 })).toBe(false);

    remove();
  });

  it('given a process that leads no more, then it fails, and the object stays', async () => {
    const target = await make();
    const former = new LeadersConnection({ connection, isLeader: () => false }).sameWorkspace(client);

    await expect(deleteOne(former, target, options)).rejects.toMatchObject({ code: 'conflict' });

    expect(await deleteOne(client, target, options)).toEqual({ kind: 'gone' });
  });

  it('given an object to annotate, then it keeps its other annotations', async () => {
    const target = await make();

    expect(await annotateOne(client, target, options)).toBe(true);

    const { annotations } = (await client.get(CONFIG_MAPS, refOf(target), { signal })).metadata;
    expect(annotations).toMatchObject({ 'example.com/a': 'b', [SKIP_ANNOTATION]: 'true' });
  });

  it('given another object that has the name by now, then that is not annotated', async () => {
    const target = await make();
    const other = { ...target.object, metadata: { ...target.object.metadata, uid: 'another' } };

    expect(await annotateOne(client, { ...target, object: other }, options)).toBe(false);

    const { annotations } = (await client.get(CONFIG_MAPS, refOf(target), { signal })).metadata;
    expect(annotations).not.toHaveProperty([SKIP_ANNOTATION]);
  });

  async function make(finalizers: readonly string[] = []): Promise<Target> {
    const metadata = { name: `o${(made += 1)}`, namespace: 'default', annotations: { 'example.com/a': 'b' }, finalizers: [...finalizers] };
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    return { type: CONFIG_MAPS, object: await client.create(CONFIG_MAPS, object, { signal }) };
  }
});

function refOf({ object: { metadata } }: Target): { readonly name: string; readonly namespace: string } {
  return { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
}
