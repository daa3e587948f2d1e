import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { anyWorkspace } from '../stage/exports.js';

const UNKNOWN_NAME = 'abcdefgh12345678';

/** A: how a workspace is addressed, and what is said when that fails. */
export const pathsAndErrors: readonly ConformanceCase[] = [
  {
    id: 'A1.1',
    title:
      'an unknown path is 404 at a shard and the answer names the workspace; before kcp 0.31 it is taken for a name: 403, for system:masters an empty cluster',
    run: async (kcp) => {
      const { admin, masters } = kcp.shard();
      const { status, body } = await admin.get('/clusters/root:nope/api/v1/namespaces');

      if (!kcp.since('0.31')) {
        equal(status, 403);
        deepEqual((await masters.get('/clusters/root:nope/api/v1/namespaces')).expect(200).body.items, []);
        return;
      }
      equal(status, 404);
      equal(body.kind, 'Status');
      equal(body.reason, 'NotFound');
      equal(body.message, 'workspaces.tenancy.kcp.io "root:nope" not found');
      deepEqual(body.details, { name: 'root:nope', group: 'tenancy.kcp.io', kind: 'workspaces' });
    },
  },
  {
    id: 'A1.2',
    title: 'an unknown path is 403 at the front-proxy, never 404',
    needs: ['front-proxy'],
    run: async (kcp) => {
      const { status, body } = await kcp.proxy.admin.get('/clusters/root:nope/api/v1/namespaces');

      equal(status, 403);
      equal(body.reason, 'Forbidden');
      match(body.message ?? '', /workspace access not permitted/);
    },
  },
  {
    id: 'A2.1',
    title: 'an unknown cluster name is 403 for every ordinary user, as if access were missing',
    run: async (kcp) => {
      for (const user of [kcp.shard().admin, kcp.shard().alice]) {
        const { status, body } = await user.get(`/clusters/${UNKNOWN_NAME}/api/v1/namespaces`);

        equal(status, 403);
        match(body.message ?? '', /: access denied$/);
      }
    },
  },
  {
    id: 'A2.2',
    title: 'an unknown cluster name is an empty list of a built-in type for system:masters',
    run: async (kcp) => {
      const { status, body } = await kcp.shard().masters.get(`/clusters/${UNKNOWN_NAME}/api/v1/namespaces`);

      equal(status, 200);
      deepEqual(body.items, []);
    },
  },
  {
    id: 'A2.3',
    title: 'an unknown cluster name serves no bound type, not even to system:masters',
    run: async (kcp) => {
      const answer = await kcp.shard().masters.get(`/clusters/${UNKNOWN_NAME}/apis/network.example.com/v1/vpcs`);

      equal(answer.status, 404);
      equal(answer.text, '404 page not found\n');
      match(answer.header('content-type'), /^text\/plain/);
    },
  },
  {
    id: 'A3.1',
    title: 'a workspace without rights and a workspace that does not exist are refused in the same words',
    run: async (kcp) => {
      const { at, shard } = await anyWorkspace(kcp);
      const { alice } = kcp.shard(shard);

      const existing = await alice.get(`${at}/api/v1/configmaps`);
      const unknown = await alice.get(`/clusters/${UNKNOWN_NAME}/api/v1/configmaps`);

      equal(existing.status, 403);
      equal(
        existing.body.message,
        'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" at the cluster scope: access denied',
      );
      equal(existing.text, unknown.text);
    },
  },
  {
    id: 'A4.1',
    title: 'a path, a name and a name followed by a child address the same objects',
    run: async (kcp) => {
      const parent = await anyWorkspace(kcp);
      const name = kcp.unique('b');
      const child = await kcp.workspace({ parent: parent.path, name });

      const uids = [];
      for (const address of [child.path, `${parent.cluster}:${name}`, child.cluster]) {
        const { body } = (await kcp.admin.get(`/clusters/${address}/api/v1/namespaces/default`)).expect(200);
        equal(body.metadata.annotations?.['kcp.io/cluster'], child.cluster);
        uids.push(body.metadata.uid);
      }

      equal(new Set(uids).size, 1);
    },
  },
  {
    id: 'A4.2',
    title: 'every answer carries kcp.io/cluster, and a false one from the client is overridden',
    run: async (kcp) => {
      const { at: path, cluster } = await anyWorkspace(kcp);
      const configMaps = `${path}/api/v1/namespaces/default/configmaps`;
      const name = kcp.unique('a');
      const object = { metadata: { name, annotations: { 'kcp.io/cluster': 'elsewhere' } } };

      const created = (await kcp.admin.post(configMaps, object)).expect(201);
      const read = (await kcp.admin.get(`${configMaps}/${name}`)).expect(200);
      const listed = (await kcp.admin.get(configMaps)).expect(200);

      equal(at(created.body, 'metadata', 'annotations', 'kcp.io/cluster'), cluster);
      equal(at(read.body, 'metadata', 'annotations', 'kcp.io/cluster'), cluster);
      for (const item of listed.body.items ?? []) equal(item.metadata.annotations?.['kcp.io/cluster'], cluster);
    },
  },
  {
    id: 'A5.1',
    title: 'a write under the wildcard is 405 for system:masters',
    run: async (kcp) => {
      const { status, body } = await kcp.shard().masters.post('/clusters/*/api/v1/namespaces', { metadata: { name: 'x' } });

      equal(status, 405);
      equal(body.reason, 'MethodNotAllowed');
      match(body.message ?? '', /in the `\*` logical cluster$/);
    },
  },
  {
    id: 'A5.2',
    title: 'a wildcard list is 403 for an admin and holds several clusters for system:masters',
    run: async (kcp) => {
      const refused = await kcp.shard().admin.get('/clusters/*/api/v1/namespaces');
      const { body } = (await kcp.shard().masters.get('/clusters/*/api/v1/namespaces')).expect(200);

      equal(refused.status, 403);
      const clusters = new Set(body.items?.map((item) => item.metadata.annotations?.['kcp.io/cluster']));
      ok(clusters.size > 1, `only ${[...clusters].join()}`);
    },
  },
  {
    id: 'A5.3',
    title: 'the front-proxy lets nobody under the wildcard or into system:admin',
    needs: ['front-proxy'],
    run: async (kcp) => {
      for (const user of [kcp.proxy.admin, kcp.proxy.masters]) {
        equal((await user.get('/clusters/*/api/v1/namespaces')).status, 403);
        equal((await user.get('/clusters/system:admin/api/v1/namespaces')).status, 403);
      }
    },
  },
  {
    id: 'A5.4',
    title: 'system:admin of a shard is open to system:masters only',
    run: async (kcp) => {
      equal((await kcp.shard().masters.get('/clusters/system:admin/apis/rbac.authorization.k8s.io/v1/clusterroles')).status, 200);
      equal((await kcp.shard().admin.get('/clusters/system:admin/apis/rbac.authorization.k8s.io/v1/clusterroles')).status, 403);
    },
  },
  {
    id: 'A6.1',
    title: 'a malformed cluster is 400 at a shard',
    run: async (kcp) => {
      const { status, body } = await kcp.shard().admin.get('/clusters/Root:X/api');

      equal(status, 400);
      match(body.message ?? '', /invalid cluster: "Root:X" does not match the regex/);
    },
  },
  {
    id: 'A6.2',
    title: 'a malformed cluster is 403 at the front-proxy',
    needs: ['front-proxy'],
    run: async (kcp) => {
      const { status, body } = await kcp.proxy.admin.get('/clusters/Root:X/api');

      equal(status, 403);
      match(body.message ?? '', /workspace access not permitted/);
    },
  },
];
