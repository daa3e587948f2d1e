import { equal, match } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { compute, network, refersTo } from './cloud-types.js';
import { referredFromElsewhere } from './s4-teardown-waits.js';
import type { Scenario } from './scenario.js';
import { tenantOf, type Tenant } from './world.js';

const PAIRS = 10;
const FINALIZER = 'example.com/shutting-down';

/** S4, continued: a namespace that a person deletes in order. */
export const namespaceDeletion: readonly Scenario[] = [
  {
    id: 'S4.9',
    title: 'delete-namespace deletes VPCs once their VMs are gone, waits for a finalizer and names it, and then the namespace is gone',
    slow: true,
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const tenant = await world.tenant(await world.consumer(cloud));
      await world.guarded(tenant);
      for (let pair = 0; pair < PAIRS; pair += 1) await world.pair(tenant);
      await world.create(tenant.vpcs, network('VPC', 'held'));
      await world.create(tenant.vms, compute('VM', 'slow', refersTo('held'), { finalizers: [FINALIZER] }));

      const deleting = world.product.begin(...orderedDeletion(tenant));
      await eventually('it names the finalizer', () => {
        match(deleting.told(), /1 wait for their finalizers \(example\.com\/shutting-down\)/);
        return Promise.resolve();
      });
      await eventually('all but the slow pair is gone', async () => {
        equal((await world.kcp.admin.get(tenant.vpcs)).expect(200).text.match(/"uid":/g)?.length, 1);
        equal(typeof (await world.kcp.admin.get(`${tenant.vms}/slow`)).expect(200).body.metadata.deletionTimestamp, 'string');
      });
      (await world.kcp.admin.get(`${tenant.vpcs}/held`)).expect(200);
      (await world.kcp.admin.patch('merge', `${tenant.vms}/slow`, { metadata: { finalizers: null } })).expect(200);

      const { code, stdout, stderr } = await deleting.ended;
      equal(code, 0, stderr);
      match(stdout, new RegExp(`namespace ${tenant.namespace} of .* is gone: ${String(2 * PAIRS + 2)} objects of bound types`));
      equal((await world.kcp.admin.get(namespaceOf(tenant))).status, 404);
    },
  },
  {
    id: 'S4.10',
    title: 'delete-namespace says which object something elsewhere still refers to, and does not delete the namespace',
    slow: true,
    run: async (world) => {
      const tenant = await referredFromElsewhere(world);
      await world.create(tenant.vpcs, network('VPC', 'free'));

      const { code, stderr } = await world.product.command(...orderedDeletion(tenant));

      equal(code, 1, stderr);
      match(stderr, /1 object is refused[\s\S]*vpcs\.[\w.-]+\/a: .*still referenced by Host\/h/);
      equal((await world.kcp.admin.get(`${tenant.vpcs}/free`)).status, 404);
      equal((await world.kcp.admin.get(namespaceOf(tenant))).expect(200).body.metadata.deletionTimestamp, undefined);
    },
  },
  {
    id: 'S4.11',
    title: 'delete-namespace deletes nothing in a namespace that kcp does not let go',
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      await world.create(tenant.vpcs, network('VPC', 'stays'));

      const { code, stderr } = await world.product.command(...orderedDeletion(tenant));

      equal(code, 1, stderr);
      match(stderr, /this namespace may not be deleted/);
      equal((await world.kcp.admin.get(`${tenant.vpcs}/stays`)).expect(200).body.metadata.deletionTimestamp, undefined);
    },
  },
];

function orderedDeletion({ workspace, namespace }: Tenant): readonly string[] {
  return ['delete-namespace', namespace, '--ordered', '--workspace', workspace.path, '--timeout', '2m'];
}

function namespaceOf({ workspace, namespace }: Tenant): string {
  return `${workspace.at}/api/v1/namespaces/${namespace}`;
}
