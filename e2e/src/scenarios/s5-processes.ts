import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import type { Exclusive } from '../running/case.js';
import { always, eventually } from '../stage/eventually.js';
import { network } from './cloud-types.js';
import { isSettled } from './in-force.js';
import { RULES, vmRule } from './rules.js';
import { takesProduct, type Scenario } from './scenario.js';
import { servedCertificate } from './served-certificate.js';
import { SteadyDeletes } from './steady-deletes.js';
import { trustedMeanwhile } from './trusted-connections.js';
import { tenantOf } from './world.js';
import { skipping } from './skip-protection.js';

const everything = (): Exclusive => 'everything';

/** S5: processes are killed, and no refusal becomes an allow. */
export const processes: readonly Scenario[] = [
  {
    id: 'S5.1',
    title: 'with the webhook dead every delete of a guarded type is refused, and the way out works',
    exclusive: takesProduct,
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const { vpc } = await world.pair(tenant);
      const free = world.kcp.unique('free');
      await world.create(tenant.vpcs, network('VPC', free));
      await world.refuses(vpc);

      await world.product.webhook.kill();
      try {
        equal((await world.kcp.admin.delete(`${tenant.vpcs}/${free}`)).status, 500);
        const refused = await world.kcp.admin.delete(vpc);
        equal(refused.status, 500);
        match(refused.body.message ?? '', /failed calling webhook "dependency-controller\.dependencies\.opendefense\.cloud"/);
        (await world.kcp.admin.patch('merge', vpc, skipping())).expect(200);
        (await world.kcp.admin.delete(vpc)).expect(200);
      } finally {
        await world.product.webhook.start();
      }
    },
  },
  {
    id: 'S5.9',
    title: 'with the webhook dead what only Warn and Audit rules are about is deleted freely',
    exclusive: takesProduct,
    run: async (world) => {
      const cloud = await world.cloud();
      await world.addRule(cloud, vmRule(cloud, { enforcement: 'Warn' }));
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      const warned = await world.pair(tenant);
      await eventually('it warns', async () => {
        match((await world.kcp.admin.delete(`${warned.vpc}?dryRun=All`)).expect(200).header('warning'), /still referenced by VM\//);
      });

      for (const enforcement of ['Warn', 'Audit']) {
        const ruleAt = `${cloud.compute.workspace.at}${RULES}/vm-dependencies`;
        (await world.kcp.admin.patch('merge', ruleAt, { spec: { enforcement } })).expect(200);
        const { vpc } = await world.pair(tenant);
        await eventually(`it is in force as ${enforcement}`, () => isSettled(world, cloud, 'vm-dependencies'));
        await world.product.webhook.kill();
        try {
          // Longer than kcp takes to believe a configuration.
          const freely = async (): Promise<void> => void (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200);
          await always('it is deleted freely', freely, 1_000);
          (await world.kcp.admin.delete(vpc)).expect(200);
        } finally {
          await world.product.webhook.start();
        }
      }
    },
  },
  {
    id: 'S5.2',
    title: 'a webhook that starts again refuses from its first answer on',
    exclusive: takesProduct,
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const { vpc, vm } = await world.pair(tenant);
      await world.refuses(vpc);

      await using deletes = new SteadyDeletes(world, `${vpc}?dryRun=All`);
      await world.product.webhook.kill();
      await world.product.webhook.start();
      await deletes.more(2);
      await deletes.end();

      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
  {
    id: 'S5.3',
    title: 'with the controller dead what is guarded stays guarded, and a rule written meanwhile is guarded once it is back',
    exclusive: takesProduct,
    run: async (world) => {
      const { vpc } = await world.pair(await world.sharedTenant());
      await world.refuses(vpc);
      const cloud = await world.cloud();

      await using deletes = new SteadyDeletes(world, `${vpc}?dryRun=All`);
      await world.product.controller.kill();
      try {
        await world.addRule(cloud, vmRule(cloud));
        await deletes.more(2);
      } finally {
        await world.product.controller.start();
      }

      await world.guarded(tenantOf(await world.consumer(cloud), 'default'), 'once the controller is back');
      await deletes.end();
    },
  },
  {
    id: 'S5.4',
    title: 'a rule deleted while the controller was dead guards no more once it is back',
    exclusive: takesProduct,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();

      await world.product.controller.kill();
      (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/vm-dependencies`)).expect(200);
      await world.product.controller.start();

      await eventually('nothing is left', async () => deepEqual(await world.configurations(cloud.network.workspace), []));
      await world.allows(vpc);
    },
  },
  {
    id: 'S5.5',
    title: 'a serving certificate that is replaced is served without a refused connection',
    exclusive: takesProduct,
    run: async (world) => {
      const { vpc } = await world.pair(await world.sharedTenant());
      await world.refuses(vpc);

      const { product } = world;
      const port = product.webhookPort;
      const before = await servedCertificate(port);
      await using deletes = new SteadyDeletes(world, `${vpc}?dryRun=All`);

      await trustedMeanwhile(world, await world.sharedCloud(), { port, host: '127.0.0.1' }, async () => {
        writePair(product.tlsDir, 'tls', await product.authority.server());
        await eventually('the new certificate is served', async () => notEqual(await servedCertificate(port), before));
        await deletes.more(20);
      });

      deepEqual(
        (await deletes.end()).filter((text) => !text.includes('still referenced by')),
        [],
      );
    },
  },
  {
    id: 'S5.6',
    title: 'with a certificate that nobody trusts deletes are refused, and the way out works',
    exclusive: takesProduct,
    run: async (world) => {
      const { vpc } = await world.pair(await world.sharedTenant());
      await world.refuses(vpc);
      const stranger = await Authority.create('a stranger');

      await world.product.webhook.kill();
      writePair(world.product.tlsDir, 'tls', await stranger.server());
      world.product.webhook.launch();
      try {
        await eventually('deletes are refused for want of trust', async () => {
          const { status, body } = await world.kcp.admin.delete(`${vpc}?dryRun=All`);
          equal(status, 500);
          match(body.message ?? '', /x509/);
        });
        (await world.kcp.admin.patch('merge', vpc, skipping())).expect(200);
        (await world.kcp.admin.delete(vpc)).expect(200);
      } finally {
        await world.product.webhook.kill();
        writePair(world.product.tlsDir, 'tls', await world.product.authority.server());
        await world.product.webhook.start();
      }
    },
  },
  {
    id: 'S5.7',
    title: 'while kcp restarts no delete of what is referred to passes',
    needs: ['restarts'],
    exclusive: everything,
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const { vpc, vm } = await world.pair(tenant);
      await world.refuses(vpc);
      const shard = world.kcp.backend.shards[tenant.workspace.shard] ?? world.kcp.backend.shards[0];

      await shard.stop();
      const back = new AbortController();
      const starting = shard.start().finally(() => back.abort());
      while (!back.signal.aborted) {
        const answer = await world.kcp.admin.delete(`${vpc}?dryRun=All`).catch(() => undefined);
        ok(answer === undefined || answer.status >= 400, `the delete was allowed: ${answer?.text ?? ''}`);
      }
      await starting;
      // What is refused now is refused by a webhook whose watches are still broken.
      await always(
        'nothing goes once it is back',
        async () => {
          const { status, text } = await world.kcp.admin.delete(`${vpc}?dryRun=All`);
          ok(status >= 400, `the delete was allowed: ${text}`);
        },
        3_000,
      );

      await world.refuses(vpc);
      (await world.kcp.admin.delete(vm)).expect(200);
      await world.allows(vpc);
    },
  },
  {
    id: 'S5.8',
    title: 'a webhook that restarts while another shard is down answers for the shards that are there',
    needs: ['two-shards', 'restarts'],
    exclusive: everything,
    run: async (world) => {
      // A shard where nobody binds dep-ctrl has no endpoint that could be missed.
      await world.cloud({ shard: 1 });
      const cloud = await world.cloud({ shard: 0 });
      await world.addRule(cloud, vmRule(cloud));
      const tenant = tenantOf(await world.consumer(cloud, { shard: 0 }), 'default');
      const { vpc, vm } = await world.pair(tenant);
      await world.refuses(vpc);
      const other = world.kcp.backend.shards[1];
      if (other === undefined) throw new Error('there is no second shard');

      await other.stop();
      await world.product.webhook.kill();
      world.product.webhook.launch();
      try {
        await world.refuses(vpc, 'while the other shard is down');
        (await world.kcp.admin.delete(vm)).expect(200);
        await world.allows(vpc);
      } finally {
        await other.start();
        await world.product.webhook.ready();
      }
    },
  },
];
