import { deepEqual, ok } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import { literal } from '../faults/fault.js';
import type { Exclusive } from '../running/case.js';
import { always, eventually } from '../stage/eventually.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { COMPUTE, COMPUTE_TYPES, NETWORK, NETWORK_TYPES } from './cloud-types.js';
import { Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import { RULES } from './rules.js';
import type { Scenario } from './scenario.js';
import type { Cloud, World } from './world.js';

// Longer than the pause between two looks for proofs of absence, 10 s.
const LOOKED_MS = 14_000;
const MANY = 1_500;

/** S9: nothing that a tenant wrote, and no 403, proves an absence. */
export const forgedStatuses: readonly Scenario[] = [
  {
    id: 'S9.5',
    title: "statuses of guards and rules that an outsider wrote itself withdraw and hold nothing of others'",
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { own, cloud } = scene;
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);
        const { vpcs } = scene.types;
        await scene.ruleBy(
          alice,
          workspace,
          ruleAbout('disks', { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' }, [target(vpcs, '.spec.vpc')]),
        );
        const strangers = Array.from({ length: MANY }, (_, n) => entry(`nobody${String(n).padStart(8, '0')}`, `root:none-${n}`));
        const statuses: Readonly<Record<string, readonly Tree[]>> = {
          'the honest rule elsewhere': [entry(cloud.compute.workspace.cluster, workspace.path)],
          'the honest rule nowhere': [entry(cloud.compute.workspace.cluster, 'root:none')],
          'rules of the guarded provider': [entry(cloud.network.workspace.cluster, 'root')],
          'rules of nobody': strangers,
        };
        // One without a spec would not stay. It is written once: with the webhook dead no spec can be.
        await scene.guardBy(alice, workspace, { allowRulesFrom: [] });
        for (const [what, rules] of Object.entries(statuses)) {
          await forgeGuard(scene, alice, workspace, rules);
          await forgeRule(alice, workspace, cloud);
          await scene.unharmed(`while its guard names ${what}`);
          await own.product.controller.kill();
          await forgeGuard(scene, alice, workspace, rules);
          await forgeRule(alice, workspace, cloud);
          await own.product.controller.start();
          await scene.unharmed(`after a start with a guard that names ${what}`);
        }
        await own.product.webhook.kill();
        await forgeGuard(scene, alice, workspace, strangers);
        await own.product.webhook.start();
        await scene.unharmed('after the webhook started with a guard that names rules of nobody');
        await scene.honestRuleIsReady();
      }),
  },
  {
    id: 'S9.6',
    title: 'a forged status about a rule whose shard was away withdraws nothing when the shard is back and answers 403',
    needs: ['two-shards', 'restarts'],
    exclusive: (): Exclusive => 'everything',
    run: (world) =>
      Neighbours.play(
        world,
        async (scene) => {
          const alice = scene.outsider();
          const { workspace } = await scene.provider(alice, { shard: 0 });
          await scene.guardBy(alice, workspace, { allowRulesFrom: [] });
          for (const path of [workspace.path, 'root:none', undefined]) await awayAndBack(scene, alice, workspace, path);
          await scene.unharmedByRestarts('with every shard back');
        },
        { cloud: overTwoShards, teams: [0, 0], install: { breakable: true } },
      ),
  },
];

/** Takes the shard of the rule's author away, has an outsider say where that author lives now, and brings the shard back. */
async function awayAndBack(scene: Neighbours, alice: Outsider, home: Workspace, path: string | undefined): Promise<void> {
  const { own, cloud } = scene;
  const { controller } = own.product;
  const shard = own.kcp.backend.shards[cloud.compute.workspace.shard];
  if (shard === undefined) throw new Error('there is no second shard');
  await controller.kill();
  await shard.stop();
  await forgeGuard(scene, alice, home, [entry(cloud.compute.workspace.cluster, path)]);
  // What the front proxy and a shard that starts say about a workspace that they do not know yet.
  const author = new RegExp(`^/clusters/${literal(cloud.compute.workspace.cluster)}/apis/apis\\.kcp\\.io/`);
  const refusing = await own.product.faults.breakWhere({ path: author }, { kind: 'answer', status: 403 });
  await controller.start();
  const guards = async (): Promise<void> => {
    deepEqual(await own.configurations(cloud.network.workspace), ['dependency-controller']);
    await scene.nothingHeldGoes();
  };
  const what = `while the guard of an outsider says "${path ?? ''}"`;
  await always(`${what} and the shard is away`, guards, LOOKED_MS);
  // A shard that is back answers before its endpoints are listed again; here they stay away for long enough to be looked for.
  const stillAway = await own.product.faults.breakWhere(
    { server: shard.url, path: /^\/services\/apiexport\// },
    { kind: 'answer', status: 503 },
  );
  try {
    await Promise.all([shard.start(), always(`${what} and the shard comes back`, guards, LOOKED_MS)]);
    await eventually('the endpoint is looked for', async () => ok((await stillAway.hits()) > 0));
    await eventually("the author's bindings are asked for", async () => ok((await refusing.hits()) > 0));
    await guards();
  } finally {
    await Promise.all([stillAway.mend(), refusing.mend()]);
  }
  await always(`${what} and the shard is back`, guards, LOOKED_MS / 2);
  await eventually('everything is answered again', () => scene.answered());
}

/** The rule's author on the second shard, what it guards on the first. */
async function overTwoShards(own: World): Promise<Cloud> {
  const [net, comp] = await Promise.all([own.kcp.workspace({ shard: 0 }), own.kcp.workspace({ shard: 1 })]);
  return {
    network: await own.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: net }),
    compute: await own.provider({ name: COMPUTE, group: COMPUTE, types: COMPUTE_TYPES, workspace: comp }),
  };
}

/** What a guard's status says of a rule. */
function entry(cluster: string, path: string | undefined): Tree {
  const rule = { rule: 'vm-dependencies', dependent: `VM.${COMPUTE}`, resource: `disks.${STORAGE}`, enforcement: 'Deny', generation: 1 };
  return { cluster, ...(path === undefined ? {} : { path }), ...rule };
}

/** The status that its guard is to have. */
async function forgeGuard(scene: Neighbours, by: Outsider, home: Workspace, rules: readonly Tree[]): Promise<void> {
  await scene.guardStatusBy(by, home, { ruleCount: rules.length, rules });
}

/** Has a rule say that it is in force in the honest provider's workspace. */
async function forgeRule(by: Outsider, { at: home }: Workspace, { network: { workspace } }: Cloud): Promise<void> {
  const targets = [{ path: workspace.path, cluster: workspace.cluster, resource: `vpcs.${NETWORK}`, state: 'Installed' }];
  await eventually('the status is written', async () => {
    (await by.admin.patch('merge', `${home}${RULES}/disks/status`, { status: { observedGeneration: 9, targets } })).expect(200);
  });
}
