import { deepEqual, equal } from 'node:assert/strict';
import type { RequestMatch } from '../faults/fault.js';
import { eventually } from '../stage/eventually.js';
import { compute, network } from './cloud-types.js';
import { cutEnough, isCut, untilNoCallIsCut } from './cut-calls.js';
import { asksAbout, guardNames, isSettled, removeRule } from './in-force.js';
import { RULES, rule, vmRule, type DependencyWish } from './rules.js';
import type { Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { throughProxy } from './through-proxy.js';
import type { World } from './world.js';

// Its lease, and the configuration that makes kcp ask about rules, it looks at every two seconds, for ever; and for the type of workspaces every ten.
const NOT_REPEATED: RequestMatch = { path: /^(?!\/clusters\/.*\/(?:leases\/|validatingwebhookconfigurations\/|workspacetypes))/ };
// What a read leaves behind is nothing: where kcp looks the same, one moment to be killed at is as good as the other.
const WRITES: RequestMatch = { method: /^(?:POST|PUT|PATCH|DELETE)$/ };
// A controller that is done and has made no such call for so long has nothing left to do.
const QUIET_MS = 2_000;

const BY_VPC: DependencyWish = { resource: 'vpcs', path: '.spec.vpcRef.name' };
const BY_ZONE: DependencyWish = { resource: 'zones', path: '.spec.zoneRef.name' };

/** S7, promise 2, continued: the controller is killed between any two of its calls, whatever it is about. */
export const killedController: readonly Scenario[] = [
  {
    id: 'S7.8',
    title: 'promise 2: a controller that is killed between any two of its calls never lets go what is referred to, and ends what it began',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);
        const cuts = await untilNoCallIsCut(async (served) => {
          await deletes.more(1);
          const name = `extra-${served}`;
          const work = {
            begin: () => own.addRule(cloud, { ...vmRule(cloud), metadata: { name } }),
            done: async () => {
              await guardNames(own, cloud, ['vm-dependencies', name]);
              await isSettled(own, cloud, name);
            },
          };
          const wasCut = await killedAfter(own, { served, vpc, calls: NOT_REPEATED }, work);
          await removeRule(own, cloud, name);
          await eventually('the guard names the other one', () => guardNames(own, cloud, ['vm-dependencies']));
          await own.refuses(vpc);
          return wasCut;
        });
        cutEnough(own, 'S7.8', { cuts, least: 5 });
        await deletes.end();
        await own.guarded(tenant);
      }),
  },
  {
    id: 'S7.19',
    title:
      'promise 2: a controller that is killed between any two of its writes while a rule is edited never lets go what the rule still holds',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await own.create(tenant.zones, network('Zone', 'z'));
        await own.create(tenant.vms, compute('VM', 'in-zone', { zoneRef: { name: 'z' } }));
        const zone = `${tenant.zones}/z`;
        const edit = async (...dependencies: readonly DependencyWish[]): Promise<void> => {
          const { spec } = rule(cloud, 'vm-dependencies', 'VM', dependencies);
          (await own.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec })).expect(200);
        };
        const work = (dependencies: readonly DependencyWish[], resources: readonly string[]): Work => ({
          begin: () => edit(...dependencies),
          done: async () => {
            await asksAbout(own, cloud, resources);
            await isSettled(own, cloud, 'vm-dependencies');
          },
        });
        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);
        const cuts = await untilNoCallIsCut(async (served) => {
          await deletes.more(1);
          const growing = await killedAfter(own, { served, vpc, calls: WRITES }, work([BY_VPC, BY_ZONE], ['vpcs', 'zones']));
          await own.refuses(zone);

          const shrinking = await killedAfter(own, { served, vpc, calls: WRITES }, work([BY_VPC], ['vpcs']));
          // The webhook, and kcp itself, follow a moment later.
          await eventually('it may go', async () => (await own.kcp.admin.delete(`${zone}?dryRun=All`)).expect(200));
          await own.refuses(vpc);
          return growing || shrinking;
        });
        cutEnough(own, 'S7.19', { cuts, least: 4 });
        await deletes.end();
      }),
  },
  {
    id: 'S7.20',
    title:
      'promise 2: a controller that is killed between any two of its writes while rules are deleted keeps what others hold, and leaves nothing of the last',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own) => {
        const { cloud, vpc } = await own.guardedPair();
        const last = await own.cloud();
        const hosts = rule(cloud, 'hosts', 'Host', [BY_ZONE]);
        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);
        const cuts = await untilNoCallIsCut(async (served) => {
          await deletes.more(1);
          await own.addRule(cloud, hosts);
          await own.addRule(last, vmRule(last));
          await eventually('both are asked about', () => asksAbout(own, cloud, ['vpcs', 'zones']));
          await eventually('and the only rule of another provider', () => asksAbout(own, last, ['vpcs']));

          const wasCut = await killedAfter(
            own,
            { served, vpc, calls: WRITES },
            {
              begin: () => Promise.all([removeRule(own, cloud, 'hosts'), removeRule(own, last, 'vm-dependencies')]),
              done: async () => {
                await asksAbout(own, cloud, ['vpcs']);
                await guardNames(own, cloud, ['vm-dependencies']);
                deepEqual(await own.configurations(last.network.workspace), []);
              },
            },
          );
          await own.refuses(vpc);
          return wasCut;
        });
        cutEnough(own, 'S7.20', { cuts, least: 4 });
        await deletes.end();
      }),
  },
];

/** What a controller is given to do, and when that is done. */
interface Work {
  readonly begin: () => Promise<unknown>;
  readonly done: () => Promise<unknown>;
}

/** Has the controller begin something, make so many calls and then none, kills it, starts it again. Answers whether any call was cut. */
async function killedAfter(
  { kcp, product }: World,
  { served, vpc, calls }: { readonly served: number; readonly vpc: string; readonly calls: RequestMatch },
  { begin, done }: Work,
): Promise<boolean> {
  const cut = await product.faults.breakWhere({ caller: 'controller', isWatch: false, ...calls }, { kind: 'hang' }, { sparing: served });
  await begin();
  const wasCut = await isCut(cut, done, QUIET_MS);

  await product.controller.kill();
  const { status, text } = await kcp.admin.delete(`${vpc}?dryRun=All`);
  equal(status, 403, text);
  await cut.mend();
  await product.controller.start();
  await eventually('what was begun is done', done);
  return wasCut;
}
