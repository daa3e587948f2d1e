import { describe, expect, it } from '@jest/globals';
import { workspacePath, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { Connection } from '../connection/connection.js';
import { KcpError } from '../errors/kcp-error.js';
import { LeaderElector } from './leader-elector.js';
import type { RawRequest, Requester } from '../http/requester.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';
import { json, serve } from '../spec-support/serve.js';
import { LeadersConnection } from './leaders-connection.js';

const { signal } = new AbortController();
const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const object: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', uid: 'u', resourceVersion: '1' } };
const ref = { name: 'mine' };
const ENDPOINT = 'https://kcp/services/apiexport/owner/secrets.example.com' as VirtualWorkspaceUrl;

describe(LeadersConnection, () => {
  it('given a leader that was frozen past its deadline, when it thaws, then it reads and writes nothing', async () => {
    const { client, asked, clock, stop } = await leading();
    await client.replace(SECRETS, object, { signal });

    clock.ms += 10_000; // nothing runs meanwhile

    await client.get(SECRETS, ref, { signal });
    const writes = [
      client.replace(SECRETS, object, { signal }),
      client.create(SECRETS, object, { signal }),
      client.delete(SECRETS, ref, { signal }),
      client.patch(SECRETS, ref, { kind: 'merge', body: {} }, { signal }),
    ];
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'conflict' });
    expect(asked).toEqual(['PUT', 'GET']);
    await stop();
  });

  it('given a leader just before its deadline, then it still writes', async () => {
    const { client, asked, clock, stop } = await leading();

    clock.ms += 9_999;

    await client.replace(SECRETS, object, { signal });
    expect(asked).toEqual(['PUT']);
    await stop();
  });
  it('given a write that waits for a socket while the leader is frozen past its deadline, when it thaws, then the write is not sent', async () => {
    const written: string[] = [];
    const { arrived, arrives } = firstRead();
    await using kcp = await serve((request, response) => {
      if (request.method === 'GET') arrives(() => json(200, object)(request, response));
      else written.push(String(request.method));
    });
    const connection = new Connection({ server: kcp.url, requestConnections: 1 });
    const { elector, clock, stop } = await leading();
    const leaders = new LeadersConnection({ connection, isLeader: () => elector.isLeader() });
    const client = leaders.sameWorkspace(connection.cluster(workspacePath('root')));
    const reading = client.get(SECRETS, ref, { signal });
    const writing = client.delete(SECRETS, ref, { signal });
    const answer = await arrived;

    clock.ms += 10_000; // nothing runs meanwhile
    answer();

    await reading;
    await expect(writing).rejects.toMatchObject({ code: 'conflict' });
    expect(written).toEqual([]);
    await stop();
    await connection.close();
  });
});

/** A process that leads, with a client of one workspace, on a clock that moves only when told. */
async function leading() {
  const clock = new ManualClock();
  const elector = new LeaderElector({ client: freeLease(), namespace: 'default', name: 'lease', identity: 'we', clock });
  const stopping = new AbortController();
  const ended = elector.run(
    (term) => new Promise((resolve) => term.addEventListener('abort', () => resolve(), { once: true })),
    stopping.signal,
  );
  await settled();
  expect(elector.isLeader()).toBe(true);
  const asked: RawRequest['method'][] = [];
  const requester: Requester = {
    request: ({ method }) => {
      asked.push(method);
      return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(object)) });
    },
    open: () => Promise.reject(new Error('nothing is watched here')),
  };
  const connection = { ...requester, baseUrl: 'https://kcp' };
  const client = new LeadersConnection({ connection, isLeader: () => elector.isLeader() })
    .virtualWorkspace(ENDPOINT)
    .cluster('network1' as LogicalClusterName);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return { client, elector, asked, clock, stop };
}

/** The first read that a server gets, as what answers it. */
function firstRead() {
  let arrives = (_answer: () => void): void => undefined;
  const arrived = new Promise<() => void>((resolve) => {
    arrives = resolve;
  });
  return { arrived, arrives };
}

/** A lease that nobody holds, and whose every write succeeds. */
function freeLease() {
  let version = 0;
  const write = (_type: unknown, lease: KubeObject): Promise<KubeObject> => {
    version += 1;
    return Promise.resolve({ ...lease, metadata: { ...lease.metadata, resourceVersion: String(version) } });
  };
  const statusBody = { kind: 'Status', details: { name: 'lease', group: 'coordination.k8s.io', kind: 'leases' } } as const;
  const absent = new KcpError({ code: 'not-found', asked: 'get lease', at: 'kcp', problem: 'not found', statusBody });
  return { get: () => Promise.reject(absent), create: write, replace: write, describe: () => ({ asked: 'lease', at: 'kcp' }) };
}
