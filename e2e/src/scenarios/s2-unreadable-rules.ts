import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { steadyLoad } from '../faults/steady-load.js';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { compute, network } from './cloud-types.js';
import { noneAllowed } from './none-allowed.js';
import { GUARDS, RULES, rule, type DependencyWish } from './rules.js';
import type { Scenario } from './scenario.js';
import type { Cloud, World } from './world.js';

const PER_SECOND = 20;
const READABLE: DependencyWish = { resource: 'vpcs', path: '.spec.vpcRef.name' };
// Names and namespaces that stand in different lists cannot be paired, which no schema can say.
const UNREADABLE: DependencyWish = { resource: 'vpcs', path: '.spec.vpcRefs[*].name', namespacePath: '.spec.others[*].namespace' };

/** S2, continued: rules that an edit made unreadable still hold what they held. */
export const unreadableRules: readonly Scenario[] = [
  {
    id: 'S2.15',
    title: 'an edit that makes a rule unreadable lets nothing go that it held, and the refusal names the rule; mended it guards as before',
    slow: true,
    run: async (world) => {
      const { cloud, vpc, vm } = await world.guardedPair();
      const refused = async (): Promise<string> => {
        const { status, text } = await world.kcp.admin.delete(`${vpc}?dryRun=All`);
        ok(status >= 400, `the delete was allowed: ${text}`);
        return text;
      };

      await edit(world, cloud, UNREADABLE);
      await eventually('its author is told', async () => {
        await refused();
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Accepted']?.status, 'False', JSON.stringify(conditions));
      });
      await eventually('the refusal says which rule to mend', async () => match(await refused(), /vm-dependencies/));
      for (let n = 0; n < 20; n += 1) await refused();

      await edit(world, cloud, READABLE);
      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
  {
    id: 'S2.16',
    title: 'a guard deleted by hand under load, beside a rule that an edit made unreadable, lets nothing go that the rule held',
    slow: true,
    run: async (world) => {
      const { cloud, tenant, vpc, vm } = await world.guardedPair();
      const other = { ...rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]) };
      await world.addRule(cloud, other);
      await world.create(tenant.zones, network('Zone', 'z'));
      await world.create(tenant.hosts, compute('Host', 'h', { zoneRef: { name: 'z' } }));
      const zone = `${tenant.zones}/z`;
      await world.refuses(zone);
      await edit(world, cloud, UNREADABLE);
      await eventually('its author is told', async () => {
        const conditions = await world.ruleConditions(cloud);
        equal(conditions['Accepted']?.status, 'False', JSON.stringify(conditions));
      });
      const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
      const act = (number: number) => world.kcp.admin.delete(`${number % 2 === 0 ? vpc : zone}?dryRun=All`);

      const { answers } = await steadyLoad({ perSecond: PER_SECOND, act }, async () => {
        for (let times = 0; times < 3; times += 1) {
          const { uid } = (await world.kcp.admin.get(guard)).expect(200).body.metadata;
          (await world.kcp.admin.delete(guard)).expect(200);
          await eventually('it is made again and names what both hold', async () => {
            const { body } = (await world.kcp.admin.get(guard)).expect(200);
            ok(body.metadata.uid !== uid);
            const rules = (at(body, 'status', 'rules') ?? []) as { readonly rule: string }[];
            deepEqual(rules.map((each) => each.rule).toSorted(), ['hosts', 'vm-dependencies']);
          });
        }
      });

      noneAllowed(answers);
      await world.refuses(zone);
      await edit(world, cloud, READABLE);
      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
];

async function edit(world: World, cloud: Cloud, dependency: DependencyWish): Promise<void> {
  const { spec } = rule(cloud, 'vm-dependencies', 'VM', [dependency]);
  (await world.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec })).expect(200);
}
