import { equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from '../faults/balancer.js';
import { steadyLoad } from '../faults/steady-load.js';
import type { Exclusive } from '../running/case.js';
import { eventually } from '../stage/eventually.js';
import { noneAllowed } from './none-allowed.js';
import { vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { tenantOf } from './world.js';

const PER_SECOND = 20;
// A lease of 15 s has to run out first, as everywhere in Kubernetes.
const LEASE_MS = 60_000;
const everything = (): Exclusive => 'everything';

/** S7, promise 2: killing any one process at any moment never turns a refusal into an allow. */
export const killedProcesses: readonly Scenario[] = [
  {
    id: 'S7.5',
    title: 'promise 2: a webhook that is killed again and again under load never lets go what is referred to',
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { vpc, vm } = await own.guardedPair();

        const { answers } = await steadyLoad({ perSecond: PER_SECOND, act: () => own.kcp.admin.delete(`${vpc}?dryRun=All`) }, async () => {
          for (let kill = 0; kill < 3; kill += 1) {
            await own.product.webhook.kill();
            await own.product.webhook.start();
          }
        });

        noneAllowed(answers);
        await own.refuses(vpc);
        (await own.kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S7.6',
    title: 'promise 2: of two webhooks either may be killed, and the other answers',
    slow: true,
    run: async (world) => {
      const balancer = await Balancer.start();
      const own = await world.second({ balancer });
      try {
        const second = await own.product.replica();
        await second.role.start();
        balancer.use(own.product.webhookPort, second.port);
        const { vpc, vm } = await own.guardedPair();

        const { answers } = await steadyLoad({ perSecond: PER_SECOND, act: () => own.kcp.admin.delete(`${vpc}?dryRun=All`) }, async () => {
          for (const role of [own.product.webhook, second.role]) {
            await role.kill();
            // One is left: it alone keeps answering, by name and not for want of an answer.
            await own.refuses(vpc, 'by the other webhook');
            await role.start();
          }
        });

        noneAllowed(answers);
        (await own.kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      } finally {
        await own.product.stop();
        balancer.close();
      }
    },
  },
  {
    id: 'S7.7',
    title: 'promise 2: a leader that is killed is followed by the other controller, and what is guarded stays guarded',
    slow: true,
    run: async (world) => {
      const own = await world.second({ controllerFlags: ['--leader-elect=true'] });
      try {
        const { vpc } = await own.guardedPair();
        const standby = await own.product.standby();
        standby.launch();

        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);
        await own.product.controller.kill();
        const cloud = await own.cloud();
        await own.addRule(cloud, vmRule(cloud));

        await deletes.more(2);
        await eventually('the other leads', async () => equal((await own.configurations(cloud.network.workspace)).length, 1), LEASE_MS);
        await own.guarded(tenantOf(await own.consumer(cloud), 'default'));
        await deletes.end();
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S7.9',
    title: 'promise 2: with the cache away what is referred to is not deleted, and a rule written meanwhile is in force once it is back',
    needs: ['cache', 'two-shards'],
    exclusive: everything,
    run: async (world) => {
      const { cache } = world.kcp.backend;
      if (cache === undefined) throw new Error('there is no cache');
      const cloud = await world.cloud({ shard: 0 });
      await world.addRule(cloud, vmRule(cloud));
      const tenant = tenantOf(await world.consumer(cloud, { shard: 1 }), 'default');
      const { vpc, vm } = await world.pair(tenant);
      await world.refuses(vpc);

      const other = await world.cloud({ shard: 1 });
      const across = { network: cloud.network, compute: other.compute };
      const late = tenantOf(await world.consumer(across, { shard: 0 }), 'default');
      await cache.stop();
      try {
        await world.addRule(across, vmRule(across));
        const { answers } = await steadyLoad({ perSecond: 5, act: () => world.kcp.admin.delete(`${vpc}?dryRun=All`) }, () => sleep(3_000));
        noneAllowed(answers);
      } finally {
        await cache.start();
      }
      await world.guarded(late, 'once the cache is back');
      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
];
