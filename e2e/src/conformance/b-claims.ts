import { deepEqual, equal, match } from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.js';
import { viewOf } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK } from '../stage/example-types.js';
import { APIS, WEBHOOK_CONFIGURATIONS, answeredClaim, bind, claimsApplied, makeExport, paths, webhookClaim } from '../stage/exports.js';
import { webhookConfiguration } from '../stage/webhooks.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { Tree } from '../https/kube-body.js';
import type { Caller } from '../https/caller.js';

// base62(sha224('{"group":"admissionregistration.k8s.io","resource":"validatingwebhookconfigurations","verbs":null}'))
const WEBHOOK_CLAIM_LABEL = 'ayfUOAJpK8JCFvjhwkjskXsKcqdJELOxhpOEiJ';

interface ClaimedWebhooks {
  readonly workspace: Workspace;
  readonly admin: Caller;
  /** Webhook configurations of that workspace, through the virtual workspace. */
  readonly one: string;
  /** Of all workspaces. */
  readonly all: string;
  readonly bindingPath: string;
}

/** An export that claims webhook configurations, and a workspace that has bound it with that answer to the claim. */
async function claimed(kcp: Stage, verbs: readonly string[], claims: readonly Tree[]): Promise<ClaimedWebhooks> {
  const made = await makeExport(kcp, { types: [], claims: [webhookClaim(verbs)] });
  const workspace = await kcp.workspace();
  await bind(kcp, workspace, made, { claims });
  return {
    workspace,
    admin: kcp.shard(workspace.shard).admin,
    one: `${viewOf(made)}/clusters/${workspace.cluster}${WEBHOOK_CONFIGURATIONS}`,
    all: `${viewOf(made)}/clusters/*${WEBHOOK_CONFIGURATIONS}`,
    bindingPath: `${workspace.at}${APIS}/apibindings/${made.name}`,
  };
}

