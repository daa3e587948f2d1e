// The usual code of an operator, `catch not-found -> gone`, against a kcp that starts as a real one does: half a minute of answers that are no absences, at a
// hundredth of its time.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import {
  Connection,
  isKcpError,
  KeyedQueue,
  listAll,
  logicalCluster,
  parseVirtualWorkspaceUrl,
  workspacePath,
  type ClusterClient,
  type KcpErrorCode,
} from '../index.js';
import { insistently, KcpWorld, VPCS } from '../spec-support/kcp-world.js';
import { hurriedClock } from '../testing/hurried-clock.js';

const TEAM = workspacePath('root:team');
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const { signal } = new AbortController();

describe('a kcp that restarts at the pace of a real one', () => {
  let kcp: EmbeddedKcp;
  let admin: Connection;
  let masters: Connection;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    const server = shard().url;
    admin = new Connection({ server, credentials: { ca: kcp.ca, token: kcp.token('kcp-admin', ['system:kcp:admin']) } });
    masters = new Connection({ server, credentials: { ca: kcp.ca, token: kcp.token('shard-admin', ['system:masters']) } });
    const world = new KcpWorld(admin);
    for (const path of ['root:network', 'root:team']) await world.workspace(path);
    await world.exportVpcs('root:network');
    await world.bind('root:team', 'root:network');
  });
  afterAll(async () => {
    await Promise.all([admin.close(), masters.close()]);
    await kcp.stop();
  });

  const shard = () => kcp.shards[0]!;
  const clusterOf = async (path: string) => {
    const { metadata } = await new KcpWorld(admin).at(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, { signal });
    return logicalCluster(metadata.annotations?.['kcp.io/cluster'] ?? '');
  };
  const doors: Readonly<Record<string, () => Promise<ClusterClient>>> = {
    'by path': () => Promise.resolve(admin.cluster(TEAM)),
    'by path, as masters': () => Promise.resolve(masters.cluster(TEAM)),
    'by name': async () => admin.cluster(await clusterOf('root:team')),
    'by name, as masters': async () => masters.cluster(await clusterOf('root:team')),
    'through the virtual workspace': () => viewOf(admin),
    'through the virtual workspace, as masters': () => viewOf(masters),
  };
  const viewOf = async (connection: Connection): Promise<ClusterClient> => {
    const url = parseVirtualWorkspaceUrl(`${shard().url}/services/apiexport/${await clusterOf('root:network')}/network.example.com`);
    if (!url.ok) throw new Error(url.problem);
    return connection.virtualWorkspace(url.value).cluster(await clusterOf('root:team'));
  };

  it.each(Object.keys(doors))('given deletes %s, of which a not-found means gone, then none is left undone', async (door) => {
    const client = await doors[door]!();
    for (const name of NAMES) await insistently(() => client.create(VPCS, vpc(name), { signal }));

    await shard().stop();
    const started = shard().start({ pace: 'as-kcp' });
    const codes = await deleteAll(client);
    await started;

    const { objects } = await listAll(admin.cluster(TEAM), VPCS, {}, { signal });
    expect(objects).toEqual([]);
    // The restart was noticed, or this has tested nothing.
    expect(codes).toContain('unreachable');
    expect(codes.size).toBeGreaterThan(1);
    expect(codes).not.toContain('not-found');
  });
});

const LOGICAL_CLUSTERS = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

function vpc(name: string) {
  return { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata: { name }, spec: { cidr: '10.0.0.0/8' } };
}

/** Deletes as operators do; answers with what was heard meanwhile. */
async function deleteAll(client: ClusterClient): Promise<ReadonlySet<KcpErrorCode>> {
  const codes = new Set<KcpErrorCode>();
  const left = new Set(NAMES);
  const done = new AbortController();
  const queue = new KeyedQueue<string>({
    clock: hurriedClock(100),
    concurrency: 2,
    backoff: { firstMs: 100, factor: 2, capMs: 1_000 },
    run: async (name) => {
      try {
        await client.delete(VPCS, { name }, { signal });
      } catch (error) {
        if (!isKcpError(error)) throw error;
        codes.add(error.code);
        if (error.code !== 'not-found') return { kind: 'retry' };
      }
      left.delete(name);
      if (left.size === 0) done.abort();
      return { kind: 'done' };
    },
  });
  for (const name of NAMES) queue.add(name);
  await queue.run(done.signal);
  return codes;
}
