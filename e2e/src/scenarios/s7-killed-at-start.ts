import { match, ok } from 'node:assert/strict';
import { EVERY_WAY } from '../faults/every-way-to-break.js';
import type { ProxyFault, RequestMatch } from '../faults/fault.js';
import type { Answer } from '../https/answer.js';
import { eventually } from '../stage/eventually.js';
import { cutEnough, isCut, untilNoCallIsCut } from './cut-calls.js';
import { guardNames, isSettled, removeRule } from './in-force.js';
import { noneAllowed } from './none-allowed.js';
import { vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { throughProxy } from './through-proxy.js';
import type { Cloud, World } from './world.js';

/** What a controller asks kcp from its start on, by kind; each kind goes to another place, or needs another right. */
const KINDS: Readonly<Record<string, RequestMatch>> = {
  'its lease': { path: /\/leases(?:\/|$)/ },
  'the endpoints of the rules': { method: /^GET$/, path: /\/apiexportendpointslices(?:\/|$)/ },
  'the rules': { method: /^GET$/, path: /^\/services\/.*\/dependencyrules$/ },
  'the guards': { method: /^GET$/, path: /^\/services\/.*\/dependencyguards$/ },
  'the bindings': { method: /^GET$/, path: /^\/services\/.*\/apibindings$/ },
  'the configurations': { method: /^GET$/, path: /^\/services\/.*\/validatingwebhookconfigurations$/ },
  'where a path leads': { path: /\/(?:logicalclusters|workspaces)\// },
  'what a provider exports': { path: /^\/clusters\/.*\/apiexports(?:\/|$)/ },
  'a write': { method: /^(?:POST|PUT|PATCH|DELETE)$/, path: /^\/services\// },
};

// A call that hangs does so until it is mended: kinds are asked for one after the other, and each hang would take the patience of a client, 30 s.
const WAYS: Readonly<Record<string, ProxyFault>> = { ...EVERY_WAY, 'a hang': { kind: 'hold' } };

/** S7, promise 2, continued: processes that die, or hear nothing good, from their start on. */
export const killedAtStart: readonly Scenario[] = [
  {
    id: 'S7.22',
    title:
      'promise 2: a leader that is killed between any two of the calls of its start, those about its lease and about paths included, lets nothing go, and the last one ends what all began',
    slow: true,
    run: (world) =>
      throughProxy(world, { controllerFlags: ['--leader-elect=true'] }, async (own, faults) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        const { controller } = own.product;
        await controller.kill();
        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);
        const startAndKill = async (served: number, done: () => Promise<void>): Promise<boolean> => {
          await forgetLease(own);
          const cut = await faults.breakWhere({ caller: 'controller', isWatch: false }, { kind: 'hang' }, { sparing: served });
          controller.launch();
          const wasCut = await isCut(cut, done);
          await controller.kill();
          await cut.mend();
          return wasCut;
        };

        const cuts = await untilNoCallIsCut(async (served) => {
          await deletes.more(1);
          await comes(own, cloud);
          const coming = await startAndKill(served, () => isInForce(own, cloud));
          await removeRule(own, cloud, EXTRA);
          const going = await startAndKill(served, () => guardNames(own, cloud, ['vm-dependencies']));
          return coming || going;
        });
        cutEnough(own, 'S7.22', { cuts, least: 20 });

        await deletes.end();
        await forgetLease(own);
        await controller.start();
        await own.guarded(tenant);
      }),
  },
  {
    id: 'S7.23',
    title: 'promise 2: a webhook that is killed between any two of its calls, from its start to the end of a decision, lets nothing go',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own, faults) => {
        const { vpc, vm } = await own.guardedPair();
        const { webhook } = own.product;
        const answers: Answer[] = [];
        await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);

        const cuts = await untilNoCallIsCut(async (served) => {
          await webhook.kill();
          const cut = await faults.breakWhere({ caller: 'webhook', isWatch: false }, { kind: 'hang' }, { sparing: served });
          webhook.launch();
          const wasCut = await isCut(cut, async () => {
            const answer = await own.kcp.admin.delete(`${vpc}?dryRun=All`);
            answers.push(answer);
            match(answer.text, /still referenced by/);
          });
          await webhook.kill();
          await cut.mend();
          return wasCut;
        });
        cutEnough(own, 'S7.23', { cuts, least: 15 });

        noneAllowed(answers);
        await deletes.end();
        await webhook.start();
        await own.refuses(vpc);
        (await own.kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      }),
  },
  {
    id: 'S7.24',
    title:
      'promise 2: a leader whose calls of every kind break in whichever way, from its start on, lets nothing go, and does its work once they are mended',
    slow: true,
    // Most of it is waiting for the next try of a controller: two installations take half of the ways each.
    run: async (world) => {
      const ways = Object.entries(WAYS);
      const half = Math.ceil(ways.length / 2);
      await Promise.all([breakKinds(world, ways.slice(0, half)), breakKinds(world, ways.slice(half))]);
    },
  },
];

const EXTRA = 'extra';

/** Breaks every kind of call from the start of a controller on, in each of these ways, and mends one kind after the other. */
function breakKinds(world: World, ways: readonly (readonly [string, ProxyFault])[]): Promise<void> {
  return throughProxy(world, { controllerFlags: ['--leader-elect=true'] }, async (own, faults) => {
    const { cloud, tenant, vpc } = await own.guardedPair();
    const { controller } = own.product;
    await using deletes = new SteadyDeletes(own, `${vpc}?dryRun=All`);

    for (const [way, fault] of ways) {
      await controller.kill();
      await forgetLease(own);
      await comes(own, cloud);
      const kinds = await Promise.all(
        Object.entries(KINDS).map(async ([what, calls]) => {
          const broken = await faults.breakWhere({ caller: 'controller', isWatch: false, ...calls }, fault);
          return { what, broken };
        }),
      );
      controller.launch();
      await Promise.all(
        kinds.map(async ({ what, broken }) => {
          await eventually(`${way}: ${what} is asked for`, async () => ok((await broken.hits()) > 0));
          await deletes.more(2);
          await broken.mend();
        }),
      );
      await eventually(`${way}: the rule that came is in force`, () => isInForce(own, cloud));
      await removeRule(own, cloud, EXTRA);
      await eventually(`${way}: the guard names the other one`, () => guardNames(own, cloud, ['vm-dependencies']));
    }

    await deletes.end();
    await own.guarded(tenant);
  });
}

/** A second rule, which gives a controller something to do. */
async function comes(own: World, cloud: Cloud): Promise<void> {
  await own.addRule(cloud, { ...vmRule(cloud), metadata: { name: EXTRA } });
}

async function isInForce(own: World, cloud: Cloud): Promise<void> {
  await guardNames(own, cloud, ['vm-dependencies', EXTRA]);
  await isSettled(own, cloud, EXTRA);
}

/** The lease of a leader that was killed runs out after 15 s; here nobody waits for that. */
async function forgetLease(own: World): Promise<void> {
  const lease = `/clusters/${await own.homeCluster()}/apis/coordination.k8s.io/v1/namespaces/default/leases/dep-ctrl-controller`;
  ok([200, 404].includes((await own.kcp.admin.delete(lease)).status));
}
