import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writePair } from '../backends/work-dir.js';
import type { FaultProxy } from '../faults/fault-proxy.js';
import type { Answer } from '../https/answer.js';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { compute, network, refersTo } from './cloud-types.js';
import { cutEnough, untilNoCallIsCut } from './cut-calls.js';
import { checksBegin, checksEnd } from './rule-checks.js';
import { RULES, GUARDS, rule, vpcRule } from './rules.js';
import type { CommandResult } from './run-program.js';
import type { Scenario } from './scenario.js';
import { servedCertificate } from './served-certificate.js';
import { skipping } from './skip-protection.js';
import { throughProxy } from './through-proxy.js';
import type { World } from './world.js';

/** S7, promises 3, 5 and 6: nothing is refused without an explanation, and there is always a way out. */
export const waysOut: readonly Scenario[] = [
  {
    id: 'S7.13',
    title:
      'promise 3: an uninstall that kcp breaks off half way leaves nothing that refuses once it is repeated, though both roles are dead',
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const [first, second] = [await own.guardedPair(), await own.guardedPair()];
        await checksBegin(own, first.cloud);
        await own.product.stop();
        for (const { vpc } of [first, second]) equal((await world.kcp.admin.delete(vpc)).status, 500);
        const { cloud } = second;
        // A finalizer that is never removed stands for a kcp that does not finish: the guard of one provider stays.
        const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
        const { metadata } = (await world.kcp.admin.get(guard)).expect(200).body;
        const held = { metadata: { finalizers: [...(metadata.finalizers ?? []), 'example.com/held'] } };
        (await world.kcp.admin.patch('merge', guard, held)).expect(200);

        const half = await own.product.command('uninstall', '--yes', '--workspace', own.product.path);
        notEqual(half.code, 0, 'it says that it is done while a guard stays');
        // Whatever it could not do, no delete is refused any more.
        for (const each of [first, second]) {
          deepEqual(await own.configurations(each.cloud.network.workspace), [], half.stdout + half.stderr);
          await own.allows(each.vpc);
        }
        (await world.kcp.admin.patch('merge', guard, { metadata: { finalizers: null } })).expect(200);
        const again = await own.product.command('uninstall', '--yes', '--workspace', own.product.path);

        equal(again.code, 0, again.stdout + again.stderr);
        equal((await world.kcp.admin.get(guard)).status, 404);
        for (const each of [first, second]) await checksEnd(own, each.cloud);
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S7.25',
    title: 'promise 3: an uninstall that loses kcp after any of its writes, and is repeated, leaves nothing that refuses',
    slow: true,
    run: async (world) => {
      const cuts = await untilNoCallIsCut((served) => throughProxy(world, {}, (own, faults) => uninstalledTwice(own, faults, served)));
      cutEnough(world, 'S7.25', { cuts, least: 9 });
    },
  },
  {
    id: 'S7.14',
    title: 'promise 3: rules deleted while the webhook is dead leave no configuration behind',
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud, vpc } = await own.guardedPair();
        await own.product.webhook.kill();
        equal((await world.kcp.admin.delete(vpc)).status, 500);

        (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/vm-dependencies`)).expect(200);

        await eventually('nothing is left', async () => deepEqual(await own.configurations(cloud.network.workspace), []));
        await own.allows(vpc);
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S7.15',
    title: 'promise 5: every refusal is explained by explain and by a dry run, in the words of the delete',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own, proxy) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        const name = vpc.split('/').at(-1) ?? '';
        for (const vm of ['second', 'third']) await own.create(tenant.vms, compute('VM', vm, refersTo(name)));
        const explain = (run = own.product.command.bind(own.product)): ReturnType<typeof own.product.command> =>
          run(
            ...['explain', `vpcs/${name}`, '-n', tenant.namespace, '--workspace', tenant.workspace.path],
            ...['--dep-ctrl-workspace', own.product.path],
          );

        const said = await explain();
        const dry = (await own.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(403);
        const real = (await own.kcp.admin.delete(vpc)).expect(403);
        equal(dry.text, real.text);
        match(real.body.message ?? '', /VM\/second, VM\/third/);
        saysSo(said, real);

        // The same of a type that is in no namespace.
        await own.addRule(cloud, rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
        await own.create(tenant.zones, network('Zone', 'z'));
        await own.create(tenant.hosts, compute('Host', 'h', { zoneRef: { name: 'z' } }));
        await own.refuses(`${tenant.zones}/z`);
        const zone = (await own.kcp.admin.delete(`${tenant.zones}/z`)).expect(403);
        match(zone.body.message ?? '', /Host\/h/);
        const where = ['--workspace', tenant.workspace.path, '--dep-ctrl-workspace', own.product.path];
        saysSo(await own.product.command('explain', 'zones/z', ...where), zone);

        // A refusal for want of an answer says what could not be read.
        await proxy.breakWhere({ caller: 'webhook', path: /\/vms$/ }, { kind: 'answer', status: 500 });
        const unread = await proxy.breakWhere({ caller: 'command', path: /\/vms$/ }, { kind: 'answer', status: 500 });
        const doubt = await own.kcp.admin.delete(vpc);
        ok(doubt.status >= 400, doubt.text);
        equal((await own.kcp.admin.delete(`${vpc}?dryRun=All`)).text, doubt.text);
        const cause = /cannot tell whether a VM still refers to it[^;]*/.exec(doubt.body.message ?? '')?.[0];
        ok(cause !== undefined, `${doubt.text} lacks "cannot tell whether a VM still refers to it"`);
        const saidInDoubt = await explain(own.product.commandThroughProxy.bind(own.product));
        ok(saidInDoubt.stdout.includes(cause), `${saidInDoubt.stdout}${saidInDoubt.stderr}\nlacks\n${cause}`);
        // Somebody who can read less is told which right is missing.
        await unread.mend();
        await proxy.breakWhere({ caller: 'command', path: /\/vms$/ }, { kind: 'answer', status: 403 });
        const forbidden = await explain(own.product.commandThroughProxy.bind(own.product));
        match(forbidden.stdout + forbidden.stderr, /role missing: .*cannot list vms\.compute\.example\.com/);
        // Somebody who can read more than the webhook is told what refers to it.
        match((await explain()).stdout, /a delete would be refused[^]*VM\/second, VM\/third/);
      }),
  },
  {
    id: 'S7.16',
    title: 'promise 6: the annotation lets go what is referred to with both roles dead, and nothing else does',
    slow: true,
    run: (world) => letsGo(world, async (own) => own.product.stop()),
  },
  {
    id: 'S7.17',
    title: 'promise 6: the annotation lets go what is referred to while the webhook accepts calls and never answers',
    slow: true,
    run: async (world) => {
      const silent = createServer();
      await letsGo(world, async (own) => {
        await own.product.stop();
        silent.listen(own.product.webhookPort, '127.0.0.1');
        await once(silent, 'listening');
      }).finally(() => silent.close());
    },
  },
  {
    id: 'S7.18',
    title: 'promise 6: the annotation lets go what is referred to while the webhook serves a certificate that has expired',
    slow: true,
    run: (world) =>
      letsGo(
        world,
        async (own) => {
          await own.product.webhook.kill();
          writePair(own.product.tlsDir, 'tls', await own.product.authority.server({ endsInMs: -60_000 }));
          own.product.webhook.launch();
          await eventually('it is served', () => servedCertificate(own.product.webhookPort));
        },
        /expired/,
      ),
  },
];

/** Breaks an installation, shows that deletes are refused then, and that the annotation is the way out. */
async function letsGo(world: World, breakIt: (own: World) => Promise<void>, why = /failed calling webhook/): Promise<void> {
  const own = await world.second();
  try {
    const { tenant, vpc } = await own.guardedPair();
    const other = await own.pair(tenant);
    await own.refuses(other.vpc);
    await breakIt(own);
    const refused = await own.kcp.admin.delete(vpc);
    ok(refused.status >= 500, refused.text);
    match(refused.body.message ?? '', why);
    equal(at(refused.body, 'status'), 'Failure');

    (await own.kcp.admin.patch('merge', vpc, skipping())).expect(200);
    (await own.kcp.admin.delete(vpc)).expect(200);
    equal((await own.kcp.admin.get(vpc)).status, 404);

    (await own.kcp.admin.patch('merge', other.vpc, skipping('false'))).expect(200);
    const kept = await own.kcp.admin.delete(other.vpc);
    ok(kept.status >= 500, kept.text);
  } finally {
    await own.product.stop();
  }
}

/** `explain` has the sentence of the refusal. */
function saysSo({ stdout, stderr }: CommandResult, { body }: Answer): void {
  const sentence = /cannot delete [^;]+/.exec(body.message ?? '')?.[0] ?? 'no sentence';
  ok((stdout + stderr).includes(sentence), `${stdout}${stderr}\nlacks\n${sentence}`);
}

/** Has an uninstall make so many writes and lose the next one, and repeats it: nothing refuses any more. Answers whether a write was lost. */
async function uninstalledTwice(own: World, faults: FaultProxy, served: number): Promise<boolean> {
  const { product } = own;
  const { cloud, tenant, vpc, vm } = await own.guardedPair();
  // A second guard and a second configuration: those of the other provider.
  (await own.kcp.admin.post(cloud.network.workspace.at + RULES, vpcRule(cloud))).expect(201);
  const refersBack = { ...network('VPC', 'refers-back'), spec: { vm: vm.split('/').at(-1) } };
  await own.create(tenant.vpcs, refersBack);
  await own.refuses(vm);
  await checksBegin(own, cloud);
  await Promise.all([product.webhook.kill(), product.controller.kill()]);
  const uninstall = (): Promise<CommandResult> => product.commandThroughProxy('uninstall', '--yes', '--workspace', product.path);
  const writes = { caller: 'command', method: /^(?:PUT|PATCH|DELETE)$/ } as const;

  const lost = await faults.breakWhere(writes, { kind: 'reset' }, { sparing: served });
  const first = await uninstall();
  const wasCut = (await lost.hits()) > 0;
  await lost.mend();
  equal(first.code !== 0, wasCut, `it ended with ${first.code}: ${first.stdout}${first.stderr}`);
  const second = await uninstall();

  equal(second.code, 0, second.stdout + second.stderr);
  for (const { workspace } of [cloud.network, cloud.compute]) {
    deepEqual(await own.configurations(workspace), [], 'a configuration is left');
  }
  for (const object of [vpc, vm]) await own.allows(object);
  await checksEnd(own, cloud);
  return wasCut;
}
