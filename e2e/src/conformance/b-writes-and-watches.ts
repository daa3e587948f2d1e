import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Caller } from '../https/caller.js';
import type { ConformanceCase } from './conformance-case.js';
import { viewOf } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, vpc, zone } from '../stage/example-types.js';
import {
  APIS,
  WEBHOOK_CONFIGURATIONS,
  answeredClaim,
  bind,
  claimsApplied,
  consumer,
  corner,
  makeExport,
  network,
  paths,
  webhookClaim,
} from '../stage/exports.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { deny, inForce, install, webhookConfiguration } from '../stage/webhooks.js';

interface View {
  readonly admin: Caller;
  readonly workspace: Workspace;
  readonly namespace: string;
  /** The virtual workspace of the shared provider, for that workspace and for all. */
  readonly one: string;
  readonly all: string;
}

async function viewed(kcp: Stage): Promise<View> {
  const made = await network(kcp);
  const { workspace, namespace } = await corner(kcp);
  return {
    admin: kcp.shard(workspace.shard).admin,
    workspace,
    namespace,
    one: `${viewOf(made)}/clusters/${workspace.cluster}/apis/${NETWORK}/v1`,
    all: `${viewOf(made)}/clusters/*/apis/${NETWORK}/v1`,
  };
}

/** B: writing and watching through the virtual workspace. */
export const viewWrites: readonly ConformanceCase[] = [
  {
    id: 'B17.1',
    title: 'the provider creates, updates, patches and deletes in a consumer',
    run: async (kcp) => {
      const { admin, one, workspace } = await viewed(kcp);
      const name = kcp.unique('z');

      const created = (await admin.post(`${one}/zones`, zone(name))).expect(201).body;
      const updated = (await admin.put(`${one}/zones/${name}`, { ...created, spec: { region: 'r2' } })).expect(200).body;
      const patched = (await admin.patch('merge', `${one}/zones/${name}`, { spec: { region: 'r3' } })).expect(200).body;

      equal(updated.spec?.['region'], 'r2');
      equal(patched.spec?.['region'], 'r3');
      equal((await kcp.admin.get(`${paths(workspace).zones}/${name}`)).expect(200).body.metadata.uid, created.metadata.uid);
      (await admin.delete(`${one}/zones/${name}`)).expect(200);
      equal((await admin.get(`${one}/zones/${name}`)).status, 404);
    },
  },
  {
    id: 'B17.2',
    title: 'a merge patch of what is missing is 404; an update without resourceVersion is 422, a stale one 409',
    run: async (kcp) => {
      const { admin, one } = await viewed(kcp);
      const name = kcp.unique('z');
      const created = (await admin.post(`${one}/zones`, zone(name))).expect(201).body;
      (await admin.patch('merge', `${one}/zones/${name}`, { metadata: { labels: { l: '1' } } })).expect(200);

      equal((await admin.patch('merge', `${one}/zones/none`, {})).status, 404);
      equal((await admin.put(`${one}/zones/${name}`, zone(name))).status, 422);
      equal((await admin.put(`${one}/zones/${name}`, { ...created, spec: { region: 'x' } })).status, 409);
    },
  },
  {
    id: 'B17.3',
    title: 'apply is not apply: it creates as an update, conflicts with itself without force, and with force removes nothing',
    run: async (kcp) => {
      const { admin, one, namespace } = await viewed(kcp);
      const target = `${one}/namespaces/${namespace}/vpcs/a?fieldManager=m`;

      const created = (await admin.patch('apply', target, vpc('a', { size: 1, cidr: '1' }))).expect(200).body;
      const again = await admin.patch('apply', target, vpc('a', { size: 2 }));
      const forced = (await admin.patch('apply', `${target}&force=true`, vpc('a', { size: 2 }))).expect(200).body;

      deepEqual(
        created.metadata.managedFields?.map(({ operation }) => operation),
        ['Update'],
      );
      equal(again.status, 409);
      deepEqual([forced.spec?.['size'], forced.spec?.['cidr']], [2, '1']);
    },
  },
  {
    id: 'B17.4',
    title: '/status is written apart from the object, /scale is 404',
    run: async (kcp) => {
      const { admin, one, namespace } = await viewed(kcp);
      const target = `${one}/namespaces/${namespace}/vpcs`;
      const created = (await admin.post(target, vpc('a', { size: 1 }))).expect(201).body;

      const { body } = (await admin.put(`${target}/a/status`, { ...created, spec: { size: 9 }, status: { phase: 'Up' } })).expect(200);

      equal(body.spec?.['size'], 1);
      deepEqual(body.status, { phase: 'Up' });
      equal((await admin.get(`${target}/a/scale`)).status, 404);
    },
  },
  {
    id: 'B17.5',
    title: 'the webhooks of the provider see who deletes through the virtual workspace, with a warrant',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      const { admin, one, workspace, namespace } = await viewed(kcp);
      (await kcp.admin.post(paths(workspace, namespace).vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${paths(workspace, namespace).vpcs}/a`, 403);

      equal((await admin.delete(`${one}/namespaces/${namespace}/vpcs/a`)).status, 403);

      const { userInfo } = hook.asked.at(-1)?.review ?? {};
      equal(userInfo?.username, 'kcp-admin');
      ok(Object.keys(userInfo.extra ?? {}).includes('authorization.kcp.io/warrant'), JSON.stringify(userInfo));
    },
  },
  {
    id: 'B17.6',
    title: 'deletecollection through the virtual workspace deletes what was listed',
    run: async (kcp) => {
      const { admin, one, namespace } = await viewed(kcp);
      const vpcs = `${one}/namespaces/${namespace}/vpcs`;
      for (const name of ['a', 'b']) (await admin.post(vpcs, vpc(name))).expect(201);

      (await admin.delete(vpcs)).expect(200);

      deepEqual((await admin.get(vpcs)).expect(200).body.items, []);
    },
  },
  {
    id: 'B17.7',
    title: 'through the virtual workspace a built-in object too needs a kind and a version, and has to be of the right ones',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      const { admin } = kcp.shard(workspace.shard);
      const all = `${viewOf(made)}/clusters/${workspace.cluster}${WEBHOOK_CONFIGURATIONS}`;
      await eventually('the claimed type is served', async () => (await admin.get(all)).expect(200));
      const complete = webhookConfiguration('w', []);
      const { kind: _kind, ...kindless } = complete;
      const { apiVersion: _apiVersion, ...versionless } = complete;

      const refusals = [
        {
          sent: kindless,
          says: /^the object provided is unrecognized \(must be of type ValidatingWebhookConfiguration\): Object 'Kind' is missing in /,
        },
        { sent: kindless, says: / \(\{"apiVersion":"admissionregist \.\.\.\)$/ },
        {
          sent: versionless,
          says: /^the API version in the data \(\) does not match the expected API version \(admissionregistration\.k8s\.io\/v1\)$/,
        },
        {
          sent: { ...complete, kind: 'Other' },
          says: /^Other in version "v1" cannot be handled as a ValidatingWebhookConfiguration: no kind "Other"/,
        },
      ];

      for (const { sent, says } of refusals) {
        const { status, body } = await admin.post(all, sent);
        equal(status, 400);
        match(body.message ?? '', says);
      }
      (await admin.post(all, complete)).expect(201);
    },
  },
  {
    id: 'B18.1',
    title: 'a wildcard watch from the version of its list tells what happens in every bound cluster',
    run: async (kcp) => {
      const { admin, all, workspace } = await viewed(kcp);
      const second = await consumer(kcp, { shard: workspace.shard });
      const { resourceVersion = '' } = (await admin.get(`${all}/zones`)).expect(200).body.metadata;
      const watch = await admin.watch(`${all}/zones?watch=true&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`);
      const name = kcp.unique('z');

      for (const { at } of [workspace, second]) (await kcp.admin.post(`${at}/apis/${NETWORK}/v1/zones`, zone(name))).expect(201);
      (await kcp.admin.delete(`${workspace.at}/apis/${NETWORK}/v1/zones/${name}`)).expect(200);

      await watch.waitFor('the end of the first', ({ type, object }) => type === 'DELETED' && object.metadata.name === name);
      watch.close();
      const told = watch.events
        .filter(({ object }) => object.metadata.name === name)
        .map(({ type, object }) => `${type} ${object.metadata.annotations?.['kcp.io/cluster'] ?? ''}`);
      deepEqual(told, [`ADDED ${workspace.cluster}`, `ADDED ${second.cluster}`, `DELETED ${workspace.cluster}`]);
    },
  },
  {
    id: 'B18.2',
    title: 'sendInitialEvents works under the wildcard',
    run: async (kcp) => {
      const { admin, all, workspace } = await viewed(kcp);
      const name = kcp.unique('z');
      (await kcp.admin.post(paths(workspace).zones, zone(name))).expect(201);

      const watch = await admin.watch(
        `${all}/zones?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      );
      const end = await watch.waitFor('the bookmark', ({ type }) => type === 'BOOKMARK');
      watch.close();

      equal(end.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
      ok(watch.events.some(({ type, object }) => type === 'ADDED' && object.metadata.name === name));
    },
  },
  {
    id: 'B18.3',
    title: 'a claim taken back is DELETED on the watch, a claim given is ADDED',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      (await kcp.admin.post(paths(workspace).webhooks, webhookConfiguration('w', []))).expect(201);
      await claimsApplied(kcp, workspace, made.name, 1);
      const { admin } = kcp.shard(workspace.shard);
      const all = `${viewOf(made)}/clusters/*${WEBHOOK_CONFIGURATIONS}`;
      const { resourceVersion = '' } = await eventually('it is seen', async () => {
        const { body } = (await admin.get(all)).expect(200);
        equal(body.items?.length, 1);
        return body.metadata;
      });
      const watch = await admin.watch(`${all}?watch=true&resourceVersion=${resourceVersion}`);
      const answer = async (state: 'Accepted' | 'Rejected'): Promise<void> => {
        const permissionClaims = [answeredClaim(webhookClaim(), { state })];
        (await kcp.admin.patch('merge', `${workspace.at}${APIS}/apibindings/${made.name}`, { spec: { permissionClaims } })).expect(200);
        await claimsApplied(kcp, workspace, made.name, state === 'Accepted' ? 1 : 0);
      };

      await answer('Rejected');
      await watch.waitFor('the object goes', ({ type }) => type === 'DELETED');
      await answer('Accepted');
      await watch.waitFor('the object comes back', ({ type }) => type === 'ADDED');
      watch.close();

      deepEqual(
        watch.events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`).filter((told) => told !== 'MODIFIED w'),
        ['DELETED w', 'ADDED w'],
      );
    },
  },
  {
    id: 'B18.4',
    title: 'a watch under the wildcard from an old version is 200 with an ERROR event of code 410',
    run: async (kcp) => {
      const { admin, all } = await viewed(kcp);

      const watch = await admin.watch(`${all}/zones?watch=true&resourceVersion=1`);
      const { object } = await watch.waitFor('the error', ({ type }) => type === 'ERROR');
      watch.close();

      equal(object.code, 410);
    },
  },
  {
    id: 'B18.5',
    title: 'wildcard lists have pages, selectors and Tables like others',
    run: async (kcp) => {
      const { admin, all, workspace } = await viewed(kcp);
      const label = kcp.unique('l');
      const names = ['a', 'b', 'c'].map((letter) => `${label}-${letter}`);
      for (const name of names) (await kcp.admin.post(paths(workspace).zones, zone(name, { labels: { of: label } }))).expect(201);
      const query = `labelSelector=of%3D${label}`;

      const first = (await admin.get(`${all}/zones?${query}&limit=2`)).expect(200).body;
      const rest = (await admin.get(`${all}/zones?${query}&limit=2&continue=${encodeURIComponent(first.metadata.continue ?? '')}`)).expect(
        200,
      ).body;
      const table = (
        await admin.get(`${all}/zones?${query}`, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
      ).expect(200).body;

      deepEqual(
        [first, rest].map(({ items }) => items?.map(({ metadata }) => metadata.name)),
        [names.slice(0, 2), names.slice(2)],
      );
      equal(table.kind, 'Table');
      equal(table.rows?.length, 3);
    },
  },
  {
    id: 'B18.6',
    title: 'the last binding that goes takes the own types away under the wildcard; bindings and claims stay empty lists',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      const { admin } = kcp.shard(workspace.shard);
      const bindings = `${viewOf(made)}/clusters/*${APIS}/apibindings`;
      await eventually('the binding is seen', async () => equal((await admin.get(bindings)).expect(200).body.items?.length, 1));

      (await kcp.admin.delete(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);

      await eventually('no binding is seen', async () => deepEqual((await admin.get(bindings)).expect(200).body.items, []));
      const one = `${viewOf(made)}/clusters/${workspace.cluster}${APIS}/apibindings`;
      await eventually('the cluster is closed', async () => equal((await admin.get(one)).status, 403));
      equal((await admin.get(`${viewOf(made)}/clusters/*${WEBHOOK_CONFIGURATIONS}`)).status, 200);
    },
  },
];
