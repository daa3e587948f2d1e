import { ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { literal } from '../faults/fault.js';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import { compute, network } from './cloud-types.js';
import { Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import { RULES, rule } from './rules.js';
import { takesMachine, type Scenario } from './scenario.js';
import type { Tenant, World } from './world.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
const LARGE = 60;
// Near what kcp stores in one object.
const LARGE_BYTES = 1_200_000;
// Large enough to make a long list, small enough for kcp itself to answer others meanwhile.
const LISTED_BYTES = 100_000;
const AT_A_TIME = 6;
const WHILE_MS = 8_000;
// Nearly as long as a webhook may take.
const SLOW_MS = 8_000;
const SLOW_DELETES = 10;
const SLOW_WORKSPACES = 8;
const LARGE_RULE_TARGETS = [3_000, 64] as const;

/** S9: slots, memory and time are shared out per consumer workspace and author. */
export const shares: readonly Scenario[] = [
  {
    id: 'S9.17',
    title: 'sixty large objects deleted at once, and lists of large objects, delay only the workspace that holds them',
    exclusive: takesMachine,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        await hostsReferToZones(scene);
        for (const each of [scene.cloud.network, scene.cloud.compute]) await scene.openTo(each);
        const tenant = await scene.consumerOf(alice);
        await manyLarge(alice, tenant);
        let judged = 0;

        await besideIt(
          async () => {
            const answers = await Promise.all(names(LARGE).map((name) => deleted(alice, `${tenant.zones}/${name}?dryRun=All`)));
            judged += answers.filter((status) => status === 200).length;
          },
          () => scene.unharmedAndAlive('while large objects are deleted', WHILE_MS),
        );
        ok(judged > 0, 'no large review was judged');
      }),
  },
  {
    id: 'S9.18',
    title: 'a consumer whose lists take seconds delays only itself, in however many workspaces',
    exclusive: takesMachine,
    run: (world) =>
      Neighbours.play(
        world,
        async (scene) => {
          const alice = scene.outsider();
          await hostsReferToZones(scene);
          for (const each of [scene.cloud.network, scene.cloud.compute]) await scene.openTo(each);
          const tenants = await Promise.all(Array.from({ length: SLOW_WORKSPACES }, () => scene.consumerOf(alice)));
          for (const { zones, vpcs } of tenants) {
            (await alice.admin.post(zones, network('Zone', 'z'))).expect(201);
            (await alice.admin.post(vpcs, network('VPC', 'v'))).expect(201);
          }
          const slow = new RegExp(tenants.map(({ workspace }) => `^${literal(workspace.at)}/apis/.*/(?:hosts|vms)`).join('|'));
          const { faults } = scene.own.product;
          const slowed = await faults.breakWhere({ caller: 'webhook', method: /^GET$/, path: slow }, { kind: 'delay', ms: SLOW_MS });
          try {
            await besideIt(
              () => {
                const objects = tenants.flatMap(({ zones, vpcs }) => [`${zones}/z`, `${vpcs}/v`]);
                return Promise.all(objects.flatMap((object) => names(SLOW_DELETES).map(() => deleted(alice, `${object}?dryRun=All`))));
              },
              () => scene.unharmedAndAlive('while the lists of another are slow', 3 * WHILE_MS),
            );
            ok((await slowed.hits()) > 0, 'no list was slow');
          } finally {
            await slowed.mend();
          }
        },
        { install: { breakable: true } },
      ),
  },
  {
    id: 'S9.19',
    title: 'an author who edits large rules and a guard, and binds and unbinds dep-ctrl, without a pause, delays nobody',
    exclusive: takesMachine,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const [alice, bob] = [scene.outsider('alice'), scene.outsider('bob')];
        const [mine, theirs] = await Promise.all([scene.provider(alice), scene.provider(bob)]);
        const { vpcs } = scene.types;
        const edit = (n: number, count: number): Tree => {
          const targets = Array.from({ length: count }, (_, at) => target({ ...vpcs, resource: `r${at}s` }, `.spec.v${n}`));
          return ruleAbout('edited', DISK, [...targets, target(vpcs, `.spec.v${n}`)].slice(-count));
        };
        const [most, admitted] = LARGE_RULE_TARGETS;
        const { status } = await scene.ruleBy(alice, mine.workspace, edit(0, most));
        const count = status === 201 ? most : admitted;
        if (status !== 201) (await scene.ruleBy(alice, mine.workspace, edit(0, admitted))).expect(201);
        let turn = 0;
        let edited = 0;
        const editing = async (): Promise<void> => {
          turn += 1;
          const { spec } = edit(turn, count);
          edited += Number((await alice.admin.patch('merge', `${mine.workspace.at}${RULES}/edited`, { spec })).status === 200);
          await scene.guardBy(alice, mine.workspace, { allowRulesFrom: [`root:none-${turn}`] });
        };
        const binding = `${theirs.workspace.at}${APIS}/apibindings/dep-ctrl`;
        const rebinding = async (): Promise<void> => {
          await bob.admin.delete(binding);
          await eventually('the binding is gone', async () => void (await bob.admin.get(binding)).expect(404));
          await scene.own.bindOnly(theirs.workspace, 'Accepted', bob);
          await scene.ruleBy(bob, theirs.workspace, ruleAbout('mine', DISK, [target(vpcs, '.spec.vpc')]));
        };

        await besideIt(editing, () =>
          besideIt(rebinding, () => scene.unharmedAndAlive('while others write without a pause', 2 * WHILE_MS)),
        );

        ok(edited > 1, `nothing was edited in ${turn} tries`);
        await scene.unharmedByRestarts('after others wrote without a pause');
        await scene.honestRuleIsReady();
      }),
  },
];

/** An honest rule that is read from whole objects: there is no column for its path. */
async function hostsReferToZones({ own, cloud }: { readonly own: World; readonly cloud: Neighbours['cloud'] }): Promise<void> {
  await own.addRule(cloud, rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
  await eventually('zones are guarded', async () => {
    const { Ready } = await own.ruleConditions(cloud, 'hosts');
    ok(Ready?.status === 'True', JSON.stringify(Ready));
  });
}

/** Zones as large as objects may be, and hosts that refer to none of them. */
async function manyLarge(by: Outsider, { zones, hosts }: Tenant): Promise<void> {
  const [filling, listed] = ['x'.repeat(LARGE_BYTES), 'x'.repeat(LISTED_BYTES)];
  const writes = names(LARGE).flatMap((name) => [
    async () => by.admin.post(zones, { ...network('Zone', name), spec: { filling } }),
    async () => by.admin.post(hosts, compute('Host', name, { zoneRef: { name: listed } })),
  ]);
  const lanes = Array.from({ length: AT_A_TIME }, async () => {
    for (let write = writes.pop(); write !== undefined; write = writes.pop()) (await write()).expect(201);
  });
  await Promise.all(lanes);
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `large-${n}`);
}

/** Whatever is answered: it is the asker's own affair. */
/** The status of the answer; undefined: there was none. */
async function deleted({ admin }: Outsider, object: string): Promise<number | undefined> {
  return admin.delete(object).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** Does something again and again until something else is over; fails as either fails. */
async function besideIt(again: () => Promise<unknown>, until: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const repeating = (async () => {
    while (!over.signal.aborted) {
      await again();
      await sleep(0);
    }
  })();
  try {
    await Promise.race([until(), repeating]);
  } finally {
    over.abort();
    await repeating;
  }
}
