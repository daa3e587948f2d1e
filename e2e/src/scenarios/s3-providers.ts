import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { APIS, bind, makeExport, served } from '../stage/exports.js';
import { version } from '../stage/example-types.js';
import { COMPUTE, COMPUTE_TYPES, NETWORK, NETWORK_TYPES, network } from './cloud-types.js';
import { GUARDS, RULES, vmRule } from './rules.js';
import { repoint } from './repoint.js';
import type { Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { tenantOf } from './world.js';

/** S3: providers come and change. */
export const providers: readonly Scenario[] = [
  {
    id: 'S3.1',
    title: 'a provider that has not bound dep-ctrl is named in the status of the rule, and guarded once it has',
    slow: true,
    run: async (world) => {
      const home = await world.kcp.workspace();
      const cloud = {
        network: await world.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: home }, { bound: false }),
        compute: (await world.cloud()).compute,
      };
      await world.addRule(cloud, vmRule(cloud));
      await eventually('it says so', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Ready']?.status, 'False', JSON.stringify(conditions));
        match(JSON.stringify(conditions), new RegExp(home.path));
      });

      await world.bindDepCtrl(home);

      await world.guarded(tenantOf(await world.consumer(cloud), 'default'));
    },
  },
  {
    id: 'S3.2',
    title: 'a provider that rejects the claim is named, and guarded once it accepts',
    slow: true,
    run: async (world) => {
      const home = await world.kcp.workspace();
      const made = await world.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: home }, { bound: false });
      await world.bindDepCtrl(home, 'Rejected');
      const cloud = { network: made, compute: (await world.cloud()).compute };
      await world.addRule(cloud, vmRule(cloud));
      await eventually('it says so', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['WebhooksInstalled']?.status, 'False', JSON.stringify(conditions));
        match(JSON.stringify(conditions), /Claim/);
      });

      const binding = `${home.at}${APIS}/apibindings/dep-ctrl`;
      (await world.kcp.admin.patch('json', binding, [{ op: 'replace', path: '/spec/permissionClaims/0/state', value: 'Accepted' }])).expect(
        200,
      );

      await world.guarded(tenantOf(await world.consumer(cloud), 'default'));
    },
  },
  {
    id: 'S3.3',
    title: 'a provider that is deleted and made again under the same path is guarded again',
    slow: true,
    run: async (world) => {
      const { cloud } = await world.guardedPair();
      const { path } = cloud.network.workspace;
      const name = path.split(':')[1] ?? '';
      const workspaces = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

      (await world.kcp.admin.delete(`${workspaces}/${name}`)).expect(200);
      await eventually('it is gone', async () => equal((await world.kcp.admin.get(`${workspaces}/${name}`)).status, 404), 4 * patience.ms);
      const workspace = await world.kcp.workspace({ name });
      const again = await world.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace });

      await world.guarded(tenantOf(await world.consumer({ network: again, compute: cloud.compute }), 'default'));
    },
  },
  {
    id: 'S3.4',
    title: 'a type of the same name that another provider exports is neither guarded nor does it hold anything',
    slow: true,
    run: async (world) => {
      const cloud = await world.sharedCloud();
      await world.sharedTenant(); // kcp asks about VPCs
      const stranger = await makeExport(world.kcp, {
        name: NETWORK,
        group: NETWORK,
        types: NETWORK_TYPES,
        workspace: await world.kcp.workspace(),
      });
      // Only where dep-ctrl is bound could kcp be told to ask about its types.
      await world.bindDepCtrl(stranger.workspace);
      const workspace = await world.kcp.workspace();
      await bind(world.kcp, workspace, stranger);
      await bind(world.kcp, workspace, cloud.compute);
      const tenant = tenantOf(workspace, 'default');
      for (const path of [tenant.vpcs, tenant.vms]) await served(world.kcp, path);
      const { vpc } = await world.pair(tenant);

      (await world.kcp.admin.delete(vpc)).expect(200);

      // The other way round: what is guarded is referred to by a type that is not the rule's.
      const other = await makeExport(world.kcp, {
        name: COMPUTE,
        group: COMPUTE,
        types: COMPUTE_TYPES,
        workspace: await world.kcp.workspace(),
      });
      const consumer = await world.kcp.workspace();
      await bind(world.kcp, consumer, cloud.network);
      await bind(world.kcp, consumer, other);
      const second = tenantOf(consumer, 'default');
      for (const path of [second.vpcs, second.vms]) await served(world.kcp, path);
      const pair = await world.pair(second);

      (await world.kcp.admin.delete(pair.vpc)).expect(200);
    },
  },
  {
    id: 'S3.5',
    title: 'a consumer that has not bound the dependent provider deletes freely',
    slow: true,
    run: async (world) => {
      const cloud = await world.sharedCloud();
      await world.sharedTenant(); // kcp asks about VPCs
      const workspace = await world.kcp.workspace();
      await bind(world.kcp, workspace, cloud.network);
      const tenant = tenantOf(workspace, 'default');
      await served(world.kcp, tenant.vpcs);
      await world.create(tenant.vpcs, network('VPC', 'a'));

      (await world.kcp.admin.delete(`${tenant.vpcs}/a`)).expect(200);

      await bind(world.kcp, workspace, cloud.compute);
      await served(world.kcp, tenant.vms);
      await world.guarded(tenant);
    },
  },
  {
    id: 'S3.6',
    title: 'a schema of the dependent that changes between two deletes is followed',
    slow: true,
    run: async (world) => {
      const { cloud, vpc, vm } = await world.guardedPair();
      // The new schema has no printer column any more: the webhook has to read objects instead of Tables.
      const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };

      await repoint(world, cloud, [version('v1', schema)]);

      for (let n = 0; n < 20; n += 1) {
        const { status, text } = await world.kcp.admin.delete(`${vpc}?dryRun=All`);
        ok(status >= 400, `the delete was allowed: ${text}`);
      }
      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
  {
    id: 'S3.7',
    title: 'the guarded provider sees who holds its resources, and its consent narrows and widens that',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
      await eventually('the guard names the rule', async () => {
        const { body } = (await world.kcp.admin.get(guard)).expect(200);
        equal(at(body, 'status', 'rules', 0, 'rule'), 'vm-dependencies');
        equal(at(body, 'status', 'rules', 0, 'path'), cloud.compute.workspace.path);
      });

      (await world.kcp.admin.patch('merge', guard, { spec: { allowRulesFrom: [] } })).expect(200);
      await eventually('nobody holds anything', async () => void (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200));
      (await world.kcp.admin.patch('merge', guard, { spec: { allowRulesFrom: [cloud.compute.workspace.path] } })).expect(200);
      await world.refuses(vpc);
      (await world.kcp.admin.patch('merge', guard, { spec: { allowRulesFrom: [cloud.network.workspace.path] } })).expect(200);
      await eventually('somebody else may hold it', async () => void (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200));
    },
  },
  {
    id: 'S3.8',
    title: 'a guard that is deleted by hand is made again, and nothing passes meanwhile',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
      const { uid } = (await world.kcp.admin.get(guard)).expect(200).body.metadata;

      await using deletes = new SteadyDeletes(world, `${vpc}?dryRun=All`);
      (await world.kcp.admin.delete(guard)).expect(200);

      await eventually('it is made again', async () => {
        notEqual((await world.kcp.admin.get(guard)).expect(200).body.metadata.uid, uid);
      });
      await deletes.more(2);
      await deletes.end();
      await world.refuses(vpc);
    },
  },
  {
    id: 'S3.11',
    title: "a rule about a type of which nobody exports anything is told so, and one about kcp's own types is refused",
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const about = (group: string, resource: string): Tree => ({
        ...vmRule(cloud),
        metadata: { name: world.kcp.unique(resource) },
        spec: {
          dependent: { apiExportName: COMPUTE, group: COMPUTE, version: 'v1', kind: 'VM', resource: 'vms' },
          dependencies: [
            {
              ...{ apiExportRef: { path: cloud.network.workspace.path, name: NETWORK }, group, version: 'v1', resource },
              fieldRef: { path: '.spec.x' },
            },
          ],
        },
      });
      const rules = cloud.compute.workspace.at + RULES;

      const unknown = (await world.kcp.admin.post(rules, about(NETWORK, 'gizmos'))).expect(201).body.metadata.name ?? '';
      const builtIn = await world.kcp.admin.post(rules, about('', 'configmaps'));

      equal(builtIn.status, 422, builtIn.text);
      await eventually('it is told so', async () => {
        const { Ready: ready } = await world.ruleConditions(cloud, unknown);
        deepEqual([ready?.status, ready?.reason], ['False', 'ResourceNotExported'], JSON.stringify(ready));
      });
      (await world.kcp.admin.delete(`${rules}/${unknown}`)).expect(200);
    },
  },
];
