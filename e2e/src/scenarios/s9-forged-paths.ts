import { deepEqual } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { always, eventually } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import type { TypeToServe } from '../stage/example-types.js';
import { COMPUTE_TYPES, NETWORK_TYPES } from './cloud-types.js';
import { Neighbours, type NamedType, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import { GUARDS } from './rules.js';
import type { Scenario } from './scenario.js';

const STORAGE_DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
const SEEN_MS = 2_000;

/** S9: identity is the logical cluster; a path that an object carries is a claim of those who own it. */
export const forgedPaths: readonly Scenario[] = [
  {
    id: 'S9.1',
    title: "a provider whose workspace says that it lives at another's path, or at none, holds nothing of that one's consumers",
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { vpcs, vms } = scene.types;
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);
        // Under this rule every VPC would hold itself, if the type were the author's; under the next every VPC that a VM of anybody names.
        await scene.ruleBy(alice, workspace, ruleAbout('own-vpcs', vpcs, [target(vpcs)]));
        await scene.ruleBy(alice, workspace, ruleAbout('own-vms', vms, [target(vpcs, '.spec.vpcRef.name')]));
        await scene.unharmed('rules about types of others');

        const [teamA] = scene.teams;
        const paths = [vpcs.path, vms.path, 'NOT_A_PATH', 'root', teamA?.workspace.path ?? '', scene.own.depCtrl.path, 'root:none', ''];
        for (const path of paths) {
          await alice.claimPath(workspace, path);
          await scene.unharmed(`with the path "${path}"`, SEEN_MS);
        }
        await alice.claimPath(workspace, vpcs.path);
        await scene.unharmedByRestarts(`with the path "${vpcs.path}"`);
        await alice.claimPath(workspace, 'NOT_A_PATH');
        await scene.unharmedByRestarts('with the path "NOT_A_PATH"');
      }),
  },
  {
    id: 'S9.2',
    title: 'consent that names one path admits nobody who only says that it lives there',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { own, cloud } = scene;
        const { vpcs, vms } = scene.types;
        const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
        (await own.kcp.admin.patch('merge', guard, { spec: { allowRulesFrom: [vms.path] } })).expect(200);
        await scene.unharmed('with consent that names the honest rule');
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);
        const disks = ruleAbout('disks', STORAGE_DISK, [target(vpcs, '.spec.vpcRef.name')]);
        for (const rule of [ruleAbout('vms', vms, [target(vpcs)]), ruleAbout('vpcs', vpcs, [target(vpcs)]), disks]) {
          await scene.ruleBy(alice, workspace, rule);
        }

        await alice.claimPath(workspace, vms.path);

        await scene.unharmed('with the path that is admitted');
        // What a guard says of whom it admits is what its owner goes by.
        const onlyHonest = async (): Promise<void> => {
          const { body } = (await own.kcp.admin.get(guard)).expect(200);
          const rules = at(body, 'status', 'rules') as readonly { readonly rule: string; readonly cluster: string }[];
          deepEqual(
            rules.map(({ rule, cluster }) => [rule, cluster]),
            [['vm-dependencies', cloud.compute.workspace.cluster]],
          );
        };
        await always('the guard names the honest rule only', onlyHonest, SEEN_MS);
        await scene.unharmedByRestarts('with the path that is admitted');
        await onlyHonest();
      }),
  },
  {
    id: 'S9.3',
    title: "a provider that says that it lives at another's path gets no configuration for rules about that one",
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        // It exports the type that the honest rule names.
        const { workspace } = await scene.provider(alice, { name: STORAGE, groupName: scene.types.vpcs.group, types: NETWORK_TYPES });

        await alice.claimPath(workspace, scene.types.vpcs.path);

        await always('nothing is installed there', () => nothingInstalled(alice, workspace), SEEN_MS);
        await scene.unharmed('with the path of the guarded provider');
        await scene.unharmedByRestarts('with the path of the guarded provider');
        await always('nothing is installed there', () => nothingInstalled(alice, workspace), SEEN_MS);
        await scene.honestRuleIsReady();
        const { body } = (await scene.own.kcp.admin.get(`${scene.cloud.compute.workspace.at}${rulePath}`)).expect(200);
        const targets = at(body, 'status', 'targets') as readonly { readonly path: string; readonly state: string }[];
        deepEqual(
          targets.map(({ path, state }) => [path, state]),
          [[scene.cloud.network.workspace.path, 'Installed']],
        );
      }),
  },
  {
    // All on one shard: a shard on which the outsider's export is and the other one is not finds only that, and kcp 0.32.3 moves the bindings
    // of its consumers there. Then it calls the outsider's webhooks alone, and dep-ctrl is not asked.
    id: 'S9.4',
    title: "while an outsider's exports say that they live at others' paths nothing that is held goes, and afterwards all is as before",
    slow: true,
    run: (world) =>
      Neighbours.play(
        world,
        async (scene) => {
          const { vpcs, vms } = scene.types;
          const alice = scene.outsider();
          const forge = async (honest: NamedType, types: readonly TypeToServe[]): Promise<() => Promise<void>> => {
            const { workspace } = await scene.provider(alice, { groupName: honest.group, types, shard: 0 });
            await scene.ruleBy(alice, workspace, ruleAbout(honest.resource, honest, [target(vpcs)]));
            await alice.claimPath(workspace, honest.path);
            // kcp copies the path to an export, too, the next time that it is written; then it finds two exports under one name and fails itself.
            const exported = `${workspace.at}${APIS}/apiexports/${honest.group}`;
            (await alice.admin.patch('merge', exported, { metadata: { labels: { touched: 'yes' } } })).expect(200);
            return async () => {
              (await alice.admin.delete(exported)).expect(200);
              // The owner goes on to say so: what kcp copies now is news once more.
              for (const path of ['root:none', honest.path]) await alice.claimPath(workspace, path);
            };
          };
          const ends = [await forge(vpcs, NETWORK_TYPES), await forge(vms, COMPUTE_TYPES)];

          await always('nothing goes', () => scene.nothingHeldGoes(), SEEN_MS);
          for (const role of [scene.own.product.webhook, scene.own.product.controller]) {
            await role.kill();
            await role.start();
            await always(`nothing goes after the ${role.name} started again`, () => scene.nothingHeldGoes(), SEEN_MS);
          }
          for (const end of ends) await end();

          await eventually('all is as before', () => scene.answered());
          await scene.unharmed('after the exports of the same names were deleted');
        },
        { cloud: (own) => own.cloud({ shard: 0 }), teams: [0, 0] },
      ),
  },
];

const rulePath = '/apis/dependencies.opendefense.cloud/v1alpha1/dependencyrules/vm-dependencies';

async function nothingInstalled(alice: Outsider, workspace: Workspace): Promise<void> {
  const path = `${workspace.at}/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations`;
  const { items = [] } = (await alice.admin.get(path)).expect(200).body;
  deepEqual(
    items.map(({ metadata }) => metadata.name),
    [],
  );
}
