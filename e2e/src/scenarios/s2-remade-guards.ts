import { deepEqual, ok } from 'node:assert/strict';
import { steadyLoad } from '../faults/steady-load.js';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { compute, network } from './cloud-types.js';
import { noneAllowed } from './none-allowed.js';
import { GUARDS, rule } from './rules.js';
import type { Scenario } from './scenario.js';

const PER_SECOND = 20;

/** S2, continued: guards that are made again. */
export const remadeGuards: readonly Scenario[] = [
  {
    id: 'S2.16',
    title: 'a guard deleted by hand under load is made again, and lets nothing go meanwhile',
    slow: true,
    run: async (world) => {
      const { cloud, tenant, vpc, vm } = await world.guardedPair();
      const other = { ...rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]) };
      await world.addRule(cloud, other);
      await world.create(tenant.zones, network('Zone', 'z'));
      await world.create(tenant.hosts, compute('Host', 'h', { zoneRef: { name: 'z' } }));
      const zone = `${tenant.zones}/z`;
      await world.refuses(zone);
      const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
      let begun = 0;
      const act = (number: number) => {
        begun = number + 1;
        return world.kcp.admin.delete(`${number % 2 === 0 ? vpc : zone}?dryRun=All`);
      };

      const { answers } = await steadyLoad({ perSecond: PER_SECOND, act }, async () => {
        // A quick machine has made it three times before there is a load.
        for (let times = 0; times < 3 || begun < PER_SECOND; times += 1) {
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
      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
];
