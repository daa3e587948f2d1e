import { equal, match } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import { compute, network } from './cloud-types.js';
import { rule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';

const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** S4: what is deleted as a whole goes, although its parts hold each other. */
export const teardown: readonly Scenario[] = [
  {
    id: 'S4.1',
    title: 'a namespace with a VPC and the VM that refers to it goes by itself',
    slow: true,
    run: async (world) => {
      const tenant = await world.sharedTenant();
      await world.pair(tenant);
      const namespace = `${tenant.workspace.at}/api/v1/namespaces/${tenant.namespace}`;

      (await world.kcp.admin.delete(namespace)).expect(200);

      await eventually('it is gone', async () => equal((await world.kcp.admin.get(namespace)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'S4.2',
    title: 'a workspace with VPCs and VMs that refer to them goes by itself',
    slow: true,
    run: async (world) => {
      const workspace = await world.consumer(await world.sharedCloud());
      const tenant = tenantOf(workspace, 'default');
      const name = workspace.path.split(':')[1] ?? '';
      for (let n = 0; n < 3; n += 1) await world.pair(tenant);

      (await world.kcp.admin.delete(`${WORKSPACES}/${name}`)).expect(200);

      await eventually('it is gone', async () => equal((await world.kcp.admin.get(`${WORKSPACES}/${name}`)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'S4.3',
    title: 'unbinding the network provider waits for the VMs and says so; once they are gone it goes',
    slow: true,
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const workspace = await world.consumer(cloud);
      const tenant = tenantOf(workspace, 'default');
      const { vm } = await world.pair(tenant);
      const binding = `${workspace.at}${APIS}/apibindings/${cloud.network.name}`;

      (await world.kcp.admin.delete(binding)).expect(200);

      await eventually('it says why it stays', async () => {
        const { body } = (await world.kcp.admin.get(binding)).expect(200);
        match(JSON.stringify(at(body, 'status', 'conditions')), /still referenced by VM\//);
      });
      (await world.kcp.admin.delete(vm)).expect(200);
      await eventually('it is gone', async () => equal((await world.kcp.admin.get(binding)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'S4.4',
    title: 'a Host that owns its Zone takes it along in the foreground, although it refers to it until the end',
    slow: true,
    run: async (world) => {
      // Not a VM: kcp's garbage collector knows an owner by one version of its type on the whole shard, and takes it for gone where that
      // version is not served. Other scenarios serve a v2 of VM.
      const cloud = await world.cloud();
      await world.addRule(cloud, rule(cloud, 'host-dependencies', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
      const { hosts, zones } = tenantOf(await world.consumer(cloud), 'default');
      const owner = (await world.kcp.admin.post(hosts, compute('Host', 'owner', { zoneRef: { name: 'owned' } }))).expect(201).body;
      const reference = { apiVersion: owner.apiVersion, kind: 'Host', name: 'owner', uid: owner.metadata.uid, blockOwnerDeletion: true };
      await world.create(zones, network('Zone', 'owned', { ownerReferences: [reference] }));
      await world.refuses(`${zones}/owned`);

      (await world.kcp.admin.delete(`${hosts}/owner`, { propagationPolicy: 'Foreground' })).expect(200);

      await eventually(
        'both are gone',
        async () => {
          equal((await world.kcp.admin.get(`${hosts}/owner`)).status, 404, 'the owner is still there');
          equal((await world.kcp.admin.get(`${zones}/owned`)).status, 404, 'what it owns is still there');
        },
        4 * patience.ms,
      );
    },
  },
];
