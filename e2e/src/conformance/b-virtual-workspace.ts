import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { endpoints, viewOf } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { ALL_VERBS, ZONE, zone, NETWORK } from '../stage/example-types.js';
import {
  APIS,
  APIS_V1ALPHA1,
  WEBHOOK_CONFIGURATIONS,
  answeredClaim,
  bind,
  anyConsumer,
  anyWorkspace,
  consumer,
  makeExport,
  network,
  paths,
  served,
  webhookClaim,
} from '../stage/exports.js';
import { webhookConfiguration } from '../stage/webhooks.js';
import { ACCESS, contentOf, grant, serviceAccount, user } from '../stage/identities.js';

/** B: the virtual workspace of an export: where it is, who may look, what is served. */
export const virtualWorkspace: readonly ConformanceCase[] = [
  {
    id: 'B7.1',
    title: 'an export gets an endpoint slice of its name by itself, without endpoints before the first binding',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });

      const slice = await eventually('the slice appears', async () =>
        (await kcp.admin.get(`${made.workspace.at}${APIS_V1ALPHA1}/apiexportendpointslices/${made.name}`)).expect(200),
      );

      deepEqual(at(slice.body, 'spec', 'export', 'name'), made.name);
      equal(at(slice.body, 'metadata', 'ownerReferences', 0, 'kind'), 'APIExport');
      deepEqual(at(slice.body, 'status', 'endpoints') ?? [], []);
    },
  },
  {
    id: 'B7.2',
    title: 'the first binding on a shard brings the endpoint of that shard, the last one that goes takes it away',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });
      const workspace = await kcp.workspace();

      await bind(kcp, workspace, made);

      const expected = `${kcp.backend.shards[workspace.shard]?.url ?? ''}/services/apiexport/${made.workspace.cluster}/${made.name}`;
      await eventually('one endpoint', async () => deepEqual(await endpoints(kcp, made), [expected]));

      (await kcp.admin.delete(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);
      await eventually('no endpoint', async () => deepEqual(await endpoints(kcp, made), []));
    },
  },
  {
    id: 'B7.3',
    title: 'every shard with a binding adds an endpoint of its own',
    needs: ['two-shards'],
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });
      for (const shard of [0, 1]) await bind(kcp, await kcp.workspace({ shard }), made);

      await eventually('two endpoints', async () => {
        const expected = kcp.backend.shards.map(({ url }) => `${url}/services/apiexport/${made.workspace.cluster}/${made.name}`);
        deepEqual([...(await endpoints(kcp, made))].sort(), expected.sort());
      });
    },
  },
  {
    id: 'B8.1',
    title: 'a virtual workspace wants cluster names: with a path an ordinary user gets 403, system:masters 404',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      const { token } = await serviceAccount(kcp, made.workspace, 'reader');
      await grant(
        kcp.admin,
        made.workspace.at,
        'content',
        [contentOf(made.name, ['*'])],
        [{ kind: 'ServiceAccount', namespace: 'default', name: 'reader' }],
      );
      const door = kcp.shard(workspace.shard);
      const reader = door.with({ token });
      const byName = `${viewOf(made)}/clusters/${workspace.cluster}/apis`;
      const byPath = `${viewOf(made)}/clusters/${workspace.path}/apis`;

      await eventually('the grant acts', async () => (await reader.get(byName)).expect(200));
      const refused = await reader.get(byPath);

      equal(refused.status, 403);
      match(refused.body.message ?? '', /not resolved to a valid virtual workspace/);
      ok(refused.body.message?.includes(byPath), refused.text);
      equal((await door.masters.get(byPath)).status, 404);
    },
  },
  {
    id: 'B9.1',
    title: 'an unknown export is 403 for whoever may not read its content and 500 for whoever may',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const nope = `/services/apiexport/${home.cluster}/nope/clusters/*/apis`;
      const reader = await kcp.shard(home.shard).user({ name: kcp.unique('reader') });
      const name = kcp.unique('reader');
      const allowed = await kcp.shard(home.shard).user({ name });
      await grant(kcp.admin, home.at, name, [contentOf('nope', ['*']), ACCESS], [user(name)]);

      equal((await reader.get(nope)).status, 403);
      const found = await eventually('the grant acts', async () => {
        const answer = await allowed.get(nope);
        equal(answer.status, 500);
        return answer;
      });
      match(found.text, /not found/);
    },
  },
  {
    id: 'B9.2',
    title: 'an unknown export and one cluster is 500 for ordinary users, as it is looked up before rights; text 404 for system:masters',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const { alice, masters } = kcp.shard(home.shard);
      const path = `/services/apiexport/${home.cluster}/nope/clusters/${home.cluster}/api/v1/configmaps`;

      equal((await alice.get(path)).status, 500);
      equal((await masters.get(path)).status, 404);
    },
  },
  {
    id: 'B10.1',
    title: 'each verb on apiexports/content opens that verb only: list does not watch, get or discover',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const name = kcp.unique('lister');
      const lister = await kcp.shard(workspace.shard).user({ name });
      const types = `${viewOf(made)}/clusters/*/apis/${NETWORK}/v1/zones`;
      const role = kcp.unique('list');
      await grant(kcp.admin, made.workspace.at, role, [contentOf(made.name, ['list']), ACCESS], [user(name)]);

      await eventually('list is granted', async () => (await lister.get(types)).expect(200));
      equal((await lister.get(`${types}?watch=true`)).status, 403);
      equal((await lister.get(`${viewOf(made)}/clusters/${workspace.cluster}/apis/${NETWORK}/v1/zones/x`)).status, 403);
      equal((await lister.get(`${viewOf(made)}/clusters/*/apis`)).status, 403);

      await grant(kcp.admin, made.workspace.at, `${role}-get`, [contentOf(made.name, ['get'])], [user(name)]);
      await eventually('get is granted', async () => (await lister.get(`${viewOf(made)}/clusters/*/apis`)).expect(200));
    },
  },
  {
    id: 'B10.2',
    title: 'rights in the consumer workspace neither help nor matter in the virtual workspace',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const door = kcp.shard(workspace.shard);
      const [inside, outside] = [kcp.unique('inside'), kcp.unique('outside')];
      const zones = `${viewOf(made)}/clusters/${workspace.cluster}/apis/${NETWORK}/v1/zones`;
      await grant(kcp.admin, workspace.at, inside, [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, ACCESS], [user(inside)]);
      await grant(kcp.admin, made.workspace.at, outside, [contentOf(made.name, ['*']), ACCESS], [user(outside)]);

      const [insider, outsider] = [await door.user({ name: inside }), await door.user({ name: outside })];
      await eventually('the outsider is let in', async () => (await outsider.get(zones)).expect(200));
      await eventually('the insider has rights in the workspace', async () => (await insider.get(paths(workspace).zones)).expect(200));
      equal((await insider.get(zones)).status, 403);
    },
  },
  {
    id: 'B10.3',
    title: 'a resource that is neither exported nor claimed is 403 in the virtual workspace of one cluster',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);

      const refused = await kcp.shard(workspace.shard).admin.get(`${viewOf(made)}/clusters/${workspace.cluster}/api/v1/configmaps`);

      equal(refused.status, 403);
      match(refused.body.message ?? '', /access denied$/);
    },
  },
  {
    id: 'B10.4',
    title: 'a cluster without a binding to the export is 403',
    run: async (kcp) => {
      const made = await network(kcp);
      const stranger = await anyWorkspace(kcp);

      const refused = await kcp.shard(stranger.shard).admin.get(`${viewOf(made)}/clusters/${stranger.cluster}/apis/${NETWORK}/v1/zones`);

      equal(refused.status, 403);
    },
  },
  {
    id: 'B10.5',
    title: 'a cluster on another shard is 403 at this one, although it has bound the export',
    needs: ['two-shards'],
    run: async (kcp) => {
      const made = await network(kcp);
      const far = await consumer(kcp, { shard: 1 });
      const zones = `${viewOf(made)}/clusters/${far.cluster}/apis/${NETWORK}/v1/zones`;

      equal((await kcp.shard(0).admin.get(zones)).status, 403);
      equal((await kcp.shard(1).admin.get(zones)).status, 200);
    },
  },
  {
    id: 'B13.1',
    title: 'what is created through the virtual workspace is an ordinary object with the claim label, which nobody can take off',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      const { admin } = kcp.shard(workspace.shard);
      const seen = `${viewOf(made)}/clusters/${workspace.cluster}${WEBHOOK_CONFIGURATIONS}`;

      const created = await eventually('the claim acts', async () => (await admin.post(seen, webhookConfiguration('w', []))).expect(201));
      const [[label, value] = ['', '']] = Object.entries(created.body.metadata.labels ?? {});
      match(label, /^claimed\.internal\.apis\.kcp\.io\//);
      equal(created.body.metadata.annotations?.['kcp.io/cluster'], workspace.cluster);

      const inside = (await kcp.admin.get(`${paths(workspace).webhooks}/w`)).expect(200).body;
      equal(inside.metadata.uid, created.body.metadata.uid);
      equal(inside.metadata.labels?.[label], value);
      for (const forged of [null, 'forged']) {
        const patched = (
          await kcp.admin.patch('merge', `${paths(workspace).webhooks}/w`, { metadata: { labels: { [label]: forged } } })
        ).expect(200);
        equal(patched.body.metadata.labels?.[label], value);
      }
    },
  },
  {
    id: 'B13.2',
    title: 'an object sent without kind and apiVersion is 400 through the virtual workspace and fine at the workspace itself',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const { admin } = kcp.shard(workspace.shard);
      const bare = { metadata: { name: kcp.unique('bare') } };

      const refused = await admin.post(`${viewOf(made)}/clusters/${workspace.cluster}/apis/${NETWORK}/v1/zones`, bare);

      equal(refused.status, 400);
      match(refused.body.message ?? '', /Object 'Kind' is missing/);
      equal((await admin.post(`${workspace.at}/api/v1/namespaces`, bare)).status, 201);
    },
  },
  {
    id: 'B15.1',
    title: 'bindings to the export are always readable, in both versions, with kcp.io/cluster and kcp.io/path, and no others',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });
      const workspaces = [await kcp.workspace({ shard: 0 }), await kcp.workspace({ shard: 0 })];
      for (const workspace of workspaces) await bind(kcp, workspace, made);

      for (const version of ['v1alpha1', 'v1alpha2']) {
        await eventually('both bindings are seen', async () => {
          const { body } = (await kcp.shard().admin.get(`${viewOf(made)}/clusters/*/apis/apis.kcp.io/${version}/apibindings`)).expect(200);
          const found = body.items?.map(({ metadata }) => [
            metadata.annotations?.['kcp.io/cluster'],
            metadata.annotations?.['kcp.io/path'],
            metadata.name,
          ]);
          deepEqual(found?.sort(), workspaces.map(({ cluster, path }) => [cluster, path, made.name]).sort());
        });
      }
    },
  },
  {
    id: 'B15.2',
    title: 'a binding cannot be written through the virtual workspace',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const binding = `${viewOf(made)}/clusters/${workspace.cluster}${APIS}/apibindings/${made.name}`;
      const { admin } = kcp.shard(workspace.shard);

      equal((await admin.get(binding)).status, 200);
      equal((await admin.patch('merge', binding, { metadata: { labels: { a: 'b' } } })).status, 403);
      equal((await admin.delete(binding)).status, 403);
    },
  },
  {
    id: 'B16.1',
    title: 'a wildcard list is across namespaces: one namespace is 400',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const { admin } = kcp.shard(workspace.shard);
      const view = `${viewOf(made)}/clusters/*/apis/${NETWORK}/v1`;

      const refused = await admin.get(`${view}/namespaces/default/vpcs`);

      equal(refused.status, 400);
      equal(refused.body.message, 'cross-cluster LIST and WATCH are required to be cross-namespace, not scoped to namespace default');
      equal((await admin.get(`${view}/vpcs`)).status, 200);
    },
  },
  {
    id: 'B16.2',
    title: 'writes and single objects under the wildcard are 404',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const { admin } = kcp.shard(workspace.shard);
      const zones = `${viewOf(made)}/clusters/*/apis/${NETWORK}/v1/zones`;

      for (const answer of [await admin.post(zones, zone('a')), await admin.get(`${zones}/a`), await admin.delete(`${zones}/a`)]) {
        equal(answer.status, 404, answer.asked);
        equal(answer.body.message, 'the server could not find the requested resource', answer.asked);
      }
      equal((await admin.patch('merge', `${zones}/a`, {})).status, 404);
    },
  },
  {
    id: 'B16.3',
    title: 'a wildcard list of the own type is 404 before the first binding and holds the objects of every bound cluster after',
    slow: true,
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [ZONE] });
      const zones = `${viewOf(made)}/clusters/*/apis/${NETWORK}/v1/zones`;
      await eventually('nobody has bound it', async () => equal((await kcp.shard().admin.get(zones)).status, 404));

      const workspaces = [await kcp.workspace({ shard: 0 }), await kcp.workspace({ shard: 0 })];
      for (const workspace of workspaces) await bind(kcp, workspace, made);
      for (const workspace of workspaces) {
        await served(kcp, paths(workspace).zones);
        (await kcp.admin.post(paths(workspace).zones, zone('same'))).expect(201);
      }

      await eventually('both zones are seen', async () => {
        const { body } = (await kcp.shard().admin.get(zones)).expect(200);
        const clusters = body.items?.map(({ metadata }) => metadata.annotations?.['kcp.io/cluster']);
        deepEqual(clusters?.sort(), workspaces.map(({ cluster }) => cluster).sort());
      });
    },
  },
  {
    id: 'B16.4',
    title: 'discovery in the virtual workspace names the exported types, their verbs and apibindings, and no other group',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const { admin } = kcp.shard(workspace.shard);

      for (const cluster of ['*', workspace.cluster]) {
        const groups = (await admin.get(`${viewOf(made)}/clusters/${cluster}/apis`)).expect(200).body.groups;
        deepEqual(groups?.map(({ name }) => name).sort(), ['apis.kcp.io', NETWORK]);
        const { body } = (await admin.get(`${viewOf(made)}/clusters/${cluster}/apis/${NETWORK}/v1`)).expect(200);
        const zones = body.resources?.find(({ name }) => name === 'zones');
        deepEqual([...(zones?.['verbs'] as string[])].sort(), ALL_VERBS);
        deepEqual(body.resources?.map(({ name }) => name).sort(), ['vms', 'vms/status', 'vpcs', 'vpcs/status', 'zones', 'zones/status']);
      }
    },
  },
];
