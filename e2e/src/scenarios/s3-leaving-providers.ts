import { deepEqual, equal, ok } from 'node:assert/strict';
import { always, eventually, patience } from '../stage/eventually.js';
import { APIS, WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { controllerSays } from './controller-says.js';
import { takesProduct, type Scenario } from './scenario.js';

// kcp deletes what a binding brought within a second or two.
const WAITED_MS = 5_000;

/** S3, continued: providers go. */
export const leavingProviders: readonly Scenario[] = [
  {
    id: 'S3.9',
    title: 'a guarded provider that unbinds is left with no configuration, and its consumers delete freely',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const home = cloud.network.workspace;

      (await world.kcp.admin.delete(`${home.at}${APIS}/apibindings/dep-ctrl`)).expect(200);

      await eventually('the binding is gone', async () =>
        equal((await world.kcp.admin.get(`${home.at}${APIS}/apibindings/dep-ctrl`)).status, 404),
      );
      deepEqual(await world.configurations(home), [], 'a configuration is left');
      await world.allows(vpc);
    },
  },
  {
    id: 'S3.18',
    title: 'a guarded provider that unbinds while the controller is dead waits for it, and leaves nothing once it is back',
    slow: true,
    exclusive: takesProduct,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const home = cloud.network.workspace;
      const binding = `${home.at}${APIS}/apibindings/dep-ctrl`;
      await world.product.controller.kill();
      try {
        (await world.kcp.admin.delete(binding)).expect(200);

        await always('the binding waits', async () => void (await world.kcp.admin.get(binding)).expect(200), WAITED_MS);
        deepEqual(await world.configurations(home), ['dependency-controller']);
      } finally {
        await world.product.controller.start();
      }

      await eventually('the binding is gone', async () => equal((await world.kcp.admin.get(binding)).status, 404));
      deepEqual(await world.configurations(home), [], 'a configuration is left');
      await world.allows(vpc);
    },
  },
  {
    id: 'S3.10',
    title: 'a provider whose workspace goes with rules alive goes without help',
    slow: true,
    run: async (world) => {
      const { cloud } = await world.guardedPair();
      const workspaces = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';
      for (const { workspace } of [cloud.compute, cloud.network]) {
        const name = workspace.path.split(':')[1] ?? '';
        (await world.kcp.admin.delete(`${workspaces}/${name}`)).expect(200);
        await eventually(
          `${name} is gone`,
          async () => equal((await world.kcp.admin.get(`${workspaces}/${name}`)).status, 404),
          4 * patience.ms,
        );
      }
    },
  },
  {
    id: 'S3.17',
    title:
      'a guarded provider that takes back its claim and unbinds is let go after a minute, and the configuration that is left is named in the log',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const home = cloud.network.workspace;
      const binding = `${home.at}${APIS}/apibindings/dep-ctrl`;
      (await world.kcp.admin.patch('json', binding, [{ op: 'replace', path: '/spec/permissionClaims/0/state', value: 'Rejected' }])).expect(
        200,
      );
      await eventually('the rule says so', async () => {
        const { WebhooksInstalled: installed } = await world.ruleConditions(cloud);
        deepEqual([installed?.status, installed?.reason], ['False', 'ClaimNotAccepted'], JSON.stringify(installed));
      });

      (await world.kcp.admin.delete(binding)).expect(200);

      const heldMs = performance.now();
      await eventually('the binding is gone', async () => equal((await world.kcp.admin.get(binding)).status, 404), 60_000 + patience.ms);
      ok(performance.now() - heldMs > 30_000, 'nobody tried for a minute to remove the configuration');
      deepEqual(await world.configurations(home), ['dependency-controller']);
      await controllerSays(world, 'configuration left behind: it keeps refusing deletes until it is deleted by hand', { path: home.path });
      // The way out that it names.
      (await world.kcp.admin.delete(`${home.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
      await world.allows(vpc);
    },
  },
];
