import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type KubeBody } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { eventually } from '../stage/eventually.js';
import { anyWorkspace } from '../stage/exports.js';

const WORKSPACES = '/apis/tenancy.kcp.io/v1alpha1/workspaces';
const LOGICAL_CLUSTERS = '/apis/core.kcp.io/v1alpha1/logicalclusters';
const UNIVERSAL = { name: 'universal', path: 'root' };

function conditionOf(body: KubeBody, type: string): string | undefined {
  const conditions = (at(body, 'status', 'conditions') ?? []) as { type: string; status: string }[];
  return conditions.find((one) => one.type === type)?.status;
}

/** C: workspaces and logical clusters. */
export const workspaces: readonly ConformanceCase[] = [
  {
    id: 'C20.1',
    title: 'a logical cluster is read by path, with both annotations, its owner, its creator and its URL',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      // The Workspace is Ready a moment before its logical cluster.
      const body = await eventually('it is Ready', async () => {
        const answer = (await kcp.admin.get(`/clusters/${workspace.path}${LOGICAL_CLUSTERS}/cluster`)).expect(200);
        equal(at(answer.body, 'status', 'phase'), 'Ready');
        return answer.body;
      });

      equal(body.metadata.annotations?.['kcp.io/cluster'], workspace.cluster);
      equal(body.metadata.annotations['kcp.io/path'], workspace.path);
      equal(body.metadata.annotations['internal.tenancy.kcp.io/type'], 'root:universal');
      const owner = at(body, 'spec', 'owner');
      deepEqual([at(owner, 'resource'), at(owner, 'name'), at(owner, 'cluster')], ['workspaces', workspace.path.split(':')[1], 'root']);
      if (kcp.since('0.32')) equal(at(body, 'spec', 'createdBy', 'username'), 'kcp-admin');
      ok(String(at(body, 'status', 'URL')).endsWith(`/clusters/${workspace.cluster}`));
      ok(body.metadata.finalizers?.includes('core.kcp.io/logicalcluster-deletion'));
    },
  },
  {
    id: 'C20.25',
    title: 'a workspace that system:masters made has no owner, and never gets ready',
    run: async (kcp) => {
      const name = kcp.unique('w');
      const { masters } = kcp.shard();
      // By its path a shard knows only what is its own.
      const location = { selector: { matchLabels: { name: kcp.backend.shards[0].name } } };
      const spec = { type: UNIVERSAL, location };
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec };
      const made = (await masters.post(`/clusters/root${WORKSPACES}`, object)).expect(201);

      equal(made.body.metadata.annotations?.['experimental.tenancy.kcp.io/owner'], undefined);
      await eventually('it says why', async () => {
        const { body } = (await masters.get(`/clusters/root:${name}${LOGICAL_CLUSTERS}/cluster`)).expect(200);
        equal(at(body, 'spec', 'createdBy'), undefined);
        equal(body.metadata.annotations?.['experimental.tenancy.kcp.io/owner'], undefined);
        equal(at(body, 'status', 'phase'), 'Initializing');
        deepEqual(at(body, 'status', 'initializers'), ['system:apibindings']);
        if (!kcp.since('0.32')) return;
        const conditions = at(body, 'status', 'conditions') as { type: string; severity?: string; message?: string }[];
        const { severity, message } = conditions.find(({ type }) => type === 'APIBindingsInitialized') ?? {};
        equal(severity, 'Error');
        match(message ?? '', /"LogicalCluster [a-z0-9]+\|cluster had no createdBy recorded"/);
      });
      (await kcp.admin.delete(`/clusters/root${WORKSPACES}/${name}`)).expect(200);
    },
  },
  {
    id: 'C20.2',
    title: 'a logical cluster can be neither created nor deleted by an admin',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const object = { apiVersion: 'core.kcp.io/v1alpha1', kind: 'LogicalCluster', metadata: { name: 'cluster' }, spec: {} };

      const created = await kcp.admin.post(workspace.at + LOGICAL_CLUSTERS, object);
      const deleted = await kcp.admin.delete(`${workspace.at}${LOGICAL_CLUSTERS}/cluster`);

      equal(created.status, 403);
      match(created.body.message ?? '', /LogicalCluster cannot be created/);
      equal(deleted.status, 403);
      match(deleted.body.message ?? '', /LogicalCluster cannot be deleted/);
    },
  },
  {
    id: 'C20.3',
    title: 'a workspace without a type below root is an organization',
    run: async (kcp) => {
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: kcp.unique('w') } };

      const { body } = (await kcp.admin.post(`/clusters/root${WORKSPACES}`, object)).expect(201);

      deepEqual(at(body, 'spec', 'type'), { name: 'organization', path: 'root' });
    },
  },
  {
    id: 'C20.4',
    title: 'spec.cluster cannot be set by an admin, the type cannot be changed',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const object = (spec: object): object => ({
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'Workspace',
        metadata: { name: kcp.unique('w') },
        spec: { type: UNIVERSAL, ...spec },
      });

      const preset = await kcp.admin.post(`/clusters/root${WORKSPACES}`, object({ cluster: workspace.cluster }));
      const name = workspace.path.split(':')[1] ?? '';
      const retyped = await kcp.admin.patch('merge', `/clusters/root${WORKSPACES}/${name}`, { spec: { type: { name: 'organization' } } });

      equal(preset.status, 403);
      equal(retyped.status, 422);
      match(retyped.body.message ?? '', /name is immutable/);
    },
  },
  {
    id: 'C20.5',
    title: 'a Ready workspace says where it is: spec.cluster, spec.URL by path, phase as label, and the annotation of its parent',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const name = workspace.path.split(':')[1] ?? '';

      const { body } = await eventually('it is Initialized', async () => {
        const answer = (await kcp.admin.get(`/clusters/root${WORKSPACES}/${name}`)).expect(200);
        equal(conditionOf(answer.body, 'WorkspaceInitialized'), 'True');
        return answer;
      });

      equal(at(body, 'spec', 'cluster'), workspace.cluster);
      match(workspace.cluster, /^[0-9a-z]{16}$/);
      ok(String(at(body, 'spec', 'URL')).endsWith(`/clusters/${workspace.path}`));
      equal(body.metadata.labels?.['tenancy.kcp.io/phase'], 'Ready');
      equal(body.metadata.annotations?.['kcp.io/cluster'], 'root');
      equal(body.metadata.annotations['kcp.io/path'], undefined);
      deepEqual(body.metadata.finalizers, ['core.kcp.io/logicalcluster']);
      equal(conditionOf(body, 'WorkspaceScheduled'), 'True');
    },
  },
  {
    id: 'C20.6',
    title: 'a new workspace has the namespaces default and kube-system, bindings to tenancy and topology and an admin of its own',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      const names = async (path: string): Promise<readonly (string | undefined)[]> =>
        ((await kcp.admin.get(workspace.at + path)).expect(200).body.items ?? []).map(({ metadata }) => metadata.name);

      deepEqual([...(await names('/api/v1/namespaces'))].sort(), ['default', 'kube-system']);
      const bound = ((await kcp.admin.get(`${workspace.at}/apis/apis.kcp.io/v1alpha2/apibindings`)).expect(200).body.items ?? []).map(
        (item) => at(item, 'spec', 'reference', 'export', 'name'),
      );
      deepEqual([...bound].sort(), ['tenancy.kcp.io', 'topology.kcp.io']);
      ok((await names('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings')).includes('workspace-admin'));
      await eventually('the service account default', async () => {
        (await kcp.admin.get(`${workspace.at}/api/v1/namespaces/default/serviceaccounts/default`)).expect(200);
      });
      await eventually('the root certificates', async () => {
        (await kcp.admin.get(`${workspace.at}/api/v1/namespaces/default/configmaps/kube-root-ca.crt`)).expect(200);
      });
    },
  },
  {
    id: 'C20.7',
    title: 'a workspace of an unknown type is 403',
    run: async (kcp) => {
      const object = {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'Workspace',
        metadata: { name: kcp.unique('w') },
        spec: { type: { name: 'nope', path: 'root' } },
      };

      equal((await kcp.admin.post(`/clusters/root${WORKSPACES}`, object)).status, 403);
    },
  },
  {
    id: 'C20.8',
    title: 'a workspace that was deleted and made again under the same path is another cluster',
    slow: true,
    run: async (kcp) => {
      const first = await kcp.workspace();
      const name = first.path.split(':')[1] ?? '';

      (await kcp.admin.delete(`/clusters/root${WORKSPACES}/${name}`)).expect(200);
      await eventually('it is gone', async () => equal((await kcp.admin.get(`/clusters/root${WORKSPACES}/${name}`)).status, 404));
      const second = await kcp.workspace({ name });

      equal(second.path, first.path);
      ok(second.cluster !== first.cluster);
    },
  },
  {
    id: 'C20.9',
    title: 'a selector places a workspace on the shard it names',
    needs: ['two-shards'],
    run: async (kcp) => {
      for (const shard of [0, 1]) {
        const workspace = await kcp.workspace({ shard });

        equal(workspace.shard, shard);
        (await kcp.shard(shard).admin.get(`${workspace.at}/api/v1/namespaces`)).expect(200);
        equal((await kcp.shard(1 - shard).admin.get(`${workspace.at}/api/v1/namespaces`)).status, 403);
        equal((await kcp.shard(1 - shard).admin.get(`/clusters/${workspace.path}/api/v1/namespaces`)).status, 404);
      }
    },
  },
  {
    id: 'C20.10',
    title: 'a selector that no shard matches leaves the workspace unscheduled',
    run: async (kcp) => {
      const name = kcp.unique('w');
      const location = { selector: { matchLabels: { name: 'no-such-shard' } } };
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec: { type: UNIVERSAL, location } };

      (await kcp.admin.post(`/clusters/root${WORKSPACES}`, object)).expect(201);

      await eventually('it says so', async () => {
        const { body } = (await kcp.admin.get(`/clusters/root${WORKSPACES}/${name}`)).expect(200);
        const conditions = (at(body, 'status', 'conditions') ?? []) as { type: string; status: string; reason?: string }[];
        const scheduled = conditions.find(({ type }) => type === 'WorkspaceScheduled');
        deepEqual([scheduled?.status, scheduled?.reason], ['False', 'Unschedulable']);
      });
    },
  },
  {
    id: 'C20.11',
    title: 'every shard has a Shard object in root that carries its name as a label',
    run: async (kcp) => {
      const { body } = (await kcp.admin.get('/clusters/root/apis/core.kcp.io/v1alpha1/shards')).expect(200);

      const found = (body.items ?? []).map((item) => [item.metadata.name, item.metadata.labels?.['name'], at(item, 'spec', 'baseURL')]);
      deepEqual(found.sort(), kcp.backend.shards.map(({ name, url }) => [name, name, url]).sort());
    },
  },
  {
    id: 'C20.12',
    title: 'a workspace may have children at any depth, each its own cluster',
    run: async (kcp) => {
      const parent = await anyWorkspace(kcp);
      const child = await kcp.workspace({ parent: parent.path, name: kcp.unique('child') });
      const grandchild = await kcp.workspace({ parent: child.path, name: 'grandchild' });

      equal(new Set([parent, child, grandchild].map(({ cluster }) => cluster)).size, 3);
      const { body } = (await kcp.admin.get(`/clusters/${grandchild.path}${LOGICAL_CLUSTERS}/cluster`)).expect(200);
      equal(body.metadata.annotations?.['kcp.io/path'], grandchild.path);
      equal(at(body, 'spec', 'owner', 'cluster'), child.cluster);
    },
  },
  {
    id: 'C20.13',
    title: 'own workspace types extend others, and their initializers hold a workspace in Initializing until they are removed',
    run: async (kcp) => {
      const home = await kcp.workspace({ shard: 0 });
      const type = {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'WorkspaceType',
        metadata: { name: 'mine' },
        spec: { initializer: true, extend: { with: [UNIVERSAL] } },
      };
      (await kcp.admin.post(`${home.at}/apis/tenancy.kcp.io/v1alpha1/workspacetypes`, type)).expect(201);
      const name = kcp.unique('w');
      const object = {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'Workspace',
        metadata: { name },
        spec: { type: { name: 'mine', path: home.path }, location: { selector: { matchLabels: { name: 'root' } } } },
      };
      await eventually('the type is known', async () => void (await kcp.admin.post(`/clusters/root${WORKSPACES}`, object)).expect(201));

      const initializer = `${home.cluster}:mine`;
      const view = `/services/initializingworkspaces/${initializer}/clusters`;
      const cluster = await eventually('only our initializer is left', async () => {
        const { body } = (await kcp.admin.get(`/clusters/root${WORKSPACES}/${name}`)).expect(200);
        equal(at(body, 'status', 'phase'), 'Initializing');
        deepEqual(at(body, 'status', 'initializers'), [initializer]);
        return String(at(body, 'spec', 'cluster'));
      });
      const seen = await eventually('it is seen in the virtual workspace', async () => {
        const list = (await kcp.shard().admin.get(`${view}/*${LOGICAL_CLUSTERS}`)).expect(200).body;
        equal(list.items?.length, 1);
        return list.items[0];
      });
      equal(seen?.metadata.annotations?.['kcp.io/cluster'], cluster);

      (
        await kcp.shard().admin.patch('merge', `${view}/${cluster}${LOGICAL_CLUSTERS}/cluster/status`, { status: { initializers: [] } })
      ).expect(200);

      await kcp.ready('root', name);
    },
  },
];
