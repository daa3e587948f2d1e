import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { COMPUTE, NETWORK, NETWORK_TYPES, compute, network, refersTo } from './cloud-types.js';
import { RULES, rule, vmRule, vpcRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';

// As kubectl get asks.
const AS_TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** S2: the life of rules. */
export const ruleLife: readonly Scenario[] = [
  {
    id: 'S2.1',
    title: 'a rule becomes Ready and names its targets',
    run: async (world) => {
      const cloud = await world.sharedCloud();

      await eventually('the rule is Ready', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Ready']?.status, 'True', JSON.stringify(conditions));
        for (const type of ['InForce', 'Accepted', 'TargetsResolved', 'WebhooksInstalled']) equal(conditions[type]?.status, 'True', type);
      });
      const { body } = (await world.kcp.admin.get(`${cloud.compute.workspace.at}${RULES}/vm-dependencies`)).expect(200);
      equal(at(body, 'status', 'targets', 0, 'path'), cloud.network.workspace.path);
      equal(at(body, 'status', 'targets', 0, 'cluster'), undefined);
    },
  },
  {
    id: 'S2.2',
    title: 'a rule that is deleted guards no more and leaves no configuration; written again it guards again',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();

      (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/vm-dependencies`)).expect(200);

      await eventually('nothing is guarded', async () => {
        (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200);
        deepEqual(await world.configurations(cloud.network.workspace), []);
      });
      await world.addRule(cloud, vmRule(cloud));
      await world.refuses(vpc);
    },
  },
  {
    id: 'S2.3',
    title: 'a target that an edit adds is guarded, one that an edit drops is not',
    slow: true,
    run: async (world) => {
      const { cloud, tenant, vpc } = await world.guardedPair();
      await world.create(tenant.zones, network('Zone', 'z'));
      await world.create(tenant.vms, compute('VM', 'in-zone', { zoneRef: { name: 'z' } }));
      const edit = async (dependencies: Parameters<typeof rule>[3]): Promise<void> => {
        const { spec } = rule(cloud, 'vm-dependencies', 'VM', dependencies);
        (await world.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec })).expect(200);
      };

      await edit([
        { resource: 'vpcs', path: '.spec.vpcRef.name' },
        { resource: 'zones', path: '.spec.zoneRef.name' },
      ]);
      await world.refuses(`${tenant.zones}/z`);
      await world.refuses(vpc);

      await edit([{ resource: 'zones', path: '.spec.zoneRef.name' }]);
      await world.allows(vpc);
      await world.refuses(`${tenant.zones}/z`);
    },
  },
  {
    id: 'S2.4',
    title: 'Warn lets the delete pass with a warning, Audit says nothing, Deny refuses; an edit between them takes effect',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const enforce = async (enforcement: string): Promise<void> => {
        (await world.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec: { enforcement } })).expect(
          200,
        );
      };

      await enforce('Warn');
      await eventually('it warns', async () => {
        match((await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200).header('warning'), /still referenced by VM\//);
      });
      await enforce('Audit');
      await eventually('it is silent', async () => {
        equal((await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200).header('warning'), '');
      });
      await enforce('Deny');
      await world.refuses(vpc);
    },
  },
  {
    id: 'S2.5',
    title: 'a rule whose target does not exist yet says so, and guards once it does',
    slow: true,
    run: async (world) => {
      const shard = 0;
      const cloud = await world.cloud({ shard });
      const missing = world.kcp.unique('later');
      const wish = { ...cloud, network: { ...cloud.network, workspace: { ...cloud.network.workspace, path: `root:${missing}` } } };
      await world.addRule(wish, vmRule(wish));

      await eventually('it says so', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Ready']?.status, 'False', JSON.stringify(conditions));
        match(conditions['Ready'].message, new RegExp(`root:${missing}`));
      });
      const workspace = await world.kcp.workspace({ name: missing, shard });
      const later = await world.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace });
      const tenant = tenantOf(await world.consumer({ network: later, compute: cloud.compute }), 'default');
      await world.guarded(tenant);
    },
  },
  {
    id: 'S2.6',
    title: 'two rules on one provider are one configuration, and one of them going leaves the other in force',
    slow: true,
    run: async (world) => {
      const { cloud, tenant, vpc } = await world.guardedPair();
      await world.addRule(
        cloud,
        rule(cloud, 'hosts', 'Host', [{ resource: 'vpcs', path: '.spec.vpcRef.name', namespacePath: '.spec.vpcRef.namespace' }]),
      );
      await world.create(tenant.vpcs, network('VPC', 'of-host'));
      await world.create(tenant.hosts, compute('Host', 'h', { vpcRef: { name: 'of-host', namespace: 'default' } }));
      await world.refuses(`${tenant.vpcs}/of-host`);
      deepEqual(await world.configurations(cloud.network.workspace), ['dependency-controller']);

      (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/hosts`)).expect(200);

      await world.allows(`${tenant.vpcs}/of-host`);
      await world.refuses(vpc);
    },
  },
  {
    id: 'S2.7',
    title: 'a rule that cannot be read is refused, and harms no other',
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const bad = rule(cloud, world.kcp.unique('bad'), 'VM', [{ resource: 'vpcs', path: 'spec..name' }]);

      const answer = await world.kcp.admin.post(cloud.compute.workspace.at + RULES, bad);

      equal(answer.status, 422, answer.text);
      const tenant = await world.sharedTenant();
      await world.refuses((await world.pair(tenant)).vpc);
    },
  },
  {
    id: 'S2.8',
    title: 'a configuration that somebody edits or deletes is put right again',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const configuration = `${cloud.network.workspace.at}/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/dependency-controller`;

      const policies = async (): Promise<readonly unknown[]> => {
        const { body } = (await world.kcp.admin.get(configuration)).expect(200);
        return (at(body, 'webhooks') as Tree[]).map(({ name, failurePolicy }) => `${String(name)} ${String(failurePolicy)}`);
      };
      const before = await policies();
      ok(before.includes('dependency-controller.dependencies.opendefense.cloud Fail'), JSON.stringify(before));
      const opened = before.map((_, position) => ({ op: 'replace', path: `/webhooks/${position}/failurePolicy`, value: 'Ignore' }));

      (await world.kcp.admin.patch('json', configuration, opened)).expect(200);
      await eventually('the edit is undone', async () => deepEqual(await policies(), before));
      const { uid } = (await world.kcp.admin.get(configuration)).expect(200).body.metadata;
      (await world.kcp.admin.delete(configuration)).expect(200);
      await eventually('it is there again', async () => {
        ok((await world.kcp.admin.get(configuration)).expect(200).body.metadata.uid !== uid);
      });
      await world.refuses(vpc);
    },
  },
  {
    id: 'S2.9',
    title: 'rules that form a cycle of types say so, and each still guards',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      await world.addRule(cloud, vmRule(cloud));
      (await world.kcp.admin.post(cloud.network.workspace.at + RULES, vpcRule(cloud))).expect(201);
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      await world.create(tenant.vpcs, { ...network('VPC', 'a'), spec: { vm: 'a' } });
      await world.create(tenant.vms, compute('VM', 'a', refersTo('a')));

      await world.refuses(`${tenant.vpcs}/a`);
      await world.refuses(`${tenant.vms}/a`);
      await eventually('the rule says so', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Cyclic']?.status, 'True', JSON.stringify(conditions));
      });
      for (const { workspace } of [cloud.compute, cloud.network]) {
        await eventually(`kubectl get shows it in ${workspace.path}`, async () => {
          const table = (await world.kcp.admin.get(workspace.at + RULES, { headers: AS_TABLE })).expect(200).body;
          const column = (table.columnDefinitions ?? []).findIndex(({ name }) => name === 'Cyclic');
          const cells = (at(table, 'rows') as Tree[]).map((row) => (at(row, 'cells') as unknown[])[column]);
          deepEqual(cells, ['True']);
        });
      }
    },
  },
  {
    id: 'S2.10',
    title: 'an object that refers to itself does not hold itself',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      const own = {
        ...rule(cloud, 'peers', 'VM', []),
        spec: {
          dependent: { apiExportName: COMPUTE, group: COMPUTE, version: 'v1', kind: 'VM', resource: 'vms' },
          dependencies: [
            {
              apiExportRef: { path: cloud.compute.workspace.path, name: COMPUTE },
              group: COMPUTE,
              version: 'v1',
              resource: 'vms',
              fieldRef: { path: '.spec.peer.name' },
            },
          ],
        },
      };
      await world.addRule(cloud, own);
      const { vms } = tenantOf(await world.consumer(cloud), 'default');
      await world.create(vms, compute('VM', 'alone', { peer: { name: 'alone' } }));
      await world.create(vms, compute('VM', 'a', { peer: { name: 'b' } }), compute('VM', 'b', {}));

      await world.refuses(`${vms}/b`);
      (await world.kcp.admin.delete(`${vms}/alone`)).expect(200);
    },
  },
  {
    id: 'S2.17',
    title: 'an export that comes with the rules about it, or a moment later, makes them ready within seconds',
    run: async (world) => {
      const cloud = await world.cloud();
      const exports = `${cloud.compute.workspace.at}/apis/apis.kcp.io/v1alpha2/apiexports`;
      const { apiVersion, kind, spec } = (await world.kcp.admin.get(`${exports}/${COMPUTE}`)).expect(200).body;
      (await world.kcp.admin.delete(`${exports}/${COMPUTE}`)).expect(200);
      (await world.kcp.admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201);
      const ready = async () => (await world.ruleConditions(cloud))['Ready'];
      await eventually('the rule misses the export', async () => equal((await ready())?.reason, 'ExportNotFound'));

      (await world.kcp.admin.post(exports, { apiVersion, kind, metadata: { name: COMPUTE }, spec })).expect(201);

      await eventually('the rule is ready', async () => equal((await ready())?.status, 'True'), 5_000);
    },
  },
  {
    id: 'S2.18',
    title: 'a rule with a typing error in the path of its target refuses nothing, also where another rule only warns',
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const rules = cloud.compute.workspace.at + RULES;
      const enforce = async (enforcement: string): Promise<void> =>
        void (await world.kcp.admin.patch('merge', `${rules}/vm-dependencies`, { spec: { enforcement } })).expect(200);
      const { network: target } = cloud;
      const mistyped = { ...cloud, network: { ...target, workspace: { ...target.workspace, path: `${target.workspace.path}-mistyped` } } };
      (await world.kcp.admin.post(rules, rule(mistyped, 'mistyped', 'VM', [{ resource: 'vpcs', path: '.spec.vpcRef.name' }]))).expect(201);

      // Once the webhook knows a later change of that workspace, it knows the rule as well.
      await enforce('Warn');

      await eventually('it only warns', async () => {
        match((await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200).header('warning'), /still referenced by VM\//);
      });
    },
  },
  {
    id: 'S2.19',
    title:
      'a configuration of our name that is of another installation is left alone and named in the status; once it is gone the rule is in force',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      const configurations = cloud.network.workspace.at + WEBHOOK_CONFIGURATIONS;
      const labels = { 'dependencies.opendefense.cloud/export-cluster': 'another' };
      const theirs = (await world.kcp.admin.post(configurations, { metadata: { name: 'dependency-controller', labels } })).expect(201).body;

      (await world.kcp.admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201);

      await eventually('the status names it', async () => {
        const { WebhooksInstalled } = await world.ruleConditions(cloud);
        equal(WebhooksInstalled?.reason, 'Conflict', JSON.stringify(WebhooksInstalled));
      });
      const now = (await world.kcp.admin.get(`${configurations}/dependency-controller`)).expect(200).body;
      equal(now.metadata.resourceVersion, theirs.metadata.resourceVersion, 'it was written to');
      (await world.kcp.admin.delete(`${configurations}/dependency-controller`)).expect(200);
      await world.guarded(tenantOf(await world.consumer(cloud), 'default'));
    },
  },
];
