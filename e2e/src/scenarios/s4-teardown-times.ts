import { equal } from 'node:assert/strict';
import { eventually, patience } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import type { Scenario } from './scenario.js';
import { tenantOf, type Tenant, type World } from './world.js';

const PAIRS = 10;

/** S4, continued: how long what is deleted as a whole takes to go. Told at the end of a run, and no promise: kcp's own pauses are in it. */
export const teardownTimes: readonly Scenario[] = [
  {
    id: 'S4.8',
    title: 'a namespace, a binding and a workspace with VPCs and VMs that refer to them go, and the run says how long that took',
    slow: true,
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const home = tenantOf(await world.consumer(cloud), 'default');
      const [namespace, unbinding, leaving] = [await world.tenant(home.workspace), home, tenantOf(await world.consumer(cloud), 'default')];
      await world.guarded(home);
      for (const tenant of [namespace, unbinding, leaving]) await stock(world, tenant);

      const ofNamespace = await secondsUntilGone(world, `${namespace.workspace.at}/api/v1/namespaces/${namespace.namespace}`);
      // Unbinding the dependents' provider takes its VMs along.
      const ofBinding = await secondsUntilGone(world, `${unbinding.workspace.at}${APIS}/apibindings/${cloud.compute.name}`);
      const name = leaving.workspace.path.split(':')[1] ?? '';
      const ofWorkspace = await secondsUntilGone(world, `/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${name}`);

      world.tell(
        'S4.8',
        `with ${PAIRS} VPCs and ${PAIRS} VMs that refer to them, a namespace was gone after ${ofNamespace} s, ` +
          `the binding of the VMs after ${ofBinding} s, a workspace after ${ofWorkspace} s`,
      );
    },
  },
];

async function stock(world: World, tenant: Tenant): Promise<void> {
  await Promise.all(Array.from({ length: PAIRS }, () => world.pair(tenant)));
}

/** Deletes something and waits until it is gone; answers with the seconds that took. */
async function secondsUntilGone(world: World, object: string): Promise<string> {
  const started = performance.now();
  (await world.kcp.admin.delete(object)).expect(200);
  await eventually(`${object} is gone`, async () => equal((await world.kcp.admin.get(object)).status, 404), 4 * patience.ms);
  return ((performance.now() - started) / 1_000).toFixed(1);
}
