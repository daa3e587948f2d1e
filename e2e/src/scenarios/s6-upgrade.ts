import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Balancer } from '../faults/balancer.js';
import { at, type Tree } from '../https/kube-body.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { eventually } from '../stage/eventually.js';
import { installOriginal } from './original.js';
import { builtProgram } from './product.js';
import type { Role } from './role.js';
import { takesProduct, type Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { tenantOf, type Cloud, type World } from './world.js';

interface Build {
  readonly program: string;
  readonly version: string;
  /** How long kcp waits for the webhook, by the configuration of this build. */
  readonly timeoutSeconds: number;
}

/** S6: one version of dep-ctrl after another. */
export const upgrades: readonly Scenario[] = [
  {
    id: 'S6.12',
    title:
      'of two webhooks and a controller each is restarted with a newer version, with the older one and with the newer one again, and every delete of what is referred to meanwhile is refused by the rule',
    needs: ['role-processes'],
    exclusive: takesProduct,
    slow: true,
    run: async (world) => {
      const [older, newer] = [
        { program: builtProgram('DEP_CTRL_OLDER_PROGRAM'), version: '0.0.1', timeoutSeconds: 9 },
        { program: world.program, version: await versionOf(world), timeoutSeconds: 10 },
      ];
      const balancer = await Balancer.start();
      const own = await world.second({ balancer, program: older.program });
      try {
        const second = await own.product.replica();
        await second.role.start();
        const webhooks = [{ role: own.product.webhook, port: own.product.webhookPort }, second];
        const ports = webhooks.map(({ port }) => port);
        balancer.use(...ports);
        const roles = [...webhooks.map(({ role }) => role), own.product.controller];
        const { cloud, vpc, vm } = await own.guardedPair();
        await runs(own, cloud, roles, older);
        await using deletes = new SteadyDeletes(own, vpc);

        for (const build of [newer, older, newer]) {
          own.product.use(build.program);
          const written = await own.product.bootstrap();
          equal(written.code, 0, written.stderr);
          match(written.stdout, /^updated APIExport dependencies\.opendefense\.cloud /m);
          for (const { role, port } of webhooks) {
            // As the chart does it: at first nothing new comes to the one that ends.
            balancer.use(...ports.filter((each) => each !== port));
            await deletes.more(2);
            await role.restart();
            balancer.use(...ports);
          }
          await own.product.controller.restart();
          await runs(own, cloud, roles, build);
        }

        const answers = await deletes.end();
        deepEqual(
          answers.filter((text) => !text.includes('still referenced by')),
          [],
        );
        world.tell('S6.12', `${answers.length} deletes while three versions followed each other, each refused by the rule`);
        (await world.kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      } finally {
        await own.product.stop();
        balancer.close();
      }
    },
  },
  {
    id: 'S6.13',
    title:
      'dep-ctrl takes over the workspace, the bindings, the rules and the configuration of the original as its page says, and at no moment may go what its rules guard',
    needs: ['role-processes'],
    exclusive: takesProduct,
    slow: true,
    run: async (world) => {
      const { kcp } = world;
      const { home, cloud, asked, stopWebhook } = await installOriginal(kcp);
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      const { vpc, vm } = await world.pair(tenant);
      await world.refuses(vpc);
      ok(asked.length > 0, 'kcp did not ask the original');
      await using deletes = new SteadyDeletes(world, vpc);

      const own = await world.second({ takesOver: home });
      try {
        await own.grantReading(cloud.network.workspace, cloud.compute.workspace);
        await isWell(own);
        stopWebhook();
        await deletes.more(2);

        const answers = await deletes.end();
        deepEqual(
          answers.filter((text) => !text.includes('still referenced by')),
          [],
        );
        const ours = answers.filter((text) => text.includes(`still referenced by VM/${vm.split('/').at(-1)}`));
        ok(ours.length > 0, 'dep-ctrl refused none');
        world.tell('S6.13', `${answers.length} deletes while the original was replaced, ${ours.length} of them refused by dep-ctrl`);
        deepEqual(await own.configurations(cloud.network.workspace), ['dependency-controller']);
        (await kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      } finally {
        await own.product.stop();
      }
    },
  },
];

async function versionOf({ product }: World): Promise<string> {
  return (await product.command('--version')).stdout.trim();
}

/** Waits until this build does everything: the roles are it, the configuration is as it wants it, and its `status` finds nothing wrong. */
async function runs({ kcp, product }: World, { network }: Cloud, roles: readonly Role[], build: Build): Promise<void> {
  for (const role of roles) {
    const metrics = await role.metrics();
    ok(metrics.has(`dep_ctrl_build_info{version="${build.version}"}`), `${role.name} is not ${build.version}`);
  }
  await eventually(`the configuration is that of ${build.version}`, async () => {
    const { body } = (await kcp.admin.get(`${network.workspace.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
    const refusing = (at(body, 'webhooks') as Tree[]).find(({ failurePolicy }) => failurePolicy === 'Fail');
    equal(refusing?.['timeoutSeconds'], build.timeoutSeconds);
  });
  await isWell({ product });
}

async function isWell({ product }: Pick<World, 'product'>): Promise<void> {
  await eventually('all is well', async () => {
    const { code, stdout, stderr } = await product.command('status', '--workspace', product.path);
    equal(code, 0, stdout + stderr);
  });
}
