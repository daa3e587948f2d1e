import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { vpc } from '../stage/example-types.js';
import { bind, network, paths, served } from '../stage/exports.js';
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
import { install, ruleFor, type CaseWebhook } from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** Keeps the vpc until the case has looked at it: kcp deletes the content of a dying workspace meanwhile. */
const HOLDS = 'example.com/case';
const VPCS = '/apis/network.example.com/v1/namespaces/default/vpcs';

/** ConfigMaps may be read, vpcs deleted. */
const PERMISSIONS: readonly Tree[] = [
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  { apiGroups: ['network.example.com'], resources: ['vpcs'], verbs: ['get', 'delete'] },
];

/** A dying workspace of the type with a vpc in it that a webhook is asked about. */
async function dyingWithVpc(kcp: Stage, type: HoldingType): Promise<{ readonly workspace: Workspace; readonly hook: CaseWebhook }> {
  const workspace = await workspaceOf(kcp, type);
  await bind(kcp, workspace, await network(kcp));
  await served(kcp, paths(workspace).vpcs);
  const hook = await install(kcp, () => ({ allowed: true }), { rules: [ruleFor('vpcs')] });
  (await kcp.admin.post(paths(workspace).vpcs, vpc('a', {}, { labels: hook.labels, finalizers: [HOLDS] }))).expect(201);
  await eventually('the webhook is asked', async () => {
    (await kcp.admin.delete(`${paths(workspace).vpcs}/a?dryRun=All`)).expect(200);
    ok(hook.asked.length > 0);
  });
  await dies(kcp, workspace, type);
  return { workspace, hook };
}

/** The first user that the webhook was told of since then, beside kcp itself, which deletes the content at the same time. */
function userOf({ asked }: CaseWebhook, before: number): { readonly username: string; readonly groups: readonly string[] } {
  const others = asked.slice(before).filter(({ review }) => review.userInfo.username !== 'system:apiserver');
  const { username = '', groups = [] } = others[0]?.review.userInfo ?? {};
  return { username, groups };
}

/** Lets go of the vpc. */
async function letGo(kcp: Stage, workspace: Workspace): Promise<void> {
  await kcp.admin.patch('merge', `${paths(workspace).vpcs}/a`, { metadata: { finalizers: null } });
}

/** A refusal of the virtual workspace itself is plain text, not a Status. */
function saysPlainly(answer: Answer, status: number, text: RegExp): void {
  equal(answer.status, status);
  match(answer.text, text);
  ok(!answer.text.startsWith('{'));
}

