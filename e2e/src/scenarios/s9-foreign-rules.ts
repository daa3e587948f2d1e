import { match, ok } from 'node:assert/strict';
import { literal } from '../faults/fault.js';
import type { Break } from '../faults/fault-proxy.js';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { bind, type Export } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import { network } from './cloud-types.js';
import { Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
const ROUNDS = 5;

/** S9: a rule reaches only consumers that bound the dependent's type from the rule's own cluster. */
export const foreignRules: readonly Scenario[] = [
  {
    id: 'S9.16',
    title: 'rules of a provider that a consumer has not bound cost it no answer, no read of an object, and one of its bindings at most',
    slow: true,
    run: (world) =>
      Neighbours.play(
        world,
        async (scene) => {
          const { vpcs, vms } = scene.types;
          const alice = scene.outsider();
          const storage = await scene.provider(alice);
          const before = await readsOfADelete(scene);

          const none = { exportName: 'none.example.com', group: 'none.example.com', resource: 'nones', kind: 'None' };
          const paths = [vpcs.path, 'root:none', scene.cloud.network.workspace.cluster, storage.workspace.path, 'nobody0000000000', 'root'];
          const rules = [vpcs, vms, DISK, none].flatMap((dependent) =>
            paths.flatMap((path) =>
              ['.metadata.name', '.spec.vpcRef.name'].map((field) => ({ dependent, targets: [target({ ...vpcs, path }, field)] })),
            ),
          );
          for (const [n, { dependent, targets }] of rules.entries()) {
            const { spec, ...rest } = ruleAbout(`foreign-${n}`, dependent, targets);
            const enforcement = (['Deny', 'Warn', 'Audit'] as const)[n % 3];
            await scene.ruleBy(alice, storage.workspace, { ...rest, spec: { ...(spec as Tree), enforcement } });
          }
          await scene.ruleBy(alice, storage.workspace, ruleAbout('in-force', DISK, [target(vpcs, '.spec.vpc')]));
          await holdsAtItsOwn(scene, alice, storage);

          await scene.unharmed('with rules about everything');
          // Whether a type is bound is told by the bindings: they may be listed instead of got by name, for all rules at once.
          for (const { objects, bindings } of await readsOfADelete(scene)) {
            const most = {
              objects: Math.max(...before.map((each) => each.objects)),
              bindings: 1 + Math.max(...before.map((each) => each.bindings)),
            };
            ok(objects <= most.objects, `${objects} reads of objects, before ${most.objects}`);
            ok(bindings <= most.bindings, `${bindings} reads of bindings, before ${most.bindings - 1}`);
          }
          await scene.unharmedByRestarts('with rules about everything');
        },
        { install: { breakable: true } },
      ),
  },
];

/** In a consumer that did bind that provider its rules count: those of others see the same rules. */
async function holdsAtItsOwn(scene: Neighbours, by: Outsider, storage: Export): Promise<void> {
  await scene.openTo(scene.cloud.network);
  const workspace = await by.workspace();
  for (const each of [storage, scene.cloud.network]) await bind(by, workspace, each);
  const { vpcs } = tenantOf(workspace, 'default');
  const disks = `${workspace.at}/apis/${STORAGE}/v1/namespaces/default/disks`;
  const disk = { apiVersion: `${STORAGE}/v1`, kind: 'Disk', metadata: { name: 'd' }, spec: { vpc: 'held' } };
  await eventually('its types are served', async () => {
    (await by.admin.get(disks)).expect(200);
    (await by.admin.get(vpcs)).expect(200);
  });
  (await by.admin.post(vpcs, network('VPC', 'held'))).expect(201);
  (await by.admin.post(disks, disk)).expect(201);
  await eventually('its rule is in force', async () => {
    match((await by.admin.delete(`${vpcs}/held?dryRun=All`)).expect(403).text, /still referenced by Disk\/d/);
  });
}

/** Requests for objects, and for the bindings, in a consumer's workspace. */
interface Reads {
  readonly objects: number;
  readonly bindings: number;
}

/** What each of some deletes of what is free reads in the consumer. */
async function readsOfADelete({ own, teams }: Neighbours): Promise<readonly Reads[]> {
  const [team] = teams;
  if (team === undefined) throw new Error('there is no team');
  const { admin } = own.kcp;
  const home = `^${literal(team.workspace.at)}/apis`;
  const counted = (path: string): Promise<Break> =>
    own.product.faults.breakWhere({ method: /^GET$/, path: new RegExp(home + path) }, { kind: 'delay', ms: 0 });
  const reads: Reads[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const free = own.kcp.unique('free');
    await own.create(team.vpcs, network('VPC', free));
    const [objects, bindings] = await Promise.all([counted('/(?!apis\\.kcp\\.io/)'), counted('/apis\\.kcp\\.io/')]);
    (await admin.delete(`${team.vpcs}/${free}`)).expect(200);
    reads.push({ objects: await objects.hits(), bindings: await bindings.hits() });
    await Promise.all([objects.mend(), bindings.mend()]);
  }
  ok(
    reads.some(({ bindings }) => bindings > 0),
    'no read was counted',
  );
  return reads;
}
