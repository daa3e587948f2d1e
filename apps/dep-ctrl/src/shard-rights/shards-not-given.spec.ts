import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { ensureWorkspace, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { connectShard } from '../command-line/connect.js';
import { connectTo, onEmbeddedKcp, shardKubeconfigs } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { shardsNotGiven, unsweptShards } from './shards-not-given.js';

const options = () => ({ signal: AbortSignal.timeout(30_000), clock: systemClock });
const listed = [
  { name: 'root', url: 'https://10.0.0.1:6443' },
  { name: 'shard-1', url: 'https://10.0.0.2:6443' },
] as const;
const [root, other] = [
  { ...listed[0], uid: 'uid-of-root' },
  { ...listed[1], uid: 'uid-of-shard-1' },
];
const elsewhere = (url: string, uid?: string) => ({ name: undefined, url, uid });

describe(shardsNotGiven, () => {
  it.each([
    { given: 'each shard', kubeconfigs: [root, other], notGiven: [] },
    { given: 'one shard of two', kubeconfigs: [root], notGiven: [listed[1]] },
    { given: 'the same shard twice', kubeconfigs: [root, root], notGiven: [listed[1]] },
    { given: 'a shard by another address', kubeconfigs: [root, elsewhere('https://tunnel', other.uid)], notGiven: [] },
    { given: 'the same shard by another address', kubeconfigs: [root, elsewhere('https://tunnel', root.uid)], notGiven: [listed[1]] },
    { given: 'as many addresses that show no uid as are missing', kubeconfigs: [root, elsewhere('https://tunnel')], notGiven: [] },
    { given: 'one other address, for two shards', kubeconfigs: [elsewhere('https://tunnel')], notGiven: listed },
    {
      given: 'that address twice',
      kubeconfigs: [elsewhere('https://tunnel'), elsewhere('https://tunnel')],
      notGiven: listed,
    },
    {
      given: 'two other addresses of one shard',
      kubeconfigs: [elsewhere('https://tunnel', root.uid), elsewhere('https://bridge', root.uid)],
      notGiven: listed,
    },
  ])('given $given, then what may not have been looked at is named', ({ kubeconfigs, notGiven }) => {
    expect(shardsNotGiven(listed, kubeconfigs)).toEqual(notGiven);
  });
});

describe(unsweptShards, () => {
  it('given a tenant that writes the name of another shard on its logical clusters, then that shard is still named as one that nobody looked at', () =>
    onEmbeddedKcp(
      async (world) => {
        const { kcp, admin } = world;
        const eve = connectTo(kcp.kubeconfig({ user: 'eve' }));
        const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
        const names = Array.from({ length: 8 }, (_, at) => pathOf(`root:eve-${String(at)}`));
        for (const path of names) {
          await ensureWorkspace(admin, path, { ...options(), shard: 'root' });
          const roleRef = { apiGroup: rbac.group, kind: 'ClusterRole', name: 'cluster-admin' };
          const subjects = [{ kind: 'User', apiGroup: rbac.group, name: 'eve' }];
          const binding = { apiVersion: `${rbac.group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'eve' }, roleRef, subjects };
          await admin.cluster(path).create(rbac, binding, options());
          const body = { metadata: { annotations: { 'core.kcp.io/shard': 'shard-1' } } };
          await eve.cluster(path).patch(LOGICAL_CLUSTERS, { name: 'cluster' }, { kind: 'merge', body }, options());
        }
        const [file = ''] = await shardKubeconfigs(world);
        await writeFile(file, (await readFile(file, 'utf8')).replaceAll('127.0.0.1', 'localhost'));
        const shard = connectShard(file);

        const unswept = await unsweptShards(admin, [shard], options());

        await Promise.all([eve, shard.connection].map((each) => each.close()));
        expect(unswept.map(({ where }) => where.replace(/ at .*/, ''))).toContain('shard "shard-1"');
      },
      { shards: 2 },
    ));
});
