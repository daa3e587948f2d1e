import { deepEqual, equal, match } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import {
  beginWorkspace,
  dies,
  gone,
  holdingType,
  LOGICAL_CLUSTERS,
  nameInRoot,
  release,
  ROOT_WORKSPACES,
  worker,
  workspaceOf,
  type HoldingType,
} from '../stage/lifecycle-workspaces.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

/** Two types side by side: a workspace of the first one waits for both terminators. */
async function twoTerminators(
  kcp: Stage,
): Promise<{ readonly outer: HoldingType; readonly inner: HoldingType; readonly workspace: Workspace }> {
  const inner = await holdingType(kcp, 'terminator', {}, 'inner');
  const outer = await holdingType(kcp, 'terminator', { extend: { with: [{ name: 'inner', path: inner.home.path }] } }, 'outer');
  const workspace = await workspaceOf(kcp, outer);
  await dies(kcp, workspace, outer);
  return { outer, inner, workspace };
}

function clusterIn({ view }: HoldingType, cluster: string): string {
  return `${view}/${cluster}${LOGICAL_CLUSTERS}/cluster`;
}

async function terminatorsOf(kcp: Stage, workspace: Workspace, { admin } = kcp.front): Promise<unknown> {
  return at((await admin.get(`${workspace.at}${LOGICAL_CLUSTERS}/cluster`)).expect(200).body, 'status', 'terminators');
}

/** That the shard of a dying workspace lists it, tells its entry and serves its content. */
async function isShown(kcp: Stage, { entry, view }: HoldingType, workspace: Workspace): Promise<void> {
  const door = kcp.shard(workspace.shard);
  await eventually('it is seen', async () => {
    const { body } = (await door.admin.get(`${view}/*${LOGICAL_CLUSTERS}`)).expect(200);
    deepEqual(
      body.items?.map(({ metadata }) => metadata.annotations?.['kcp.io/cluster']),
      [workspace.cluster],
    );
  });
  deepEqual(await eventually('its list is read', () => terminatorsOf(kcp, workspace, door)), [entry]);
  if (!kcp.since('0.32')) return;
  await eventually('its content is served', async () => {
    (await door.admin.get(`${view}/${workspace.cluster}/api/v1/namespaces`)).expect(200);
  });
}

/** A dying workspace on the second shard, and its type on the first one. */
async function dyingOnSecondShard(kcp: Stage): Promise<{ readonly type: HoldingType; readonly workspace: Workspace }> {
  const type = await holdingType(kcp, 'terminator');
  const workspace = await workspaceOf(kcp, type, 1);
  await dies(kcp, workspace, type, kcp.shard(1).admin);
  return { type, workspace };
}

