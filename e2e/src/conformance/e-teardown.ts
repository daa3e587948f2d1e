import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { eventually, patience } from '../stage/eventually.js';
import { vm, vpc, zone } from '../stage/example-types.js';
import { APIS, consumer, network, paths } from '../stage/exports.js';
import { ALLOW, deny, inForce, install, ruleFor } from '../stage/webhooks.js';

const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

function condition(body: KubeBody, type: string): Tree | undefined {
  const conditions = at(body, 'status', 'conditions');
  return Array.isArray(conditions) ? (conditions as Tree[]).find((one) => one['type'] === type) : undefined;
}

/** E: how namespaces, bindings and workspaces go, and what webhooks see of it. */
export const teardown: readonly ConformanceCase[] = [
  {
    id: 'E25.1',
    title: 'a workspace with content is answered 200, says Deleting, and goes by itself',
    slow: true,
    run: async (kcp) => {
      const workspace = await consumer(kcp);
      const name = workspace.path.split(':')[1] ?? '';
      (await kcp.admin.post(paths(workspace).vpcs, vpc('a'))).expect(201);

      const { body } = (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);
      ok(body.metadata.deletionTimestamp);

      if (kcp.since('0.32')) {
        await eventually('it says so', async () => {
          equal(at((await kcp.admin.get(`${WORKSPACES}/${name}`)).expect(200).body, 'status', 'phase'), 'Deleting');
        });
      }
      await eventually('it is gone', async () => equal((await kcp.admin.get(`${WORKSPACES}/${name}`)).status, 404), 4 * patience.ms);
      equal(
        (await kcp.admin.get(`/clusters/${workspace.path}/api/v1/namespaces`)).status,
        kcp.backend.proxyUrl === undefined && kcp.since('0.31') ? 404 : 403,
      );
    },
  },
  {
    id: 'E25.2',
    title:
      'the teardown of a workspace asks the webhooks as system:apiserver, for each object, without names, and repeats what was refused',
    slow: true,
    run: async (kcp) => {
      const workspace = await consumer(kcp);
      const name = workspace.path.split(':')[1] ?? '';
      const { vpcs, vms } = paths(workspace);
      // Refused until the test has read what the teardown says about it.
      let refuse = true;
      let refusals = 0;
      const hook = await install(kcp, (review) => {
        if (review.dryRun === true || !refuse) return { allowed: true };
        refusals += 1;
        return deny('still referenced by VM/vm')(review);
      });
      (await kcp.admin.post(vpcs, vpc('vpc', {}, { labels: hook.labels }))).expect(201);
      (await kcp.admin.post(vms, vm('vm', 'vpc'))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/vpc?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      const before = hook.asked.length;

      (await kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      await eventually('the workspace says what remains', async () => {
        const found = condition((await kcp.admin.get(`${WORKSPACES}/${name}`)).expect(200).body, 'WorkspaceContentDeleted');
        deepEqual([found?.['status'], found?.['reason']], ['False', 'SomeResourcesRemain']);
        match(String(at(found, 'message')), /namespaces\. has \d+ resource instances/);
      });
      await eventually('the namespace says why', async () => {
        const found = condition(
          (await kcp.admin.get(`${workspace.at}/api/v1/namespaces/default`)).expect(200).body,
          'NamespaceDeletionContentFailure',
        );
        equal(found?.['status'], 'True');
        match(String(at(found, 'message')), /denied the request: still referenced by VM\/vm/);
      });
      await eventually('the refused delete is repeated', async () => {
        ok(refusals > 1);
        return Promise.resolve();
      });
      refuse = false;
      await eventually('it is gone', async () => equal((await kcp.admin.get(`${WORKSPACES}/${name}`)).status, 404), 4 * patience.ms);
      for (const { review } of hook.asked.slice(before)) {
        equal(review.operation, 'DELETE');
        equal(review.userInfo.username, 'system:apiserver');
        ok(review.userInfo.groups?.includes('system:masters'));
        ok(!('name' in review));
        equal(review.oldObject?.metadata.name, 'vpc');
      }
    },
  },
  {
    id: 'E25.3',
    title: 'a namespace deletes its content, asks the webhooks, and stays Terminating with the refusal until they agree',
    slow: true,
    run: async (kcp) => {
      const workspace = await consumer(kcp);
      const { vpcs, namespaces } = paths(workspace, 'going');
      (await kcp.admin.post(namespaces, { metadata: { name: 'going' } })).expect(201);
      let refuse = true;
      const hook = await install(kcp, (review) => (refuse ? deny('in use')(review) : { allowed: true }));
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${vpcs}/a`, 403);

      const going = (await kcp.admin.delete(`${namespaces}/going`)).expect(200).body;

      equal(at(going, 'status', 'phase'), 'Terminating');
      await eventually('it says why it stays', async () => {
        const found = condition((await kcp.admin.get(`${namespaces}/going`)).expect(200).body, 'NamespaceDeletionContentFailure');
        equal(found?.['status'], 'True');
        match(String(at(found, 'message')), /denied the request: in use/);
      });
      const refused = await kcp.admin.post(vpcs, vpc('late'));
      equal(refused.status, 403);
      match(refused.body.message ?? '', /because it is being terminated/);
      refuse = false;
      await eventually('it is gone', async () => equal((await kcp.admin.get(`${namespaces}/going`)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'E26.1',
    title: 'a binding with objects waits for them: they are deleted, a refusal is shown as condition, and once allowed all goes',
    slow: true,
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await consumer(kcp);
      const { vpcs, zones } = paths(workspace);
      const binding = `${workspace.at}${APIS}/apibindings/${made.name}`;
      let refuse = true;
      const hook = await install(kcp, (review) => (refuse ? deny('in use')(review) : { allowed: true }), { rules: [ruleFor('zones')] });
      (await kcp.admin.post(zones, zone('a', { labels: hook.labels }))).expect(201);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);
      await inForce(kcp, `${zones}/a`, 403);

      const going = (await kcp.admin.delete(binding)).expect(200).body;

      ok(going.metadata.deletionTimestamp);
      await eventually('it says why it stays', async () => {
        const found = condition((await kcp.admin.get(binding)).expect(200).body, 'BindingResourceDeleteSuccess');
        deepEqual([found?.['status'], found?.['reason']], ['False', 'ResourceDeletionFailed']);
        match(String(at(found, 'message')), /denied the request: in use/);
      });
      refuse = false;
      await eventually('it is gone', async () => equal((await kcp.admin.get(binding)).status, 404), 4 * patience.ms);
      const [first] = hook.asked.slice(-1);
      equal(first?.review.userInfo.username, 'system:apiserver');
    },
  },
  {
    id: 'E26.2',
    title: 'an object with a finalizer keeps a deleting binding alive, and the binding says so',
    slow: true,
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await consumer(kcp);
      const { zones } = paths(workspace);
      const binding = `${workspace.at}${APIS}/apibindings/${made.name}`;
      (await kcp.admin.post(zones, zone('a', { finalizers: ['example.com/wait'] }))).expect(201);

      (await kcp.admin.delete(binding)).expect(200);

      await eventually('it says why it stays', async () => {
        const found = condition((await kcp.admin.get(binding)).expect(200).body, 'BindingResourceDeleteSuccess');
        deepEqual([found?.['status'], found?.['reason']], ['False', 'SomeFinalizersRemain']);
      });
      (await kcp.admin.patch('merge', `${zones}/a`, { metadata: { finalizers: null } })).expect(200);
      await eventually('it is gone', async () => equal((await kcp.admin.get(binding)).status, 404));
    },
  },
  {
    id: 'E26.3',
    title: 'a binding that goes deletes what it may in each namespace, whatever is refused in another one',
    slow: true,
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await consumer(kcp);
      const [first, second] = [paths(workspace, 'first'), paths(workspace, 'second')];
      for (const name of ['first', 'second']) (await kcp.admin.post(first.namespaces, { metadata: { name } })).expect(201);
      let refuse = true;
      const hook = await install(kcp, (review) =>
        refuse && review.oldObject?.metadata.name === 'b' ? deny('b stays')(review) : { allowed: true },
      );
      for (const { vpcs } of [first, second]) {
        for (const name of ['a', 'b', 'c']) (await kcp.admin.post(vpcs, vpc(name, {}, { labels: hook.labels }))).expect(201);
        await inForce(kcp, `${vpcs}/b`, 403);
      }

      const binding = `${workspace.at}${APIS}/apibindings/${made.name}`;
      (await kcp.admin.delete(binding)).expect(200);

      for (const { vpcs } of [first, second]) {
        await eventually('what comes before the refusal is gone', async () => equal((await kcp.admin.get(`${vpcs}/a`)).status, 404));
        for (const name of ['b', 'c']) equal((await kcp.admin.get(`${vpcs}/${name}`)).status, 200);
      }
      refuse = false;
      await eventually('it is gone', async () => equal((await kcp.admin.get(binding)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'E27.1',
    title: 'an owner that goes takes what it owns along in the background, through the webhooks',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { rules: [ruleFor('vms')] });
      const workspace = await consumer(kcp);
      const { vpcs, vms } = paths(workspace);
      const owner = (await kcp.admin.post(vpcs, vpc('owner'))).expect(201).body;
      const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: owner.metadata.uid }];
      (await kcp.admin.post(vms, vm('owned', 'owner', { ownerReferences, labels: hook.labels }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vms}/owned?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      const before = hook.asked.length;

      (await kcp.admin.delete(`${vpcs}/owner`)).expect(200);

      await eventually('what it owned is gone', async () => equal((await kcp.admin.get(`${vms}/owned`)).status, 404));
      const review = hook.asked[before]?.review;
      equal(review?.name, 'owned');
      equal(review.userInfo.username, 'system:apiserver');
    },
  },
  {
    id: 'E27.2',
    title: 'in the foreground the owner waits for what it owns, and goes after it',
    run: async (kcp) => {
      const { vpcs, vms } = paths(await consumer(kcp));
      const owner = (await kcp.admin.post(vpcs, vpc('owner'))).expect(201).body;
      const reference = {
        apiVersion: owner.apiVersion,
        kind: owner.kind,
        name: 'owner',
        uid: owner.metadata.uid,
        blockOwnerDeletion: true,
      };
      (await kcp.admin.post(vms, vm('owned', 'owner', { ownerReferences: [reference], finalizers: ['example.com/wait'] }))).expect(201);

      (await kcp.admin.delete(`${vpcs}/owner`, { propagationPolicy: 'Foreground' })).expect(200);

      await eventually('what it owns is going', async () =>
        ok((await kcp.admin.get(`${vms}/owned`)).expect(200).body.metadata.deletionTimestamp),
      );
      deepEqual((await kcp.admin.get(`${vpcs}/owner`)).expect(200).body.metadata.finalizers, ['foregroundDeletion']);
      (await kcp.admin.patch('merge', `${vms}/owned`, { metadata: { finalizers: null } })).expect(200);
      await eventually('the owner is gone', async () => equal((await kcp.admin.get(`${vpcs}/owner`)).status, 404));
    },
  },
  {
    id: 'E27.3',
    title: 'orphaned, what was owned stays and forgets its owner',
    run: async (kcp) => {
      const { vpcs, vms } = paths(await consumer(kcp));
      const owner = (await kcp.admin.post(vpcs, vpc('owner'))).expect(201).body;
      const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: owner.metadata.uid }];
      (await kcp.admin.post(vms, vm('owned', 'owner', { ownerReferences }))).expect(201);

      (await kcp.admin.delete(`${vpcs}/owner`, { propagationPolicy: 'Orphan' })).expect(200);

      await eventually('the owner is gone', async () => equal((await kcp.admin.get(`${vpcs}/owner`)).status, 404));
      await eventually('the owner is forgotten', async () => {
        deepEqual((await kcp.admin.get(`${vms}/owned`)).expect(200).body.metadata.ownerReferences ?? [], []);
      });
    },
  },
];
