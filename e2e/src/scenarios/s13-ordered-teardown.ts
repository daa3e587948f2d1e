import { equal, ok } from 'node:assert/strict';
import { always } from '../stage/eventually.js';
import { compute, network, refersTo } from './cloud-types.js';
import { removeRule } from './in-force.js';
import {
  cloudWithRule,
  counted,
  deleteWorkspace,
  dyingTenant,
  ended,
  guardedTenant,
  heldPair,
  letGo,
  orderedTenant,
  release,
  SINCE,
  withOrderedType,
  workspaceGone,
} from './ordered-type.js';
import { hostRule, OrderedContent } from './ordered-content.js';
import { RULES, vpcRule } from './rules.js';
import type { Scenario } from './scenario.js';
import type { World } from './world.js';

// Of a --teardown-timeout of 10 s: what twice as much would be, less than what a busy machine adds.
const LEAST_HELD_MS = 8_500;
const MOST_HELD_MS = 20_000;
// For many passes of the controller.
const KEPT_MS = 5_000;

/** S13: workspaces of our type are torn down in order, and never held for ever. */
export const orderedTeardown: readonly Scenario[] = [
  {
    id: 'S13.1',
    title: 'a workspace of the type loses its Hosts before their Zone, no review is refused, and it goes',
    since: SINCE,
    slow: true,
    run: (world) => withOrderedType(world, {}, (own) => tornDownInOrder(own)),
  },
  {
    id: 'S13.2',
    title: 'a VM that a finalizer holds keeps its VPC and its workspace until the finalizer is taken off',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const tenant = await dyingTenant(own, await cloudWithRule(own));

        const kept = async (): Promise<void> => {
          (await own.kcp.admin.get(`${tenant.vpcs}/net`)).expect(200);
          (await own.kcp.admin.get(`${tenant.vms}/slow`)).expect(200);
        };
        await always('the VM keeps its VPC', kept, KEPT_MS);
        await release(own, tenant);
        await workspaceGone(own, tenant.workspace);
        equal(await ended(own, 'empty'), 1);
      }),
  },
  {
    id: 'S13.3',
    title: 'objects that hold each other are annotated while their workspace dies, and it goes',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await cloudWithRule(own);
        (await own.kcp.admin.post(cloud.network.workspace.at + RULES, vpcRule(cloud))).expect(201);
        const tenant = await orderedTenant(own, cloud);
        await own.create(tenant.vpcs, { ...network('VPC', 'a'), spec: { vm: 'a' } });
        await own.create(tenant.vms, compute('VM', 'a', refersTo('a')));
        await own.refuses(`${tenant.vpcs}/a`);
        await own.refuses(`${tenant.vms}/a`);

        await deleteWorkspace(own, tenant.workspace);
        await workspaceGone(own, tenant.workspace);

        ok((await counted(own, 'controller', 'dep_ctrl_teardown_annotated_total')) > 0);
        equal(await ended(own, 'timed-out'), 0);
      }),
  },
  {
    id: 'S13.4',
    title: 'a rule that is deleted while a workspace dies orders nothing there any more',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await cloudWithRule(own);
        const tenant = await dyingTenant(own, cloud);

        await removeRule(own, cloud, 'vm-dependencies');

        await letGo(own, tenant.workspace);
        equal(await ended(own, 'empty'), 1);
        await release(own, tenant);
        await workspaceGone(own, tenant.workspace);
      }),
  },
  {
    id: 'S13.5',
    title: 'a controller that is killed while a workspace dies goes on when it starts again',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const tenant = await dyingTenant(own, await cloudWithRule(own));

        await own.product.controller.kill();
        await release(own, tenant);
        await own.product.controller.start();

        await workspaceGone(own, tenant.workspace);
        equal(await ended(own, 'empty'), 1);
      }),
  },
  {
    id: 'S13.6',
    title: 'a workspace on another shard than the type and the providers is torn down in order',
    since: SINCE,
    slow: true,
    needs: ['two-shards'],
    run: (world) => withOrderedType(world, {}, (own) => tornDownInOrder(own, { providersOn: 0, consumerOn: 1 })),
  },
  {
    id: 'S13.7',
    title: 'a workspace whose provider is gone goes',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await cloudWithRule(own);
        const tenant = await guardedTenant(own, cloud);
        await own.create(tenant.vpcs, network('VPC', 'net'));
        await own.create(tenant.vms, compute('VM', 'a', refersTo('net')));
        await deleteWorkspace(own, cloud.network.workspace);
        await workspaceGone(own, cloud.network.workspace);

        await deleteWorkspace(own, tenant.workspace);

        await workspaceGone(own, tenant.workspace);
      }),
  },
  {
    id: 'S13.8',
    title: 'a finalizer that nobody takes off holds a workspace for --teardown-timeout on our behalf, and no longer',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, { controllerFlags: ['--teardown-timeout', '10s'] }, async (own) => {
        const tenant = await guardedTenant(own, await cloudWithRule(own));
        await heldPair(own, tenant);

        const sinceMs = performance.now();
        await deleteWorkspace(own, tenant.workspace);

        await letGo(own, tenant.workspace);
        // Of the ten seconds one may be missing: kcp tells the time of the deletion in whole ones.
        const tookMs = performance.now() - sinceMs;
        ok(tookMs > LEAST_HELD_MS, `it was let go after ${tookMs.toFixed(0)} ms`);
        ok(tookMs < MOST_HELD_MS, `it was held for ${tookMs.toFixed(0)} ms`);
        equal(await ended(own, 'timed-out'), 1);
        await release(own, tenant);
        await workspaceGone(own, tenant.workspace);
      }),
  },
];

/** Has a workspace die with a Zone and two Hosts that kcp itself leaves alone: dep-ctrl deletes them in order, refuses none and lets the workspace go. */
async function tornDownInOrder(
  own: World,
  { providersOn, consumerOn }: { readonly providersOn?: number; readonly consumerOn?: number } = {},
): Promise<void> {
  const cloud = await own.cloud(onShard(providersOn));
  await own.addRule(cloud, hostRule(cloud));
  const tenant = await orderedTenant(own, cloud, onShard(consumerOn));
  const { workspace } = tenant;
  const content = await OrderedContent.stock(own, tenant);

  await deleteWorkspace(own, workspace);

  await letGo(own, workspace);
  await content.wentInOrder();
  equal(await counted(own, 'controller', 'dep_ctrl_teardown_objects_deleted_total'), content.objects.length);
  equal(await ended(own, 'empty'), 1);
  await content.release();
  await workspaceGone(own, workspace);
}

function onShard(shard: number | undefined): { readonly shard?: number } {
  return shard === undefined ? {} : { shard };
}