/** E: what terminators and initializers may do to the content of the workspaces that wait for them, and as whom. */
export const lifecyclePermissions: readonly ConformanceCase[] = [
  {
    id: 'E28.7',
    title:
      'with terminatorPermissions a webhook sees the caller, with a group that names the terminator; the caller needs no right in the workspace',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator', { terminatorPermissions: PERMISSIONS });
      const caller = await worker(kcp, 'terminator', type);
      const { workspace, hook } = await dyingWithVpc(kcp, type);
      const before = hook.asked.length;

      // Another shard knows the permissions of a type a moment later.
      await eventually('it may delete', async () => void (await caller.delete(`${type.view}/${workspace.cluster}${VPCS}/a`)).expect(200));

      const { username, groups } = userOf(hook, before);
      equal(username, caller.user);
      deepEqual([...groups].sort(), [`system:kcp:terminator:${type.entry}`, 'system:authenticated'].sort());
      await letGo(kcp, workspace);
      await release(kcp, 'terminator', type, workspace.cluster);
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.8',
    title: 'what terminatorPermissions do not admit is 403 in plain text, for an admin too, and says what no rule allows',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator', { terminatorPermissions: PERMISSIONS });
      const caller = await worker(kcp, 'terminator', type);
      const workspace = await workspaceOf(kcp, type);
      await dies(kcp, workspace, type);
      const content = `${type.view}/${workspace.cluster}`;

      (await caller.get(content + CONFIG_MAPS)).expect(200);
      const denied = new RegExp(`^terminator "${type.entry}" denied by terminatorPermissions: no rule allows `);
      for (const one of [caller, kcp.shard().admin]) {
        const created = await one.post(content + CONFIG_MAPS, { metadata: { name: 'a' } });
        saysPlainly(created, 403, denied);
        match(created.text, /create on core\/configmaps in namespace default/);
        saysPlainly(
          await one.get(`${content}/api/v1/namespaces/default/secrets/a`),
          403,
          /get on core\/secrets \(a\) in namespace default/,
        );
        saysPlainly(await one.get(`${content}/apis/apps/v1/deployments`), 403, /list on apps\/deployments/);
      }
      await release(kcp, 'terminator', type, workspace.cluster);
    },
  },
  {
    id: 'E28.9',
    title: 'without terminatorPermissions, or with an empty list, a webhook sees the creator of the workspace',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      for (const spec of [{}, { terminatorPermissions: [] }]) {
        const type = await holdingType(kcp, 'terminator', spec);
        const caller = await worker(kcp, 'terminator', type);
        const { workspace, hook } = await dyingWithVpc(kcp, type);
        const before = hook.asked.length;

        (await caller.delete(`${type.view}/${workspace.cluster}${VPCS}/a`)).expect(200);

        const { username, groups } = userOf(hook, before);
        equal(username, 'kcp-admin');
        ok(groups.includes('system:kcp:admin'));
        ok(!groups.some((one) => one.startsWith('system:kcp:terminator:')));
        await letGo(kcp, workspace);
        await release(kcp, 'terminator', type, workspace.cluster);
      }
    },
  },
  {
    id: 'E28.10',
    title: 'the content is closed to a terminator once its entry is removed, while another one holds the workspace',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const inner = await holdingType(kcp, 'terminator', {}, 'inner');
      const extending = { extend: { with: [{ name: 'inner', path: inner.home.path }] } };
      const outer = await holdingType(kcp, 'terminator', extending, 'outer');
      const workspace = await workspaceOf(kcp, outer);
      await dies(kcp, workspace, outer);
      const { admin } = kcp.shard();
      await eventually(
        'content is served',
        async () => void (await admin.get(`${inner.view}/${workspace.cluster}${CONFIG_MAPS}`)).expect(200),
      );

      await release(kcp, 'terminator', inner, workspace.cluster);

      await eventually('it is closed', async () => {
        const answer = await admin.get(`${inner.view}/${workspace.cluster}${CONFIG_MAPS}`);
        saysPlainly(answer, 403, new RegExp(`^terminator "${inner.entry}" cannot access this workspace`));
      });
      (await admin.get(`${outer.view}/${workspace.cluster}${CONFIG_MAPS}`)).expect(200);
      await release(kcp, 'terminator', outer, workspace.cluster);
      await gone(kcp, nameInRoot(workspace));
    },
  },
  {
    id: 'E28.17',
    title: 'with terminatorPermissions the content of a dying workspace is 403 until its phase says so, a moment after the delete',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator', { terminatorPermissions: PERMISSIONS });
      const caller = await worker(kcp, 'terminator', type);
      const workspace = await workspaceOf(kcp, type);
      const content = `${type.view}/${workspace.cluster}${CONFIG_MAPS}`;
      const refusals: Answer[] = [];

      (await kcp.admin.delete(`${ROOT_WORKSPACES}/${nameInRoot(workspace)}`)).expect(200);

      await eventually('the content is open', async () => {
        const answer = await caller.get(content);
        if (answer.status !== 200) refusals.push(answer);
        answer.expect(200);
      });
      equal(at((await kcp.admin.get(`${workspace.at}${LOGICAL_CLUSTERS}/cluster`)).expect(200).body, 'status', 'phase'), 'Terminating');
      for (const { status, text } of refusals) {
        equal(status, 403);
        // Of the virtual workspace while it does not see the delete, then of the workspace, which knows nobody of this name.
        match(text, /^terminator ".*" cannot access this workspace|"message":"configmaps is forbidden: User .* cannot list resource/);
      }
      await release(kcp, 'terminator', type, workspace.cluster);
    },
  },
  {
    id: 'E28.11',
    title: 'of a workspace that is not there the content is 500 in plain text, not 404',
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'terminator');
      const content = `${type.view}/1nothere00000000${CONFIG_MAPS}`;

      await eventually('the type is known', async () =>
        saysPlainly(await kcp.shard().admin.get(content), 500, /^error getting logicalcluster/),
      );
    },
  },
  {
    id: 'C20.14',
    title:
      'with initializerPermissions what a rule admits is done as the caller, what none admits is 403 in plain text; of a Ready workspace all is',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const type = await holdingType(kcp, 'initializer', {
        initializerPermissions: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] }],
      });
      const caller = await worker(kcp, 'initializer', type);
      const name = kcp.unique('begun');
      const cluster = await beginWorkspace(kcp, type, name);
      const content = `${type.view}/${cluster}`;

      const made = await eventually('content is served', async () =>
        (await caller.post(content + CONFIG_MAPS, { metadata: { name: 'a' }, data: { a: 'b' } })).expect(201),
      );
      const denied = await caller.delete(`${content}${CONFIG_MAPS}/a`);

      equal(made.body.metadata.annotations?.['kcp.io/cluster'], cluster);
      saysPlainly(
        denied,
        403,
        new RegExp(`^initializer "${type.entry}" denied by initializerPermissions: no rule allows delete on core/configmaps`),
      );
      await release(kcp, 'initializer', type, cluster);
      await kcp.ready('root', name);
      await eventually('it is closed', async () => {
        saysPlainly(await caller.get(`${content}${CONFIG_MAPS}/a`), 403, /cannot access this workspace/);
      });
      (await kcp.admin.delete(`${ROOT_WORKSPACES}/${name}`)).expect(200);
    },
  },
  {
    id: 'C20.16',
    title:
      'with initializerPermissions a webhook sees the caller, with a group that names the initializer; without them the creator of the workspace',
    slow: true,
    since: '0.32',
    run: async (kcp) => {
      const rules = [{ apiGroups: ['network.example.com'], resources: ['vpcs'], verbs: ['create'] }];
      for (const spec of [{ initializerPermissions: rules }, {}]) {
        const type = await holdingType(kcp, 'initializer', spec);
        const caller = await worker(kcp, 'initializer', type);
        const name = kcp.unique('begun');
        const cluster = await beginWorkspace(kcp, type, name);
        const workspace = { path: `root:${name}`, cluster, at: `/clusters/${cluster}`, shard: 0 };
        await bind(kcp, workspace, await network(kcp));
        await served(kcp, paths(workspace).vpcs);
        const hook = await install(kcp, () => ({ allowed: true }), { rules: [ruleFor('vpcs', 'CREATE')] });

        await eventually('the webhook is asked', async () => {
          const object = vpc('a', {}, { labels: hook.labels });
          (await caller.post(`${type.view}/${cluster}${VPCS}?dryRun=All`, object)).expect(201);
          ok(hook.asked.length > 0);
        });

        const { username, groups } = userOf(hook, 0);
        if ('initializerPermissions' in spec) {
          equal(username, caller.user);
          deepEqual([...groups].sort(), [`system:kcp:initializer:${type.entry}`, 'system:authenticated'].sort());
        } else {
          equal(username, 'kcp-admin');
          ok(groups.includes('system:kcp:admin'));
          ok(!groups.some((one) => one.startsWith('system:kcp:initializer:')));
        }
        await release(kcp, 'initializer', type, cluster);
      }
    },
  },
];
