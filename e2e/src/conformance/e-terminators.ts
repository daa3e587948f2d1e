import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { eventually, patience } from '../stage/eventually.js';
import type { Stage, Workspace } from '../stage/stage.js';

const LOGICAL_CLUSTERS = '/apis/core.kcp.io/v1alpha1/logicalclusters';
const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

interface Terminated {
  readonly home: Workspace;
  readonly workspace: Workspace;
  readonly name: string;
  readonly terminator: string;
  /** The terminating virtual workspace of that terminator. */
  readonly view: string;
}

/** A workspace of a type with a terminator, on the first shard. */
async function withTerminator(kcp: Stage, spec: object = {}): Promise<Terminated> {
  const home = await kcp.workspace({ shard: 0 });
  const type = {
    apiVersion: 'tenancy.kcp.io/v1alpha1',
    kind: 'WorkspaceType',
    metadata: { name: 'ordered' },
    spec: { terminator: true, extend: { with: [{ name: 'universal', path: 'root' }] }, ...spec },
  };
  (await kcp.admin.post(`${home.at}/apis/tenancy.kcp.io/v1alpha1/workspacetypes`, type)).expect(201);
  const name = kcp.unique('t');
  const workspace = await kcp.workspace({ name, type: { name: 'ordered', path: home.path }, shard: 0 });
  const terminator = `${home.cluster}:ordered`;
  return { home, workspace, name, terminator, view: `/services/terminatingworkspaces/${terminator}/clusters` };
}

async function gone(kcp: Stage, name: string): Promise<void> {
  await eventually('the workspace is gone', async () => equal((await kcp.admin.get(`${WORKSPACES}/${name}`)).status, 404), 4 * patience.ms);
}

/** E: terminators. */
export const terminators: readonly ConformanceCase[] = [
  {
    id: 'E28.1',
    title: 'a terminator is named by the cluster of its type, not by its path, and a dying workspace is Terminating',
    slow: true,
    run: async (kcp) => {
      const { name, terminator, view, workspace } = await withTerminator(kcp);
      const before = (await kcp.admin.get(`${WORKSPACES}/${name}`)).expect(200).body;
      deepEqual(at(before, 'status', 'terminators'), [terminator]);

      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      if (kcp.since('0.32')) {
        await eventually('it is Terminating', async () => {
          equal(at((await kcp.admin.get(`${WORKSPACES}/${name}`)).expect(200).body, 'status', 'phase'), 'Terminating');
        });
      }
      const status = `${view}/${workspace.cluster}${LOGICAL_CLUSTERS}/cluster/status`;
      await eventually('the terminator is removed', async () => {
        (await kcp.shard().admin.patch('merge', status, { status: { terminators: [] } })).expect(200);
      });
      await gone(kcp, name);
    },
  },
  {
    id: 'E28.2',
    title: 'the virtual workspace shows dying clusters only, in lists and watches',
    slow: true,
    run: async (kcp) => {
      const { name, view, workspace } = await withTerminator(kcp);
      const all = `${view}/*${LOGICAL_CLUSTERS}`;
      const list = await eventually('the type is known', async () => (await kcp.shard().admin.get(all)).expect(200).body);
      deepEqual(list.items, []);
      const watch = await kcp.shard().admin.watch(`${all}?watch=true&resourceVersion=${list.metadata.resourceVersion ?? ''}`);

      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      const { object } = await watch.waitFor('the dying cluster', () => true);
      watch.close();
      equal(object.metadata.annotations?.['kcp.io/cluster'], workspace.cluster);
      ok(object.metadata.deletionTimestamp);
      const now = (await kcp.shard().admin.get(all)).expect(200).body;
      deepEqual(
        now.items?.map(({ metadata }) => metadata.annotations?.['kcp.io/cluster']),
        [workspace.cluster],
      );
    },
  },
  {
    id: 'E28.3',
    title: 'only the own entry can be removed, through /status only',
    slow: true,
    run: async (kcp) => {
      const { name, view, workspace } = await withTerminator(kcp);
      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);
      const cluster = `${view}/${workspace.cluster}${LOGICAL_CLUSTERS}/cluster`;
      const { admin } = kcp.shard();
      await eventually('it is seen', async () => void (await admin.get(cluster)).expect(200));

      const added = await admin.patch('merge', `${cluster}/status`, { status: { terminators: ['root:other'] } });
      const main = await admin.patch('merge', cluster, { metadata: { labels: { a: 'b' } } });

      equal(added.status, 422);
      match(added.body.message ?? '', /only removing the ".*:ordered" terminator is supported/);
      equal(main.status, 405);
    },
  },
  {
    id: 'E28.4',
    title: 'namespaces begin to go while a terminator is still there, and the cluster stays until it is removed',
    slow: true,
    run: async (kcp) => {
      const { name, view, workspace } = await withTerminator(kcp);
      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      await eventually('the namespace is going or gone', async () => {
        const answer = await kcp.admin.get(`${workspace.at}/api/v1/namespaces/default`);
        ok(answer.status === 404 || answer.expect(200).body.metadata.deletionTimestamp !== undefined);
      });
      equal((await kcp.admin.get(`${WORKSPACES}/${name}`)).status, 200);
      const status = `${view}/${workspace.cluster}${LOGICAL_CLUSTERS}/cluster/status`;
      await eventually('the terminator is removed', async () => {
        (await kcp.shard().admin.patch('merge', status, { status: { terminators: [] } })).expect(200);
      });
      await gone(kcp, name);
    },
  },
  {
    id: 'E28.5',
    title: 'content of a dying workspace is reached through the virtual workspace, of a living one it is 403',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const { name, view, workspace } = await withTerminator(kcp);
      const { admin } = kcp.shard();
      const content = `${view}/${workspace.cluster}/api/v1/namespaces`;
      await eventually('the type is known', async () => equal((await admin.get(content)).status, 403));

      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      await eventually('content is served', async () => void (await admin.get(content)).expect(200));
    },
  },
  {
    id: 'E28.6',
    title: 'whoever may not terminate the type is 403',
    slow: true,
    run: async (kcp) => {
      const { view } = await withTerminator(kcp);
      const all = `${view}/*${LOGICAL_CLUSTERS}`;
      await eventually('the type is known', async () => void (await kcp.shard().admin.get(all)).expect(200));

      equal((await kcp.shard().alice.get(all)).status, 403);
    },
  },
];
