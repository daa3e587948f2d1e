import { deepEqual, equal, ok } from 'node:assert/strict';
import type { RequestMatch } from '../faults/fault.js';
import { always, eventually } from '../stage/eventually.js';
import { compute, network } from './cloud-types.js';
import { controllerSays } from './controller-says.js';
import { isCut, untilNoCallIsCut } from './cut-calls.js';
import {
  cloudWithRule,
  controllerWaits,
  deleteWorkspace,
  dyingTenant,
  ended,
  HELD,
  heldNamespace,
  isGoing,
  isGone,
  letGo,
  orderedTenant,
  refusedReviews,
  release,
  SINCE,
  terminatorsOf,
  typeObject,
  withOrderedType,
  workspaceGone,
} from './ordered-type.js';
import { hostRule, OrderedContent } from './ordered-content.js';
import type { Scenario } from './scenario.js';
import type { Cloud, Tenant, World } from './world.js';

// What a read leaves behind is nothing: where kcp looks the same, one moment to be killed at is as good as the other.
const WRITES: RequestMatch = { caller: 'controller', method: /^(?:POST|PUT|PATCH|DELETE)$/, path: /^\/services\/terminatingworkspaces\// };
const WHERE_PATHS_LEAD: RequestMatch = {
  caller: 'controller',
  path: /^\/clusters\/root:[^/]+\/apis\/core\.kcp\.io\/.*\/logicalclusters\/cluster$/,
};
// A controller looks at least once a second at what it waits for.
const LOOKED_MS = 2_500;

/** S13, continued: workspaces that die while something breaks. */
export const teardownFaults: readonly Scenario[] = [
  {
    id: 'S13.9',
    title:
      'a controller that is killed between any two of its writes in a dying workspace, and starts again, goes on in order, and nothing is refused',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, { breakable: true }, async (own) => {
        const cloud = await own.cloud();
        await own.addRule(cloud, hostRule(cloud));
        // A controller that starts has read the rules, and what dies, long before it knows where their paths lead.
        await own.product.faults.breakWhere(WHERE_PATHS_LEAD, { kind: 'delay', ms: 500 });
        const cuts = await untilNoCallIsCut((served) => diesWhileKilled(own, cloud, served));
        // Two Hosts, the Zone, and the entry.
        equal(cuts, 4);
      }),
  },
  {
    id: 'S13.10',
    title: 'a workspace on a shard that is away is torn down in order when it is back, and those on others meanwhile',
    since: SINCE,
    slow: true,
    needs: ['two-shards', 'restarts'],
    exclusive: () => 'everything',
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        // dep-ctrl itself is on the first shard, always.
        const cloud = await cloudWithRule(own, { shard: 0 });
        const here = await dyingTenant(own, cloud, { shard: 0 });
        await own.addRule(cloud, hostRule(cloud));
        // A kcp that starts while a namespace ends may let it go before it knows the bound types again (0.32.3), and then nobody can release what was in it.
        const { namespace, ...away } = await withHeldHost(own, cloud, { shard: 1 });
        await deleteWorkspace(own, away.workspace);
        await controllerWaits(own, 2);
        const shard = own.kcp.backend.shards[1];
        if (shard === undefined) throw new Error('there is no second shard');

        await shard.stop();
        try {
          await release(own, here);
          await workspaceGone(own, here.workspace);
        } finally {
          await shard.start();
        }

        const zone = `${away.zones}/z`;
        await eventually('the shard answers', async () => void (await own.kcp.admin.get(zone)).expect(200));
        const refused = await refusedReviews(own);
        const isHeld = async (): Promise<void> => {
          equal((await terminatorsOf(own, away.workspace)).length, 1);
          (await own.kcp.admin.get(zone)).expect(200);
        };
        await always('the workspace is held, and the Zone stays', isHeld, 2 * LOOKED_MS);
        await release(own, `${away.hosts}/slow`);
        await isGone(own, zone);
        equal((await refusedReviews(own)) - refused, 0, 'reviews were refused');
        await letGo(own, away.workspace);
        await release(own, namespace);
        await workspaceGone(own, away.workspace);
        equal(await ended(own, 'empty'), 2);
      }),
  },
  {
    id: 'S13.11',
    title:
      'types that the WorkspaceType does not permit to delete are left to kcp, with a line that says what to add; then they have their order again',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await own.cloud();
        await own.addRule(cloud, hostRule(cloud));
        for (const [verbs, missing] of [
          [['get', 'list'], 'delete'],
          [[], 'list'],
        ] as const) {
          await permitOf(own, cloud.compute.name, verbs);
          const { hosts, workspace, namespace } = await withHeldHost(own, cloud);
          const before = await ended(own, 'partly-left');

          await deleteWorkspace(own, workspace);

          const { level, why } = await controllerSays(own, 'type left to kcp', {
            resource: 'hosts.compute.example.com',
            cluster: workspace.cluster,
          });
          equal(level, 'warn');
          const words = `"${missing}" is not allowed: add it to spec.terminatorPermissions of the WorkspaceType, as "dep-ctrl bind" does`;
          equal(why, words);
          await letGo(own, workspace);
          equal((await ended(own, 'partly-left')) - before, 1);
          await release(own, namespace);
          await release(own, `${hosts}/slow`);
          await workspaceGone(own, workspace);
        }

        await own.grantReading(cloud.compute.workspace);
        const { hosts, zones, workspace, namespace } = await withHeldHost(own, cloud);
        await deleteWorkspace(own, workspace);
        await isGoing(own, `${hosts}/slow`);
        await release(own, `${hosts}/slow`);
        await isGone(own, `${zones}/z`);
        await letGo(own, workspace);
        equal(await ended(own, 'empty'), 1);
        await release(own, namespace);
        await workspaceGone(own, workspace);
      }),
  },
  {
    id: 'S13.12',
    title: 'an object that is created while its workspace dies goes in order, too',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await own.cloud();
        await own.addRule(cloud, hostRule(cloud));
        const { workspace, zones, hosts, namespace } = await withHeldHost(own, cloud);
        const refused = await refusedReviews(own);
        await deleteWorkspace(own, workspace);
        await isGoing(own, `${hosts}/slow`);
        await controllerWaits(own);

        await own.create(hosts, compute('Host', 'late', { zoneRef: { name: 'z' } }, HELD));

        await isGoing(own, `${hosts}/late`);
        await release(own, `${hosts}/slow`);
        await isGone(own, `${hosts}/slow`);
        await always('the Zone stays', async () => void (await own.kcp.admin.get(`${zones}/z`)).expect(200), LOOKED_MS);
        equal((await refusedReviews(own)) - refused, 0, 'reviews were refused');
        await release(own, `${hosts}/late`);
        await isGone(own, `${zones}/z`);
        await letGo(own, workspace);
        equal(await ended(own, 'empty'), 1);
        await release(own, namespace);
        await workspaceGone(own, workspace);
      }),
  },
  {
    id: 'S13.13',
    title: 'workspaces that die when the WorkspaceType is deleted are let go, with a warning',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const tenant = await dyingTenant(own, await cloudWithRule(own));

        (await own.kcp.admin.delete(await typeObject(own))).expect(200);

        await letGo(own, tenant.workspace);
        const { level, cluster } = await controllerSays(own, 'the workspace type is gone: the workspace is let go without an order');
        deepEqual([level, cluster], ['warn', tenant.workspace.cluster]);
        equal(await ended(own, 'type-gone'), 1);
        await release(own, tenant);
        await workspaceGone(own, tenant.workspace);
      }),
  },
];

