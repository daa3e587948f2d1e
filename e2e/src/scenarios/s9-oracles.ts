import { equal, ok } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { version } from '../stage/example-types.js';
import { always, eventually } from '../stage/eventually.js';
import { makeExport } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import { GUARDS, RULES } from './rules.js';
import type { Scenario } from './scenario.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
const VAULT = 'vault.example.com';
// Long enough for every target to be looked up, resolved and verified.
const SETTLED_MS = 4_000;

/** Two names, of which one exists: a user without the right to look must not be able to tell which. */
interface Pair {
  readonly what: string;
  readonly there: string;
  readonly notThere: string;
}

/** S9: a status tells its author nothing that kcp would not. */
export const oracles: readonly Scenario[] = [
  {
    id: 'S9.12',
    title: 'rules and guards that name a workspace without dep-ctrl are told the same, byte by byte, whether it is there or not',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { own, teams } = scene;
        const secret = await vault(scene, { bound: false });
        const child = await own.kcp.workspace({ parent: secret.path, name: 'inner' });
        const alice = scene.outsider();
        const [home, other] = (await Promise.all([scene.provider(alice), scene.provider(alice)])).map(({ workspace }) => workspace);
        if (home === undefined || other === undefined) throw new Error('there are two');
        const team = teams[0]?.workspace ?? secret;
        const pairs: readonly Pair[] = [
          { what: 'a path', there: secret.path, notThere: own.kcp.unique('root:w') },
          { what: 'a path below', there: child.path, notThere: `${secret.path}:outer` },
          { what: 'a logical cluster', there: secret.cluster, notThere: 'q'.repeat(secret.cluster.length) },
          { what: "a consumer's path", there: team.path, notThere: own.kcp.unique('root:w') },
          { what: "a consumer's cluster", there: team.cluster, notThere: 'z'.repeat(team.cluster.length) },
        ];
        for (const [n, { there, notThere }] of pairs.entries()) {
          for (const [name, path] of Object.entries({ [`there-${n}`]: there, [`none-${n}`]: notThere })) {
            const guessed = [target({ path, exportName: VAULT, group: VAULT, resource: 'keys' }, '.spec.key')];
            await scene.ruleBy(alice, home, ruleAbout(name, DISK, guessed));
          }
        }
        const sameRules = async (): Promise<void> => {
          for (const [n, { what, there, notThere }] of pairs.entries()) {
            const [one, another]: readonly [string, string] = [
              await ruleStatus(alice, home, `there-${n}`),
              await ruleStatus(alice, home, `none-${n}`),
            ];
            equal(said(one, there), said(another, notThere), what);
            for (const { cluster } of [secret, child, team])
              ok(there === cluster || !said(one, there).includes(cluster), `${what}: ${one}`);
          }
        };
        await toldTheSame(scene, sameRules);

        for (const { what, there, notThere } of pairs) {
          await scene.guardBy(alice, home, { allowRulesFrom: [there] });
          await scene.guardBy(alice, other, { allowRulesFrom: [notThere] });
          const sameGuards = async (): Promise<void> => {
            equal(said(await guardStatus(alice, home), there), said(await guardStatus(alice, other), notThere), `the guard, ${what}`);
          };
          await eventually('both guards are told the same', sameGuards);
          await always('both guards are told the same', sameGuards, SETTLED_MS / 2);
        }
        await scene.unharmed('with rules and guards about workspaces that may be there');
      }),
  },
  {
    id: 'S9.13',
    title: 'a rule with a wrong guess about another provider is not told what that one has',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { path, cluster } = await vault(scene, { bound: true });
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);
        // Each right guess so far, and the next thing that is to be guessed wrong; of the words behind it nothing may be said.
        const right = { path, exportName: VAULT, group: VAULT, resource: 'keys' };
        const guesses: readonly { readonly name: string; readonly guess: Tree; readonly hidden: readonly string[] }[] = [
          {
            name: 'export',
            guess: target({ ...right, exportName: 'guess.org', group: 'guess.org', resource: 'guesses' }),
            hidden: [VAULT, 'keys', 'tokens', 'v7'],
          },
          { name: 'group', guess: target({ ...right, group: 'guess.org', resource: 'guesses' }), hidden: ['keys', 'tokens', 'v7'] },
          { name: 'resource', guess: target({ ...right, resource: 'guesses' }), hidden: ['keys', 'tokens', 'v7'] },
          { name: 'similar', guess: target({ ...right, resource: 'key' }), hidden: ['keys', 'tokens', 'v7'] },
          { name: 'version', guess: { ...target(right), version: 'v9' }, hidden: ['tokens', 'v7'] },
        ];
        for (const { name, guess } of guesses) await scene.ruleBy(alice, workspace, ruleAbout(name, DISK, [guess]));

        const nothingTold = async (): Promise<void> => {
          for (const { name, hidden } of guesses) {
            const text = await ruleStatus(alice, workspace, name);
            for (const word of [...hidden, cluster]) ok(!text.includes(word), `a wrong ${name} is told "${word}": ${text}`);
          }
        };
        await eventually('every rule has a status', async () => {
          for (const { name } of guesses) ok((await ruleStatus(alice, workspace, name)).includes('conditions'), name);
        });
        await always('nothing is told', nothingTold, SETTLED_MS);
        await restartedController(scene);
        await always('nothing is told after a restart', nothingTold, SETTLED_MS);
      }),
  },
];

/** A private provider of keys, bound to dep-ctrl or not. */
async function vault({ own }: Neighbours, { bound }: { readonly bound: boolean }): Promise<Workspace> {
  const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
  const types = ['keys', 'tokens'].map((plural) => {
    const kind = plural === 'keys' ? 'Key' : 'Token';
    return { plural, kind, scope: 'Namespaced' as const, versions: [version('v7', schema)] as const };
  });
  const { workspace } = await makeExport(own.kcp, { name: VAULT, group: VAULT, types });
  if (bound) await own.bindDepCtrl(workspace);
  return workspace;
}

async function toldTheSame(scene: Neighbours, check: () => Promise<void>): Promise<void> {
  await eventually('both are told the same', check);
  await always('both are told the same', check, SETTLED_MS);
  await restartedController(scene);
  await always('both are told the same after a restart', check, SETTLED_MS);
}

async function restartedController({ own }: Neighbours): Promise<void> {
  await own.product.controller.kill();
  await own.product.controller.start();
}

/** A status as it reads to those who do not know the name in it, and not when it was written. */
function said(status: string, name: string): string {
  return status.replaceAll(name, 'NAME').replaceAll(/"lastTransitionTime":"[^"]*"/g, '');
}

async function ruleStatus({ admin }: Outsider, { at: home }: Workspace, name: string): Promise<string> {
  const { body } = (await admin.get(`${home}${RULES}/${name}`)).expect(200);
  if (at(body, 'status', 'observedGeneration') === undefined) throw new Error(`nothing is said about ${name} yet`);
  return JSON.stringify(body.status);
}

async function guardStatus({ admin }: Outsider, { at: home }: Workspace): Promise<string> {
  const { body } = (await admin.get(`${home}${GUARDS}/dependency-controller`)).expect(200);
  if (at(body, 'status', 'observedGeneration') !== body.metadata.generation) throw new Error('nothing is said about the guard yet');
  return JSON.stringify({ ...(body.status as Tree), observedGeneration: 0 }).replaceAll(/"observedGeneration":\d+/g, '');
}
