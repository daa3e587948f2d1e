import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { compute, network } from './cloud-types.js';
import { GUARDS, RULES, rule, vmRule, type DependencyWish } from './rules.js';
import type { Scenario } from './scenario.js';
import type { Cloud, World } from './world.js';

// What a read leaves behind is nothing: where kcp looks the same, one moment to be killed at is as good as the other.
const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/;
// A controller that has made no such call for so long has nothing left to do.
const QUIET_MS = 3_000;

const BY_VPC: DependencyWish = { resource: 'vpcs', path: '.spec.vpcRef.name' };
const BY_ZONE: DependencyWish = { resource: 'zones', path: '.spec.zoneRef.name' };

/** S7, promise 2, continued: the controller is killed between any two of its calls, whatever it is about. */
export const killedController: readonly Scenario[] = [
  {
    id: 'S7.8',
    title: 'promise 2: a controller that is killed between any two of its calls never lets go what is referred to, and ends what it began',
    needs: ['request-faults'],
    slow: true,
    run: (world) =>
      withSecond(world, async (own) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await untilNoCallIsCut(async (served) => {
          const name = `extra-${served}`;
          const wasCut = await killedAfter(own, { served, vpc }, () => own.addRule(cloud, { ...vmRule(cloud), metadata: { name } }));
          await eventually('what the guard says is complete', () => guardNames(own, cloud, ['vm-dependencies', name]));
          await removeRule(own, cloud, name);
          await eventually('and again', () => guardNames(own, cloud, ['vm-dependencies']));
          await own.refuses(vpc);
          return wasCut;
        });
        await own.guarded(tenant);
      }),
  },
  {
    id: 'S7.19',
    title:
      'promise 2: a controller that is killed between any two of its writes while a rule is edited never lets go what the rule still holds',
    needs: ['request-faults'],
    slow: true,
    run: (world) =>
      withSecond(world, async (own) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await own.create(tenant.zones, network('Zone', 'z'));
        await own.create(tenant.vms, compute('VM', 'in-zone', { zoneRef: { name: 'z' } }));
        const zone = `${tenant.zones}/z`;
        const edit = async (...dependencies: readonly DependencyWish[]): Promise<void> => {
          const { spec } = rule(cloud, 'vm-dependencies', 'VM', dependencies);
          (await own.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec })).expect(200);
        };
        await untilNoCallIsCut(async (served) => {
          const growing = await killedAfter(own, { served, vpc, method: WRITES }, () => edit(BY_VPC, BY_ZONE));
          await eventually('the target that was added is asked about', () => asksAbout(own, cloud, ['vpcs', 'zones']));
          await own.refuses(zone);

          const shrinking = await killedAfter(own, { served, vpc, method: WRITES }, () => edit(BY_VPC));
          await eventually('the target that was dropped is not', () => asksAbout(own, cloud, ['vpcs']));
          // The webhook, and kcp itself, follow a moment later.
          await eventually('it may go', async () => (await own.kcp.admin.delete(`${zone}?dryRun=All`)).expect(200));
          await own.refuses(vpc);
          return growing || shrinking;
        });
      }),
  },
  {
    id: 'S7.20',
    title:
      'promise 2: a controller that is killed between any two of its writes while rules are deleted keeps what others hold, and leaves nothing of the last',
    needs: ['request-faults'],
    slow: true,
    run: (world) =>
      withSecond(world, async (own) => {
        const { cloud, vpc } = await own.guardedPair();
        const last = await own.cloud();
        const hosts = rule(cloud, 'hosts', 'Host', [BY_ZONE]);
        await untilNoCallIsCut(async (served) => {
          await own.addRule(cloud, hosts);
          await own.addRule(last, vmRule(last));
          await eventually('both are asked about', () => asksAbout(own, cloud, ['vpcs', 'zones']));
          await eventually('and the only rule of another provider', () => asksAbout(own, last, ['vpcs']));

          const wasCut = await killedAfter(own, { served, vpc, method: WRITES }, async () => {
            await Promise.all([removeRule(own, cloud, 'hosts'), removeRule(own, last, 'vm-dependencies')]);
          });
          await eventually('what another rule holds is asked about', () => asksAbout(own, cloud, ['vpcs']));
          await eventually('the guard names that one', () => guardNames(own, cloud, ['vm-dependencies']));
          await eventually('of the only rule nothing is left', async () => deepEqual(await own.configurations(last.network.workspace), []));
          await own.refuses(vpc);
          return wasCut;
        });
      }),
  },
];

/** Runs with an installation whose controller may be killed. */
async function withSecond(world: World, run: (own: World) => Promise<void>): Promise<void> {
  const own = await world.second();
  try {
    await run(own);
  } finally {
    await own.product.stop();
  }
}

/** Plays a round for every number of calls that may be served, until in one of them no call was left to cut. */
async function untilNoCallIsCut(round: (served: number) => Promise<boolean>): Promise<void> {
  for (let served = 0; await round(served); served += 1);
}

/** Changes something, lets the controller make so many calls of this kind and then none, kills it, starts it again. Answers whether any call failed. */
async function killedAfter(
  own: World,
  { served, vpc, method = /./ }: { readonly served: number; readonly vpc: string; readonly method?: RegExp },
  change: () => Promise<unknown>,
): Promise<boolean> {
  const { faults, requests } = own.kcp.backend;
  if (faults === undefined || requests === undefined) throw new Error('this backend breaks no requests');
  const calls = { path: new RegExp(`^/services/apiexport/${await own.homeCluster()}/`), method, watch: false };
  const before = requests.count(calls);
  const mends = [faults.onRequest(calls, { kind: 'delay', ms: 0 }, { times: served }), faults.onRequest(calls, { kind: 'drop' })];
  await change();
  const deadline = Date.now() + QUIET_MS;
  while (requests.count(calls) - before <= served && Date.now() < deadline) await sleep(5);
  const wasCut = requests.count(calls) - before > served;

  await own.product.controller.kill();
  const { status, text } = await own.kcp.admin.delete(`${vpc}?dryRun=All`);
  equal(status, 403, text);
  for (const mend of mends) mend();
  await own.product.controller.start();
  return wasCut;
}

async function removeRule(own: World, cloud: Cloud, name: string): Promise<void> {
  (await own.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200);
}

async function guardNames(own: World, cloud: Cloud, names: readonly string[]): Promise<void> {
  const { body } = (await own.kcp.admin.get(`${cloud.network.workspace.at}${GUARDS}/dependency-controller`)).expect(200);
  const rules = (at(body, 'status', 'rules') ?? []) as { readonly rule: string }[];
  deepEqual(rules.map((each) => each.rule).toSorted(), names.toSorted());
}

/** What kcp asks about a provider's resources before it deletes. */
async function asksAbout(own: World, cloud: Cloud, resources: readonly string[]): Promise<void> {
  const { body } = (await own.kcp.admin.get(`${cloud.network.workspace.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
  const entry = (at(body, 'webhooks') as Tree[]).find(({ failurePolicy }) => failurePolicy === 'Fail');
  const named = ((entry?.['rules'] ?? []) as { readonly resources: readonly string[] }[]).flatMap((each) => each.resources);
  deepEqual(named.toSorted(), resources.toSorted());
}