/** B: permission claims: what must be accepted, and what of it can be seen and done. */
export const claims: readonly ConformanceCase[] = [
  ...[
    { n: 1, given: 'that the binding does not answer', answers: [] },
    { n: 2, given: 'that the binding rejects', answers: [answeredClaim(webhookClaim(), { state: 'Rejected' })] },
  ].map(({ n, given, answers }): ConformanceCase => ({
    id: `B11.${n}`,
    title: `a claim ${given} is 403 in that cluster and shows nothing under the wildcard`,
    run: async (kcp) => {
      const { workspace, admin, one, all } = await claimed(kcp, ['*'], answers);
      (await kcp.admin.post(paths(workspace).webhooks, { metadata: { name: 'mine' } })).expect(201);

      const refused = await admin.get(one);

      equal(refused.status, 403);
      match(refused.body.message ?? '', /access denied$/);
      equal((await admin.post(one, webhookConfiguration('theirs', []))).status, 403);
      deepEqual((await admin.get(all)).expect(200).body.items, []);
    },
  })),
  {
    id: 'B11.3',
    title: 'a claim accepted later shows the objects that were there before, with the label of that claim',
    run: async (kcp) => {
      const { workspace, admin, one, all, bindingPath } = await claimed(kcp, ['*'], []);
      (await kcp.admin.post(paths(workspace).webhooks, { metadata: { name: 'mine' } })).expect(201);

      (await kcp.admin.patch('merge', bindingPath, { spec: { permissionClaims: [answeredClaim(webhookClaim())] } })).expect(200);

      for (const path of [one, all]) {
        await eventually('the object is seen', async () => {
          const { body } = (await admin.get(path)).expect(200);
          deepEqual(
            body.items?.map(({ metadata }) => metadata.name),
            ['mine'],
          );
          const labels = Object.entries(body.items[0]?.metadata.labels ?? {});
          equal(labels.length, 1);
          for (const [key, value] of labels) {
            match(key, /^claimed\.internal\.apis\.kcp\.io\/[0-9a-zA-Z]+$/);
            equal(value, WEBHOOK_CLAIM_LABEL);
          }
        });
      }
    },
  },
  {
    id: 'B11.4',
    title: 'a list under the wildcard finds nothing by the name of something cluster-scoped, one of a cluster does',
    run: async (kcp) => {
      const { workspace, admin, one, all } = await claimed(kcp, ['*'], [answeredClaim(webhookClaim())]);
      (await kcp.admin.post(paths(workspace).webhooks, { metadata: { name: 'mine' } })).expect(201);
      const namesAt = async (path: string, caller: Caller = admin) =>
        ((await caller.get(path)).expect(200).body.items ?? []).map(({ metadata }) => metadata.name);
      await eventually('the object is seen', async () => deepEqual(await namesAt(all), ['mine']));

      const byName = '?fieldSelector=metadata.name=mine';
      deepEqual(await namesAt(`${one}${byName}`), ['mine']);
      deepEqual(await namesAt(`${all}${byName}`), []);
      const { masters } = kcp.shard(workspace.shard);
      equal((await namesAt(`/clusters/*${WEBHOOK_CONFIGURATIONS}`, masters)).includes('mine'), true);
      deepEqual(await namesAt(`/clusters/*${WEBHOOK_CONFIGURATIONS}${byName}`, masters), []);
      // Without its namespace a name is no key, so all are gone through.
      (await kcp.admin.post(`${workspace.at}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'mine' } })).expect(201);
      equal((await namesAt(`/clusters/*/api/v1/configmaps${byName}`, masters)).includes('mine'), true);
    },
  },
  {
    id: 'B12.1',
    title: 'verbs are intersected literally: ["*"] and ["get","list"] have nothing in common',
    run: async (kcp) => {
      const { admin, one, all } = await claimed(kcp, ['*'], [answeredClaim(webhookClaim(['get', 'list']))]);

      equal((await admin.get(one)).status, 403);
      equal((await admin.get(all)).status, 200);
    },
  },
  {
    id: 'B12.2',
    title: 'a verb that only the binding names is not given',
    run: async (kcp) => {
      const { admin, one, all } = await claimed(kcp, ['get', 'list'], [answeredClaim(webhookClaim(['get', 'list', 'create']))]);

      await eventually('list is given', async () => (await admin.get(one)).expect(200));
      equal((await admin.post(one, webhookConfiguration('w', []))).status, 403);
      equal((await admin.get(all)).status, 200);
    },
  },
  {
    id: 'B12.3',
    title: '["*"] on both sides gives every verb',
    run: async (kcp) => {
      const { admin, one, all } = await claimed(kcp, ['*'], [answeredClaim(webhookClaim())]);

      await eventually('create is given', async () => (await admin.post(one, webhookConfiguration('w', []))).expect(201));
      (await admin.get(`${one}/w`)).expect(200);
      (await admin.patch('merge', `${one}/w`, { metadata: { labels: { a: 'b' } } })).expect(200);
      (await admin.get(all)).expect(200);
      (await admin.delete(`${one}/w`)).expect(200);
      equal((await admin.get(`${one}/w`)).status, 404);
    },
  },
  {
    id: 'B14.1',
    title: 'a claim selector fills in its labels on create, refuses others, and hides what does not match',
    run: async (kcp) => {
      const { workspace, admin, one } = await claimed(
        kcp,
        ['*'],
        [answeredClaim(webhookClaim(), { selector: { matchLabels: { a: 'b' } } })],
      );
      (await kcp.admin.post(paths(workspace).webhooks, { metadata: { name: 'unlabelled' } })).expect(201);

      const created = await eventually('create is given', async () => (await admin.post(one, webhookConfiguration('w', []))).expect(201));
      equal(created.body.metadata.labels?.['a'], 'b');
      const refused = await admin.post(one, { ...webhookConfiguration('other', []), metadata: { name: 'other', labels: { a: 'c' } } });
      equal(refused.status, 403);
      match(refused.body.message ?? '', /protected label a must have value b/);
      equal((await admin.get(`${one}/unlabelled`)).status, 404);
    },
  },
  {
    id: 'B14.2',
    title: 'a claim taken back hides the objects again and takes their label off',
    run: async (kcp) => {
      const { workspace, admin, one, all, bindingPath } = await claimed(kcp, ['*'], [answeredClaim(webhookClaim())]);
      await eventually('create is given', async () => (await admin.post(one, webhookConfiguration('w', []))).expect(201));
      await claimsApplied(kcp, workspace, NETWORK, 1);

      const rejected = [answeredClaim(webhookClaim(), { state: 'Rejected' })];
      (await kcp.admin.patch('merge', bindingPath, { spec: { permissionClaims: rejected } })).expect(200);

      await eventually('it is hidden', async () => deepEqual((await admin.get(all)).expect(200).body.items, []));
      equal((await admin.get(one)).status, 403);
      const left = (await kcp.admin.get(`${paths(workspace).webhooks}/w`)).expect(200).body;
      deepEqual(Object.keys(left.metadata.labels ?? {}), []);
    },
  },
];
