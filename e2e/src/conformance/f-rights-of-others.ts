import { deepEqual, equal } from 'node:assert/strict';
import type { Caller } from '../https/caller.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, ZONE } from '../stage/example-types.js';
import { anyWorkspace, APIS, APIS_V1ALPHA1, bind, consumer, consumerOf, makeExport, network, paths, served } from '../stage/exports.js';
import { ACCESS, grant, group, serviceAccount, user } from '../stage/identities.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { LOGICAL_CLUSTER, tenantOf } from '../stage/tenant.js';
import { webhookConfiguration } from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

const ASKS = { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] };
const SYSTEM_ADMIN = '/clusters/system:admin';

function lists(apiGroup: string): Tree {
  return { apiGroups: [apiGroup], resources: ['zones'], verbs: ['list'] };
}

/** Gives rules on every shard. */
async function grantEverywhere(kcp: Stage, name: string, rules: readonly Tree[], subjects: readonly Tree[]): Promise<void> {
  for (const [index] of kcp.backend.shards.entries()) await grant(kcp.shard(index).masters, SYSTEM_ADMIN, name, rules, subjects);
}

/** Asks whether a user may list the zones of a group in a workspace. */
async function mayList(asker: Caller, workspace: Workspace, who: Tree, apiGroup = NETWORK): Promise<unknown> {
  const resourceAttributes = { verb: 'list', group: apiGroup, resource: 'zones' };
  const ask = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { ...who, resourceAttributes } };
  const reviews = `${workspace.at}/apis/authorization.k8s.io/v1/subjectaccessreviews`;
  return at((await asker.post(reviews, ask)).expect(201).body, 'status', 'allowed');
}

/** A user who may ask about others in every workspace, after that right is in force. */
async function asker(kcp: Stage, workspace: Workspace): Promise<Caller> {
  const name = kcp.unique('asker');
  await grantEverywhere(kcp, name, [ASKS, ACCESS], [user(name)]);
  const caller = await kcp.front.user({ name });
  await eventually('it may ask', async () => equal(await mayList(caller, workspace, { user: 'nobody' }), false));
  return caller;
}

/** An asker, and a user and a ServiceAccount of elsewhere who may list zones everywhere by a grant in system:admin. */
async function grantees(
  kcp: Stage,
  workspace: Workspace,
): Promise<{ asks: Caller; name: string; home: Workspace; account: string; globalName: string }> {
  const home = await anyWorkspace(kcp);
  const [name, account] = [kcp.unique('reader'), kcp.unique('sa')];
  const { globalName } = await serviceAccount(kcp, home, account);
  await grantEverywhere(kcp, name, [lists(NETWORK), ACCESS], [user(name), user(globalName), group(`${name}s`)]);
  const asks = await asker(kcp, workspace);
  await eventually('the grant acts', async () => equal(await mayList(asks, workspace, { user: name }), true));
  return { asks, name, home, account, globalName };
}

