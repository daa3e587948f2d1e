import { equal, match } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { compute, network, refersTo } from './cloud-types.js';
import { RULES, rule, vmRule, vpcRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf, type Tenant, type World } from './world.js';
import { skipping } from './skip-protection.js';

/** S4, continued: what cannot go by itself says why, and goes once it can. */
export const teardownWaits: readonly Scenario[] = [
  {
    id: 'S4.5',
    title: 'a namespace whose VPC is referred to from elsewhere waits and says for whom; once that is gone it goes',
    slow: true,
    run: async (world) => {
      const tenant = await referredFromElsewhere(world);
      const namespace = `${tenant.workspace.at}/api/v1/namespaces/${tenant.namespace}`;

      (await world.kcp.admin.delete(namespace)).expect(200);

      await eventually('it says why it stays', async () => {
        const { body } = (await world.kcp.admin.get(namespace)).expect(200);
        match(JSON.stringify(at(body, 'status', 'conditions')), /still referenced by Host\/h/);
      });
      (await world.kcp.admin.delete(`${tenant.hosts}/h`)).expect(200);
      await eventually('it is gone', async () => equal((await world.kcp.admin.get(namespace)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'S4.6',
    title: 'a workspace whose VM takes its time to end waits for it, and goes after it',
    slow: true,
    run: async (world) => {
      const workspace = await world.consumer(await world.sharedCloud());
      const { vpcs, vms } = tenantOf(workspace, 'default');
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, compute('VM', 'slow', refersTo('a'), { finalizers: ['example.com/shutting-down'] }));
      const object = `/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${workspace.path.split(':')[1] ?? ''}`;

      (await world.kcp.admin.delete(object)).expect(200);

      await eventually('the VM is going', async () => {
        const { metadata } = (await world.kcp.admin.get(`${vms}/slow`)).expect(200).body;
        equal(typeof metadata.deletionTimestamp, 'string');
      });
      (await world.kcp.admin.get(`${vpcs}/a`)).expect(200);
      (await world.kcp.admin.patch('merge', `${vms}/slow`, { metadata: { finalizers: null } })).expect(200);
      await eventually('it is gone', async () => equal((await world.kcp.admin.get(object)).status, 404), 4 * patience.ms);
    },
  },
  {
    id: 'S4.7',
    title: 'two objects that hold each other keep their namespace until one of them is annotated',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      await world.addRule(cloud, vmRule(cloud));
      (await world.kcp.admin.post(cloud.network.workspace.at + RULES, vpcRule(cloud))).expect(201);
      const tenant = await world.tenant(await world.consumer(cloud));
      await world.create(tenant.vpcs, { ...network('VPC', 'a'), spec: { vm: 'a' } });
      await world.create(tenant.vms, compute('VM', 'a', refersTo('a')));
      await world.refuses(`${tenant.vpcs}/a`);
      await world.refuses(`${tenant.vms}/a`);
      const namespace = `${tenant.workspace.at}/api/v1/namespaces/${tenant.namespace}`;

      (await world.kcp.admin.delete(namespace)).expect(200);

      await eventually('it says why it stays', async () => {
        const { body } = (await world.kcp.admin.get(namespace)).expect(200);
        match(JSON.stringify(at(body, 'status', 'conditions')), /still referenced by/);
      });
      const { stdout, stderr } = await world.product.command(
        ...['explain', '--workspace', tenant.workspace.path, '--dep-ctrl-workspace', world.product.path],
      );
      match(
        stdout,
        /^(?:vpcs|vms)\.\S+\/a in namespace \S+, (?:vpcs|vms)\.\S+\/a in namespace \S+ refer to each other in a circle/m,
        stderr,
      );
      (await world.kcp.admin.patch('merge', `${tenant.vpcs}/a`, skipping())).expect(200);
      await eventually('it is gone', async () => equal((await world.kcp.admin.get(namespace)).status, 404), 4 * patience.ms);
    },
  },
];

/** A namespace of its own with a VPC `a`, to which the Host `h` refers, which is in no namespace. */
export async function referredFromElsewhere(world: World): Promise<Tenant> {
  const cloud = await world.cloud();
  const hosts = rule(cloud, 'hosts', 'Host', [{ resource: 'vpcs', path: '.spec.vpcRef.name', namespacePath: '.spec.vpcRef.namespace' }]);
  await world.addRule(cloud, hosts);
  const tenant = await world.tenant(await world.consumer(cloud));
  await world.create(tenant.vpcs, network('VPC', 'a'));
  await world.create(tenant.hosts, compute('Host', 'h', { vpcRef: { name: 'a', namespace: tenant.namespace } }));
  await world.refuses(`${tenant.vpcs}/a`);
  return tenant;
}
