import { equal, ok } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import { GUARDS, RULES } from './rules.js';
import { takesMachine, type Scenario } from './scenario.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
// As much as one object holds, and as much as a schema with bounds admits.
const CONSENTS = 20_000;
const CONSENTS_ADMITTED = 128;
const TARGETS = 3_000;
const TARGETS_ADMITTED = 64;
const RULES_ADMITTED = 100;
// Workspaces that the rules of one name together; who writes many rules at once may have some more of them stored.
const NAMED_ADMITTED = 256;
// Longer than the pause between two looks at what guards name, 10 s.
const LOOKED_MS = 12_000;

/** S9: no work is a product of two tenants' numbers, and none holds the event loop. */
export const loads: readonly Scenario[] = [
  {
    id: 'S9.10',
    title:
      'as many consents as a guard holds and as many rules about it as there may be leave both roles alive and honest deletes answered',
    exclusive: takesMachine,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        const [guarded, author] = await Promise.all([scene.provider(alice), scene.provider(alice)]);
        const disks = { path: guarded.workspace.path, exportName: STORAGE, group: STORAGE, resource: 'disks' };

        // The first alone costs nothing: it is the two together.
        await consents(scene, alice, guarded.workspace, (n) => `root:none-${n}`);
        equal(
          await manyRules(scene, alice, author.workspace, (n) => target({ ...disks, resource: `disks${n}` }, '.spec.disk')),
          RULES_ADMITTED,
        );
        await scene.unharmedAndAlive('with consents that name nobody', LOOKED_MS);

        await consents(scene, alice, guarded.workspace, (n) => `nobody${String(n).padStart(8, '0')}`);
        await scene.unharmedAndAlive('with consents that name clusters', LOOKED_MS);
        await scene.unharmedByRestarts('with consents that name clusters');

        (await alice.admin.delete(`${guarded.workspace.at}${GUARDS}/dependency-controller`)).expect(200);
        const { items = [] } = (await alice.admin.get(author.workspace.at + RULES)).expect(200).body;
        for (const { metadata } of items) (await alice.admin.delete(`${author.workspace.at}${RULES}/${metadata.name ?? ''}`)).expect(200);
        await scene.unharmedAndAlive('after all of it was deleted');
      }),
  },
  {
    id: 'S9.11',
    title: 'rules whose paths nobody can resolve, and forged statuses that name them, cost others neither time nor an answer',
    exclusive: takesMachine,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);
        const { vpcs } = scene.types;

        // About the honest provider's type, but at paths that are none: each may name that provider until it is known that it does not.
        const taken = await manyRules(scene, alice, workspace, (n) => target({ ...vpcs, path: `root:none-${n}` }, '.spec.vpcRef.name'));
        ok(taken >= NAMED_ADMITTED / TARGETS_ADMITTED, `only ${taken} rules`);
        await scene.unharmedAndAlive('with paths that name nothing', LOOKED_MS);
        await forgedEntries(scene, alice, workspace);
        await scene.unharmedAndAlive('with a guard that names each of them many times', LOOKED_MS);
        await scene.unharmedByRestarts('with a guard that names each of them many times');
      }),
  },
];

/** A guard with as many consents as it may have: one object with more is refused. */
async function consents(scene: Neighbours, by: Outsider, home: Workspace, path: (n: number) => string): Promise<void> {
  const all = Array.from({ length: CONSENTS }, (_, n) => path(n));
  equal((await scene.guardBy(by, home, { allowRulesFrom: all })).status, 422);
  ok((await scene.guardBy(by, home, { allowRulesFrom: all.slice(0, CONSENTS_ADMITTED) })).status < 300);
}

/** As many rules with as many targets as there may be: one rule with more is refused. Answers how many were taken. */
async function manyRules(scene: Neighbours, by: Outsider, home: Workspace, targetAt: (n: number) => Tree): Promise<number> {
  const all = Array.from({ length: RULES_ADMITTED * TARGETS_ADMITTED }, (_, n) => targetAt(n));
  equal((await scene.ruleBy(by, home, ruleAbout('many', DISK, all.slice(0, TARGETS)))).status, 422);
  const rules = Array.from({ length: RULES_ADMITTED }, (_, n) =>
    ruleAbout(ruleName(n), DISK, all.slice(n * TARGETS_ADMITTED, (n + 1) * TARGETS_ADMITTED)),
  );
  const answers = await Promise.all(rules.map((each) => scene.ruleBy(by, home, each)));
  return answers.filter(({ status }) => status === 201).length;
}

function ruleName(number: number): string {
  return `many-${number}`;
}

/** Has the guard of a workspace name each of its rules many times. */
async function forgedEntries(scene: Neighbours, by: Outsider, home: Workspace): Promise<void> {
  const { cluster, path } = home;
  await scene.guardBy(by, home, { allowRulesFrom: [scene.types.vpcs.path] });
  const rules = Array.from({ length: TARGETS }, (_, n) => ({
    ...{ cluster, path, rule: ruleName(n % RULES_ADMITTED), dependent: `Disk.${STORAGE}`, enforcement: 'Deny', generation: 1 },
    resource: `r${n}.${STORAGE}`,
  }));
  await scene.guardStatusBy(by, home, { ruleCount: RULES_ADMITTED, rules });
}