/** Has a workspace die while the controller makes so many writes there and then none, kills it, starts it again. Answers whether any write was cut. */
async function diesWhileKilled(own: World, cloud: Cloud, served: number): Promise<boolean> {
  const { controller, faults } = own.product;
  const tenant = await orderedTenant(own, cloud);
  const { workspace } = tenant;
  const content = await OrderedContent.stock(own, tenant);
  const cut = await faults.breakWhere(WRITES, { kind: 'hang' }, { sparing: served });

  await deleteWorkspace(own, workspace);
  const wasCut = await isCut(cut, () => letGo(own, workspace));
  await controller.kill();
  await cut.mend();
  await controller.start();

  await letGo(own, workspace);
  for (const object of content.objects) equal(await isThere(own, object), false, 'it was let go too early');
  await content.wentInOrder();
  await content.release();
  await workspaceGone(own, workspace);
  return wasCut;
}

/** Whether an object is there. At the moment when the workspace is let go, kcp ends requests with 504 that have just begun. */
function isThere({ kcp }: World, object: string): Promise<boolean> {
  return eventually(`kcp says whether ${object} is there`, async () => {
    const { status, text } = await kcp.admin.get(object);
    ok(status === 200 || status === 404, text);
    return status === 200;
  });
}

/** A workspace with a Zone, a Host that refers to it and does not go, and a namespace that keeps kcp from both: whoever deletes them is the controller. */
async function withHeldHost(
  own: World,
  cloud: Cloud,
  wish: { readonly shard?: number } = {},
): Promise<Tenant & { readonly namespace: string }> {
  const tenant = await orderedTenant(own, cloud, wish);
  const { workspace, zones, hosts } = tenant;
  await own.create(zones, network('Zone', 'z'));
  await own.create(hosts, compute('Host', 'slow', { zoneRef: { name: 'z' } }, HELD));
  await own.refuses(`${zones}/z`);
  return { ...tenant, namespace: await heldNamespace(own, workspace) };
}

/** Leaves these permissions about a group on the WorkspaceType, or none. */
async function permitOf(own: World, group: string, verbs: readonly string[]): Promise<void> {
  const type = await typeObject(own);
  const { spec } = (await own.kcp.admin.get(type)).expect(200).body;
  const permissions = spec?.['terminatorPermissions'] as readonly { readonly apiGroups: readonly string[] }[];
  const others = permissions.filter(({ apiGroups }) => !apiGroups.includes(group));
  const left = permissions.filter(({ apiGroups }) => apiGroups.includes(group)).map((each) => ({ ...each, verbs }));
  equal(left.length, 1);
  (await own.kcp.admin.patch('merge', type, { spec: { terminatorPermissions: [...others, ...(verbs.length > 0 ? left : [])] } })).expect(
    200,
  );
}
