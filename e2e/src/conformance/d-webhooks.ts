import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { always, eventually } from '../stage/eventually.js';
import { vpc, vm, zone } from '../stage/example-types.js';
import { anyWorkspace, consumer, corner, paths } from '../stage/exports.js';
import { ALLOW, deny, inForce, install, ruleFor, webhookConfiguration, webhookEntry } from '../stage/webhooks.js';

const CONFIG_MAP_RULE = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] };

/** D: whose webhooks are called, when they begin to act, and what they are asked. */
export const webhooks: readonly ConformanceCase[] = [
  {
    id: 'D21.1',
    title: 'a bound type is reviewed by the webhooks of the exporting workspace, in every consumer',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      for (const workspace of [await consumer(kcp), await consumer(kcp)]) {
        const { vpcs } = paths(workspace);
        (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

        await inForce(kcp, `${vpcs}/a`, 403);
      }
    },
  },
  {
    id: 'D21.2',
    title: 'a bound type is never reviewed by the webhooks of the consumer itself',
    run: async (kcp) => {
      const [allHook, ownHook] = [await install(kcp, deny('provider')), kcp.webhooks.open(kcp.unique('own'), deny('consumer'))];
      const workspace = await consumer(kcp);
      const { vpcs, webhooks: configurations, configMaps } = paths(workspace);
      const own = webhookEntry('own.example.com', ownHook, { rules: [ruleFor('vpcs'), CONFIG_MAP_RULE] });
      (await kcp.admin.post(configurations, webhookConfiguration('own', [own]))).expect(201);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: allHook.labels }))).expect(201);

      await inForce(kcp, `${configMaps}/a`, 403);
      await inForce(kcp, `${vpcs}/a`, 403);

      match((await kcp.admin.delete(`${vpcs}/a`)).body.message ?? '', /: provider$/);
      ok(ownHook.asked.every(({ review }) => review.resource['resource'] === 'configmaps'));
    },
  },
  {
    id: 'D21.3',
    title: 'a built-in type is reviewed by the webhooks of its own workspace and of no other',
    run: async (kcp) => {
      const [here, there] = [await kcp.workspace(), await anyWorkspace(kcp)];
      const name = kcp.unique('c');
      const hook = kcp.webhooks.open(kcp.unique('builtin'), deny('no'));
      const entry = webhookEntry('builtin.example.com', hook, { rules: [CONFIG_MAP_RULE] });
      (await kcp.admin.post(paths(here).webhooks, webhookConfiguration('builtin', [entry]))).expect(201);
      for (const workspace of [here, there]) (await kcp.admin.post(paths(workspace).configMaps, { metadata: { name } })).expect(201);

      await inForce(kcp, `${paths(here).configMaps}/${name}`, 403);

      (await kcp.admin.delete(`${paths(there).configMaps}/${name}`)).expect(200);
    },
  },
  {
    id: 'D21.4',
    title: 'a consumer on the other shard is reviewed by the same webhooks',
    needs: ['two-shards'],
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      for (const shard of [0, 1]) {
        const { vpcs } = paths(await consumer(kcp, { shard }));
        (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

        await inForce(kcp, `${vpcs}/a`, 403);
      }
    },
  },
  {
    id: 'D22.1',
    title: 'a configuration acts, changes and ends a moment after it is written',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

      await inForce(kcp, `${vpcs}/a`, 403);
      (
        await kcp.admin.patch('json', hook.configuration, [{ op: 'replace', path: '/webhooks/0/rules/0/operations', value: ['UPDATE'] }])
      ).expect(200);
      await inForce(kcp, `${vpcs}/a`, 200);
      (
        await kcp.admin.patch('json', hook.configuration, [{ op: 'replace', path: '/webhooks/0/rules/0/operations', value: ['DELETE'] }])
      ).expect(200);
      await inForce(kcp, `${vpcs}/a`, 403);
      (await kcp.admin.delete(hook.configuration)).expect(200);
      await inForce(kcp, `${vpcs}/a`, 200);
    },
  },
  {
    id: 'D23.1',
    title: 'the review of a delete names object, namespace and user, carries the old object with kcp.io/cluster and without kcp.io/path',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW);
      const { vpcs, workspace, namespace } = await corner(kcp);
      const made = (await kcp.admin.post(vpcs, vpc('a', { cidr: '10.0.0.0/8' }, { labels: hook.labels }))).expect(201).body;
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      const before = hook.asked.length;

      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);

      equal(hook.asked.length, before + 1);
      const review = hook.asked.at(-1)?.review;
      equal(review?.operation, 'DELETE');
      equal(review.name, 'a');
      equal(review.namespace, namespace);
      equal(review.object, null);
      equal(review.dryRun, false);
      deepEqual(review.kind, { group: 'network.example.com', version: 'v1', kind: 'VPC' });
      deepEqual(review.resource, { group: 'network.example.com', version: 'v1', resource: 'vpcs' });
      deepEqual(review.requestKind, review.kind);
      deepEqual(review.requestResource, review.resource);
      equal(review.options?.['kind'], 'DeleteOptions');
      equal(review.options['apiVersion'], 'meta.k8s.io/v1');
      const { uid, annotations = {} } = review.oldObject?.metadata ?? {};
      equal(uid, made.metadata.uid);
      equal(annotations['kcp.io/cluster'], workspace.cluster);
      equal(annotations['kcp.io/path'], undefined);
      deepEqual(at(review.oldObject, 'spec'), { cidr: '10.0.0.0/8', mode: 'routed' });
      equal(review.userInfo.username, 'kcp-admin');
      deepEqual([...(review.userInfo.groups ?? [])].sort(), ['system:authenticated', 'system:kcp:admin']);
    },
  },
  {
    id: 'D23.2',
    title: 'a dry run is reviewed as such and deletes nothing',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW);
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        equal(hook.asked[0]?.review.dryRun, true);
      });
      (await kcp.admin.get(`${vpcs}/a`)).expect(200);
    },
  },
  {
    id: 'D23.3',
    title: 'deleting a collection asks about each object, without a name, and deletes all that was allowed',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW);
      const { vpcs, namespace } = await corner(kcp);
      for (const name of ['a', 'b']) (await kcp.admin.post(vpcs, vpc(name, {}, { labels: hook.labels }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      const before = hook.asked.length;

      (await kcp.admin.delete(vpcs)).expect(200);

      const reviews = hook.asked.slice(before).map(({ review }) => review);
      deepEqual(
        reviews.map((review) => 'name' in review),
        [false, false],
      );
      deepEqual(
        reviews.map((review) => review.namespace),
        [namespace, namespace],
      );
      deepEqual(
        reviews.map(({ oldObject }) => oldObject?.metadata.name),
        ['a', 'b'],
      );
      deepEqual((await kcp.admin.get(vpcs)).body.items, []);
    },
  },
  {
    id: 'D23.4',
    title: 'deleting a collection stops at the first refusal: later objects are neither reviewed nor deleted',
    run: async (kcp) => {
      const hook = await install(kcp, (review) => (review.oldObject?.metadata.name === 'b' ? deny('b stays')(review) : { allowed: true }));
      const { vpcs } = await corner(kcp);
      for (const name of ['a', 'b', 'c']) (await kcp.admin.post(vpcs, vpc(name, {}, { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${vpcs}/b`, 403);
      const before = hook.asked.length;

      const refused = await kcp.admin.delete(vpcs);

      equal(refused.status, 403);
      match(refused.body.message ?? '', /denied the request: b stays$/);
      deepEqual(
        hook.asked.slice(before).map(({ review }) => review.oldObject?.metadata.name),
        ['a', 'b'],
      );
      deepEqual(
        (await kcp.admin.get(vpcs)).body.items?.map(({ metadata }) => metadata.name),
        ['b', 'c'],
      );
    },
  },
  {
    id: 'D23.5',
    title: 'the review of a cluster-scoped object has a name and no namespace; of its collection neither',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { rules: [ruleFor('zones')] });
      const { zones } = await corner(kcp);
      const [a, b] = [kcp.unique('a'), kcp.unique('b')];
      for (const name of [a, b]) (await kcp.admin.post(zones, zone(name, { labels: hook.labels }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${zones}/${a}?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });

      const single = hook.asked.at(-1)?.review;
      equal(single?.name, a);
      ok(!('namespace' in single));
      (await kcp.admin.delete(`${zones}?labelSelector=case%3D${hook.labels['case']}`)).expect(200);
      for (const { review } of hook.asked.slice(-2)) ok(!('namespace' in review) && !('name' in review));
    },
  },
  {
    id: 'D23.6',
    title: 'a missing object and a failed precondition are not reviewed; an object that is already going is reviewed again',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW);
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels, finalizers: ['example.com/wait'] }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      const before = hook.asked.length;

      equal((await kcp.admin.delete(`${vpcs}/missing`)).status, 404);
      equal((await kcp.admin.delete(`${vpcs}/a`, { preconditions: { uid: 'another' } })).status, 409);
      equal(hook.asked.length, before);
      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);
      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);

      const going = hook.asked.slice(before).map(({ review }) => review.oldObject?.metadata.deletionTimestamp !== undefined);
      // Right after a write kcp may ask first with the object as its cache has it, and again with the stored one.
      deepEqual([...new Set(going)], [false, true]);
    },
  },
  {
    id: 'D23.7',
    title: 'removing the last finalizer of an object that is going asks the UPDATE webhooks, not those of DELETE',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { rules: [{ ...ruleFor('vpcs'), operations: ['DELETE', 'UPDATE'] }] });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels, finalizers: ['example.com/wait'] }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });
      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);
      const before = hook.asked.length;

      (await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { finalizers: null } })).expect(200);

      // Twice, when kcp's cache does not have the delete yet: first with the object from there, then with the stored one.
      deepEqual([...new Set(hook.asked.slice(before).map(({ review }) => review.operation))], ['UPDATE']);
      equal((await kcp.admin.get(`${vpcs}/a`)).status, 404);
    },
  },
  {
    id: 'D23.8',
    title: 'the call carries the timeout as a query and no more than a plain JSON request',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { timeoutSeconds: 7 });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
        ok(hook.asked.length > 0);
      });

      const call = hook.asked[0];
      match(call?.url ?? '', /\?timeout=7s$/);
      equal(call?.headers['content-type'], 'application/json');
      match(String(call.headers['user-agent']), /^kube-apiserver-admission/);
    },
  },
  {
    id: 'D23.9',
    title: 'a create is reviewed with object and kcp.io/cluster, an update with both objects',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { rules: [{ ...ruleFor('vpcs'), operations: ['CREATE', 'UPDATE'] }] });
      const { vpcs, workspace } = await corner(kcp);
      await eventually('the webhook is asked', async () => {
        (await kcp.admin.post(vpcs, vpc(kcp.unique('v'), {}, { labels: hook.labels }))).expect(201);
        ok(hook.asked.length > 0);
      });
      const created = hook.asked[0]?.review;
      equal(created?.operation, 'CREATE');
      equal(created.oldObject, null);
      equal(created.object?.metadata.annotations?.['kcp.io/cluster'], workspace.cluster);

      (await kcp.admin.patch('merge', `${vpcs}/${created.name ?? ''}`, { spec: { size: 3 } })).expect(200);

      const updated = hook.asked.at(-1)?.review;
      equal(updated?.operation, 'UPDATE');
      equal(at(updated.object, 'spec', 'size'), 3);
      equal(at(updated.oldObject, 'spec', 'size'), undefined);
    },
  },
  {
    id: 'D23.10',
    title: 'other types of the same export and other operations are not reviewed',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      const { vpcs, vms } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      (await kcp.admin.post(vms, vm('a', 'a', { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${vpcs}/a`, 403);

      (await kcp.admin.delete(`${vms}/a`)).expect(200);
      (await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 2 } })).expect(200);
    },
  },
  {
    id: 'D23.11',
    title: 'configurations themselves are never reviewed, so that they can always be taken away',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      const { webhooks: configurations, configMaps } = paths(workspace);
      const hook = kcp.webhooks.open(kcp.unique('all'), deny('no'));
      const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }];
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
      (await kcp.admin.post(configurations, webhookConfiguration('all', [webhookEntry('all.example.com', hook, { rules })]))).expect(201);
      await inForce(kcp, `${configMaps}/a`, 403);

      (await kcp.admin.delete(`${configurations}/all`)).expect(200);

      await inForce(kcp, `${configMaps}/a`, 200);
    },
  },
  {
    id: 'D22.2',
    title: 'once in force a webhook lets nothing slip through',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'));
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${vpcs}/a`, 403);

      await always('a delete is refused', async () => void (await kcp.admin.delete(`${vpcs}/a`)).expect(403), 500);
    },
  },
];