/** F: what may be asked and read about others with rights that system:admin gives. */
export const rightsOfOthers: readonly ConformanceCase[] = [
  {
    id: 'F34.1',
    title:
      'a SubjectAccessReview counts what system:admin grants: to a user by name without any group, to a group with or without a user, to nobody else',
    run: async (kcp) => {
      const workspace = await consumer(kcp);
      const { asks, name } = await grantees(kcp, workspace);

      for (const who of [
        { user: name },
        { user: name, groups: ['system:authenticated'] },
        { groups: [`${name}s`] },
        { user: 'x', groups: [`${name}s`] },
      ]) {
        equal(await mayList(asks, workspace, who), true, JSON.stringify(who));
      }
      for (const who of [{ user: 'nobody' }, { user: 'nobody', groups: ['system:authenticated'] }]) {
        equal(await mayList(asks, workspace, who), false, JSON.stringify(who));
      }
    },
  },
  {
    id: 'F34.2',
    title:
      'a foreign ServiceAccount is asked about by its global name, or by its own with the extra that names its home; no group is needed',
    since: '0.31',
    run: async (kcp) => {
      const workspace = await kcp.workspace({ shard: 0 });
      const { asks, home, account, globalName } = await grantees(kcp, workspace);
      const own = `system:serviceaccount:default:${account}`;
      const groups = ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'];
      const extra = { 'authentication.kcp.io/cluster-name': [home.cluster] };
      const scopes = { 'authentication.kcp.io/scopes': [`cluster:${home.cluster}`] };

      for (const who of [
        { user: globalName },
        { user: own, extra },
        { user: own, groups, extra },
        { user: own, groups, extra: { ...extra, ...scopes } },
      ]) {
        equal(await mayList(asks, workspace, who), true, JSON.stringify(who));
      }
      for (const who of [{ user: own, groups }, { user: own, groups, extra: scopes }, { user: own }]) {
        equal(await mayList(asks, workspace, who), false, JSON.stringify(who));
      }
    },
  },
  {
    id: 'F34.3',
    title: 'it needs neither that the type is bound nor that it exists; on the other shard it counts what that one grants',
    run: async (kcp) => {
      const shards = kcp.backend.shards.map((_, index) => index);
      for (const shard of shards) {
        const workspace = await kcp.workspace({ shard });
        const { asks, name } = await grantees(kcp, workspace);

        equal(await mayList(asks, workspace, { user: name }), true);
        equal(await mayList(asks, workspace, { user: name }, 'other.example.com'), false);
      }
    },
  },
  {
    id: 'F34.4',
    title:
      'where the type is bound the maximal permission policy of its export counts, for the one that is asked about; elsewhere it does not',
    run: async (kcp) => {
      const apiGroup = `${kcp.unique('mpp')}.example.com`;
      const made = await makeExport(kcp, {
        name: apiGroup,
        group: apiGroup,
        types: [ZONE],
        spec: { maximalPermissionPolicy: { local: {} } },
      });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      await eventually('it is served', async () => {
        (await kcp.shard(workspace.shard).masters.get(`${workspace.at}/apis/${apiGroup}/v1/zones`)).expect(200);
      });
      const name = kcp.unique('reader');
      const account = kcp.unique('sa');
      const home = await anyWorkspace(kcp);
      const { globalName } = await serviceAccount(kcp, home, account);
      await grantEverywhere(kcp, name, [lists(apiGroup), ACCESS], [user(name), user(globalName)]);
      const asks = await asker(kcp, workspace);
      await eventually('the grant acts', async () => equal(await mayList(asks, made.workspace, { user: name }, apiGroup), true));

      equal(await mayList(asks, workspace, { user: name }, apiGroup), false);
      equal(await mayList(asks, workspace, { user: globalName }, apiGroup), false);
      const binder = (who: string): Tree => user(`apis.kcp.io:binding:${who}`);
      await grant(kcp.admin, made.workspace.at, name, [lists(apiGroup)], [binder(name), binder(globalName)]);

      await eventually('the policy admits the user', async () => equal(await mayList(asks, workspace, { user: name }, apiGroup), true));
      await eventually('and the account', async () => equal(await mayList(asks, workspace, { user: globalName }, apiGroup), true));
    },
  },
  {
    id: 'F34.5',
    title:
      'a workspace admin asks in the own workspace about anybody, and is told what system:admin grants; in other workspaces it may not ask',
    run: async (kcp) => {
      const [own, other] = [await kcp.workspace(), await anyWorkspace(kcp)];
      const { name } = await grantees(kcp, own);
      const tenant = await tenantOf(kcp, own);

      equal(await mayList(tenant, own, { user: name }), true);
      const refused = await tenant.post(`${other.at}/apis/authorization.k8s.io/v1/subjectaccessreviews`, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: name, resourceAttributes: { verb: 'list', resource: 'zones' } },
      });
      equal(refused.status, 403);
    },
  },
  {
    id: 'F34.6',
    title: 'a SelfSubjectAccessReview of a foreign user or ServiceAccount counts what system:admin grants it',
    since: '0.31',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      const name = kcp.unique('self');
      const account = await serviceAccount(kcp, await anyWorkspace(kcp), name);
      await grantEverywhere(kcp, name, [lists(NETWORK), ACCESS], [user(name), user(account.globalName)]);
      const reviews = `${workspace.at}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`;

      for (const caller of [await kcp.front.user({ name }), kcp.front.with({ token: account.token })]) {
        for (const [verb, allowed] of [
          ['list', true],
          ['delete', false],
        ] as const) {
          const spec = { resourceAttributes: { verb, group: NETWORK, resource: 'zones' } };
          await eventually(`it may ${verb}: ${allowed}`, async () => {
            const { body } = (
              await caller.post(reviews, { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec })
            ).expect(201);
            equal(at(body, 'status', 'allowed'), allowed);
          });
        }
      }
    },
  },
  {
    id: 'F35.1',
    title:
      'webhook configurations by name and the right to create: one configuration can be made, read, changed and removed, and none else read',
    run: async (kcp) => {
      // The front-proxy knows the ServiceAccounts of the first shard only.
      const workspace = await kcp.workspace({ shard: 0 });
      const name = kcp.unique('keeper');
      const { token } = await serviceAccount(kcp, workspace, name);
      const own = { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'] };
      const rules = [{ ...own, resourceNames: [name], verbs: ['get', 'update', 'delete'] }, { ...own, verbs: ['create'] }, ACCESS];
      await grant(kcp.admin, workspace.at, name, rules, [user(name), { kind: 'ServiceAccount', namespace: 'default', name }]);
      const { webhooks } = paths(workspace);
      (await kcp.admin.post(webhooks, webhookConfiguration('other', []))).expect(201);

      for (const caller of [await kcp.front.user({ name }), kcp.front.with({ token })]) {
        await eventually('it may make it', async () => void (await caller.post(webhooks, webhookConfiguration(name, []))).expect(201));
        const { body } = (await caller.get(`${webhooks}/${name}`)).expect(200);
        (await caller.put(`${webhooks}/${name}`, { ...body, metadata: { ...body.metadata, labels: { a: 'b' } } })).expect(200);
        equal((await caller.patch('merge', `${webhooks}/${name}`, {})).status, 403);
        equal((await caller.patch('apply', `${webhooks}/${name}?fieldManager=x`, webhookConfiguration(name, []))).status, 403);
        equal((await caller.get(webhooks)).status, 403);
        equal((await caller.get(`${webhooks}?fieldSelector=metadata.name%3D${name}`)).status, 403);
        equal((await caller.get(`${webhooks}/other`)).status, 403);
        equal((await caller.delete(`${webhooks}/other`)).status, 403);
        (await caller.delete(`${webhooks}/${name}`)).expect(200);
      }
    },
  },
  {
    id: 'F35.2',
    title: 'a list or watch of one name needs its own right by name, and the selector of that name',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      const name = kcp.unique('watcher');
      const own = { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'] };
      await grant(kcp.admin, workspace.at, name, [{ ...own, resourceNames: [name], verbs: ['list', 'watch'] }, ACCESS], [user(name)]);
      const { webhooks } = paths(workspace);
      (await kcp.admin.post(webhooks, webhookConfiguration(name, []))).expect(201);
      (await kcp.admin.post(webhooks, webhookConfiguration('other', []))).expect(201);
      const caller = await kcp.front.user({ name });
      const named = `${webhooks}?fieldSelector=metadata.name%3D${name}`;

      const { body } = await eventually('it lists', async () => (await caller.get(named)).expect(200));

      deepEqual(
        body.items?.map(({ metadata }) => metadata.name),
        [name],
      );
      equal((await caller.get(webhooks)).status, 403);
      equal((await caller.get(`${webhooks}?fieldSelector=metadata.name%3Dother`)).status, 403);
      equal((await caller.get(`${webhooks}/${name}`)).status, 403);
    },
  },
  {
    id: 'F35.3',
    title: 'a ClusterRoleBinding that may be read by name is read, and no other one',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      const name = kcp.unique('reader');
      const bindings = `${workspace.at}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`;
      const reads = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterrolebindings'], resourceNames: [name], verbs: ['get'] };
      await grant(kcp.admin, workspace.at, name, [reads, ACCESS], [user(name)]);
      const caller = await kcp.front.user({ name });

      const { body } = await eventually('it reads', async () => (await caller.get(`${bindings}/${name}`)).expect(200));

      equal(at(body, 'subjects', 0, 'name'), name);
      equal((await caller.get(`${bindings}/workspace-admin`)).status, 403);
      equal((await caller.get(bindings)).status, 403);
    },
  },
  {
    id: 'F36.1',
    title:
      'get logicalclusters and access, granted in system:admin of every shard, let a user and a ServiceAccount turn every path into its cluster',
    since: '0.31',
    run: async (kcp) => {
      const name = kcp.unique('resolver');
      const account = await serviceAccount(kcp, await anyWorkspace(kcp), name);
      const rule = { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] };
      await grantEverywhere(kcp, name, [rule, ACCESS], [user(name), user(account.globalName)]);
      const shards = kcp.backend.shards.map((_, index) => index);

      for (const caller of [await kcp.front.user({ name }), kcp.front.with({ token: account.token })]) {
        for (const shard of shards) {
          const workspace = await kcp.workspace({ shard });
          const { body } = await eventually('it is read', async () =>
            (await caller.get(`/clusters/${workspace.path}${LOGICAL_CLUSTER}`)).expect(200),
          );
          const { annotations } = body.metadata;
          deepEqual([annotations?.['kcp.io/cluster'], annotations?.['kcp.io/path']], [workspace.cluster, workspace.path]);
          equal((await caller.get(workspace.at + LOGICAL_CLUSTER)).status, 200);
          equal((await caller.get(`${workspace.at}/apis/core.kcp.io/v1alpha1/logicalclusters`)).status, 403);
        }
        equal((await caller.get(`/clusters/root${LOGICAL_CLUSTER}`)).status, 200);
      }
    },
  },
  {
    id: 'F36.2',
    title: 'a path that leads nowhere is 404 on a shard, 403 before kcp 0.31, and 403 at the front-proxy, which names the whole path',
    run: async (kcp) => {
      const name = kcp.unique('resolver');
      const rule = { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] };
      await grantEverywhere(kcp, name, [rule, ACCESS], [user(name)]);
      const nowhere = `/clusters/root:${kcp.unique('nope')}${LOGICAL_CLUSTER}`;
      const shard = await kcp.shard().user({ name });

      equal((await shard.get(nowhere)).status, kcp.since('0.31') ? 404 : 403);
      if (kcp.backend.proxyUrl === undefined) return;
      const atProxy = await (await kcp.proxy.user({ name })).get(nowhere);
      equal(atProxy.status, 403);
      equal(atProxy.body.message, `forbidden: User "" cannot get path "${nowhere}": workspace access not permitted`);
    },
  },
  {
    id: 'F36.3',
    title: 'a shard knows a path only if its workspace is its own; by name it refuses those of the other shard',
    needs: ['two-shards'],
    run: async (kcp) => {
      const name = kcp.unique('resolver');
      const rule = { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] };
      await grantEverywhere(kcp, name, [rule, ACCESS], [user(name)]);
      const [near, far] = [await kcp.workspace({ shard: 0 }), await kcp.workspace({ shard: 1 })];
      const shard = await kcp.shard(0).user({ name });

      await eventually('its own', async () => void (await shard.get(`/clusters/${near.path}${LOGICAL_CLUSTER}`)).expect(200));
      equal((await shard.get(`/clusters/${far.path}${LOGICAL_CLUSTER}`)).status, 404);
      equal((await shard.get(far.at + LOGICAL_CLUSTER)).status, 403);
    },
  },
  {
    id: 'F36.4',
    title: 'bindings can be listed, exports and schemas read everywhere with grants in system:admin, and nothing beyond the grant',
    since: '0.31',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await consumerOf(kcp, made);
      const name = kcp.unique('reader');
      const account = await serviceAccount(kcp, await anyWorkspace(kcp), name);
      const rules = [
        { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['list'] },
        { apiGroups: ['apis.kcp.io'], resources: ['apiexports', 'apiresourceschemas'], verbs: ['get'] },
        ACCESS,
      ];
      await grantEverywhere(kcp, name, rules, [user(name), user(account.globalName)]);
      await served(kcp, paths(workspace).zones);

      for (const caller of [await kcp.front.user({ name }), kcp.front.with({ token: account.token })]) {
        const listed = await eventually('bindings are listed', async () =>
          (await caller.get(`${workspace.at}${APIS}/apibindings`)).expect(200),
        );
        equal(
          listed.body.items?.some(({ metadata }) => metadata.name === NETWORK),
          true,
        );
        equal((await caller.get(`${workspace.at}${APIS}/apibindings/${NETWORK}`)).status, 403);
        (await caller.get(`${made.workspace.at}${APIS}/apiexports/${made.name}`)).expect(200);
        (await caller.get(`${made.workspace.at}${APIS_V1ALPHA1}/apiresourceschemas/v1.zones.${NETWORK}`)).expect(200);
        equal((await caller.get(`${made.workspace.at}${APIS}/apiexports`)).status, 403);
        equal((await caller.get(paths(workspace).zones)).status, 403);
      }
    },
  },
  {
    id: 'F37.1',
    title: 'a role with an empty list of rules, or with none, is told with rules that are null',
    run: async (kcp) => {
      const { at: workspace } = await anyWorkspace(kcp);
      const roles = `${workspace}/apis/rbac.authorization.k8s.io/v1/clusterroles`;
      const role = (name: string, rest: object) => ({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name },
        ...rest,
      });
      const full = { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }] };
      (await kcp.admin.post(roles, role('empty', { rules: [] }))).expect(201);
      (await kcp.admin.post(roles, role('none', {}))).expect(201);
      const { body } = (await kcp.admin.post(roles, role('emptied', full))).expect(201);
      (await kcp.admin.put(`${roles}/emptied`, { ...body, rules: [] })).expect(200);

      for (const name of ['empty', 'none', 'emptied']) {
        const { body: told } = (await kcp.admin.get(`${roles}/${name}`)).expect(200);
        equal(at(told, 'rules'), null, name);
      }
    },
  },
];