/** E: how entries of terminators and initializers go off the lists of a logical cluster. */
export const lifecycleEntries: readonly ConformanceCase[] = [
  {
    id: 'E28.12',
    title: 'terminators add up by extend; each removes its own, sees the workspace until then, and the last one lets it go',
    slow: true,
    run: async (kcp) => {
      const { outer, inner, workspace } = await twoTerminators(kcp);
      const { admin } = kcp.shard();
      const both = await terminatorsOf(kcp, workspace);
      deepEqual([...(both as string[])].sort(), [inner.entry, outer.entry].sort());

      await release(kcp, 'terminator', outer, workspace.cluster);

      deepEqual(await terminatorsOf(kcp, workspace), [inner.entry]);
      await eventually('the first sees it no more', async () => equal((await admin.get(clusterIn(outer, workspace.cluster))).status, 404));
      deepEqual((await admin.get(`${outer.view}/*${LOGICAL_CLUSTERS}`)).expect(200).body.items, []);
      (await admin.get(clusterIn(inner, workspace.cluster))).expect(200);
      await release(kcp, 'terminator', inner, workspace.cluster);
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.13',
    title: 'nobody removes the entry of another, nor all at once; a status that leaves the list alone is written',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const { outer, inner, workspace } = await twoTerminators(kcp);
      const { admin } = kcp.shard();
      const status = `${clusterIn(outer, workspace.cluster)}/status`;

      const others = await admin.patch('merge', status, { status: { terminators: [outer.entry] } });
      const all = await admin.patch('merge', status, { status: { terminators: [] } });
      const turned = await admin.patch('merge', status, { status: { terminators: [inner.entry, inner.entry] } });
      const untouched = await admin.patch('merge', status, { status: { phase: 'Terminating' } });

      for (const answer of [others, all, turned]) {
        equal(answer.status, 422);
        match(answer.body.message ?? '', /only removing the ".*:outer" terminator is supported/);
      }
      equal(untouched.status, 200);
      await release(kcp, 'terminator', outer, workspace.cluster);
      await release(kcp, 'terminator', inner, workspace.cluster);
    },
  },
  {
    id: 'E28.14',
    title:
      'a JSON patch with a test removes an entry by its position; where another stands there it is 422, and with an old resourceVersion 409',
    slow: true,
    run: async (kcp) => {
      const { outer, inner, workspace } = await twoTerminators(kcp);
      const { admin } = kcp.shard();
      const list = (await terminatorsOf(kcp, workspace)) as string[];
      const status = `${clusterIn(outer, workspace.cluster)}/status`;
      const removing = (index: number): readonly object[] => [
        { op: 'test', path: `/status/terminators/${index}`, value: outer.entry },
        { op: 'remove', path: `/status/terminators/${index}` },
      ];
      const index = list.indexOf(outer.entry);

      const missed = await admin.patch('json', status, removing(1 - index));
      const beyond = await admin.patch('json', status, removing(7));
      const old = await admin.patch('merge', status, { metadata: { resourceVersion: '1' }, status: { terminators: [inner.entry] } });
      const hit = await admin.patch('json', status, removing(index));

      deepEqual([missed.status, beyond.status, old.status, hit.status], [422, 422, 409, 200]);
      deepEqual(at(hit.body, 'status', 'terminators'), [inner.entry]);
      await release(kcp, 'terminator', inner, workspace.cluster);
    },
  },
  {
    id: 'E28.15',
    title: 'a type that is deleted holds the workspaces that die: they are still seen and let go, only their content is 503',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator');
      const workspace = await workspaceOf(kcp, type);
      await dies(kcp, workspace, type);
      const { admin } = kcp.shard();

      (await kcp.admin.delete(`${type.home.at}/apis/tenancy.kcp.io/v1alpha1/workspacetypes/${type.name}`)).expect(200);

      await eventually('the content is closed', async () => {
        const answer = await admin.get(`${type.view}/${workspace.cluster}/api/v1/namespaces`);
        equal(answer.status, 503);
        match(
          answer.text,
          /^terminator ".*:held": WorkspaceType not found in local or cached indexer; refusing to fall back to owner impersonation/,
        );
      });
      equal((await admin.get(`${type.view}/*${LOGICAL_CLUSTERS}`)).expect(200).body.items?.length, 1);
      await release(kcp, 'terminator', type, workspace.cluster);
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.16',
    title: 'a shard that restarts while a workspace dies shows it again, and lets it go when the entry is removed',
    slow: true,
    needs: ['restarts'],
    exclusive: () => 'everything',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator');
      const [shard] = kcp.backend.shards;
      const workspace = await workspaceOf(kcp, type);
      await dies(kcp, workspace, type);

      await shard.stop();
      await shard.start();

      await isShown(kcp, type, workspace);
      await release(kcp, 'terminator', type, workspace.cluster);
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.18',
    title:
      'a shard that restarts while a workspace dies whose type is on another shard shows it again, and lets it go when the entry is removed',
    slow: true,
    needs: ['two-shards', 'restarts'],
    exclusive: () => 'everything',
    run: async (kcp) => {
      const { type, workspace } = await dyingOnSecondShard(kcp);
      const [, shard] = kcp.backend.shards;

      await shard?.stop();
      await shard?.start();

      await isShown(kcp, type, workspace);
      await release(kcp, 'terminator', type, workspace.cluster, kcp.shard(1));
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.19',
    title:
      'while the shard of its type is down, a dying workspace of another shard is shown to whoever was let in before, and let go; others are answered 500; the Workspace goes when that shard is back',
    slow: true,
    since: '0.32',
    needs: ['two-shards', 'restarts'],
    exclusive: () => 'everything',
    run: async (kcp) => {
      const { type, workspace } = await dyingOnSecondShard(kcp);
      const [shard] = kcp.backend.shards;
      const late = await kcp.shard(1).user({ name: kcp.unique('late'), groups: ['system:kcp:admin'] });
      await isShown(kcp, type, workspace);

      await shard.stop();

      try {
        await isShown(kcp, type, workspace);
        for (const path of [`${type.view}/*${LOGICAL_CLUSTERS}`, clusterIn(type, workspace.cluster)]) {
          const { status, text } = await late.get(path);
          equal(status, 500);
          const why =
            'an error on the server ("") has prevented the request from succeeding (post subjectaccessreviews.authorization.k8s.io)';
          equal(text.trimEnd(), `Internal Server Error: "${path}": ${why}`);
        }
        await release(kcp, 'terminator', type, workspace.cluster, kcp.shard(1));
      } finally {
        await shard.start();
      }
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'C20.15',
    title: 'an initializer is removed through /status only, by whoever may initialize, and nothing is added',
    slow: true,
    run: async (kcp) => {
      const type = await holdingType(kcp, 'initializer');
      const caller = await worker(kcp, 'initializer', type);
      const name = kcp.unique('begun');
      const cluster = await beginWorkspace(kcp, type, name);
      const object = clusterIn(type, cluster);
      await eventually('it is seen', async () => void (await caller.get(object)).expect(200));

      const main = await caller.patch('merge', object, { metadata: { labels: { a: 'b' } } });
      const put = await caller.put(object, (await caller.get(object)).expect(200).body);
      const added = await caller.patch('merge', `${object}/status`, { status: { initializers: [type.entry, 'root:other'] } });
      const stranger = await kcp.shard().alice.get(object);

      equal(main.status, 405);
      equal(put.status, 405);
      equal(added.status, 422);
      match(added.body.message ?? '', /only removing the ".*:held" initializer is supported/);
      equal(stranger.status, 403);
      await release(kcp, 'initializer', type, cluster);
      await kcp.ready('root', name);
      await eventually('it is seen no more', async () => equal((await caller.get(object)).status, 404));
      (await kcp.admin.delete(`${ROOT_WORKSPACES}/${name}`)).expect(200);
    },
  },
];
