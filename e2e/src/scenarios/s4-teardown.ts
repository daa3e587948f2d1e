import { equal, match } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import { compute, network, refersTo } from './cloud-types.js';
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
    title: 'a VM that owns its VPC takes it along in the foreground, although it refers to it until the end',
    slow: true,
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      const owner = (await world.kcp.admin.post(vms, compute('VM', 'owner', refersTo('owned')))).expect(201).body;
      const reference = { apiVersion: owner.apiVersion, kind: 'VM', name: 'owner', uid: owner.metadata.uid, blockOwnerDeletion: true };
      await world.create(vpcs, network('VPC', 'owned', { ownerReferences: [reference] }));
      await world.refuses(`${vpcs}/owned`);

      (await world.kcp.admin.delete(`${vms}/owner`, { propagationPolicy: 'Foreground' })).expect(200);

      await eventually(
        'both are gone',
        async () => {
          equal((await world.kcp.admin.get(`${vms}/owner`)).status, 404);
          equal((await world.kcp.admin.get(`${vpcs}/owned`)).status, 404);
        },
        4 * patience.ms,
      );
    },
  },
];
