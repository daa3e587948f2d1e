import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { logicalCluster, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { listAll, systemClock, type Clock, type ClusterClient } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME, GUARD_FINALIZER, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS, ensureWorkspace, getIfExists } from '@dep-ctrl/kcp-objects';
import { isBindingOf, unbindExport } from '@dep-ctrl/exported-types';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { runCli } from '../testing/run-cli.js';
import { runUninstall } from './run-uninstall.js';
import { depCtrlExport, guardWith, left, leftBehind, options, ruleInForce } from './spec-support/left-behind.js';

/** Time in which a controller that still runs makes the guard again that it misses. */
const timeOfAController = (client: ClusterClient): Clock => ({
  ...systemClock,
  sleep: async () => {
    if ((await getIfExists(client, GUARDS, { name: GUARD_NAME }, options())) === undefined) {
      await client.create(GUARDS, guardWith({}), options());
    }
  },
});

/** Time that passes at once. */
const atOnce: Clock = { ...systemClock, sleep: () => Promise.resolve() };

/** Time that is over by the second look. */
function impatient(): Clock {
  let nowMs = 0;
  return { ...systemClock, sleep: () => Promise.resolve(), monotonic: () => (nowMs += 20_000) };
}

/** How a spec uninstalls. */
interface Wish {
  readonly clock: Clock;
  readonly shardKubeconfigs?: readonly string[];
  readonly isTerminal?: boolean;
  readonly output?: 'json';
  readonly dryRun?: boolean;
  readonly leave?: readonly LogicalClusterName[];
}

/** Uninstalls with `--yes`, unless it is a dry run. */
async function uninstall(
  { adminKubeconfig }: EmbeddedWorld,
  { clock, shardKubeconfigs = [], isTerminal = false, output, dryRun = false, leave = [] }: Wish,
): Promise<{ readonly failure: string | undefined; readonly stdout: string; readonly stderr: string }> {
  const printed = { stdout: '', stderr: '' };
  const settings = { kubeconfig: adminKubeconfig, context: undefined, workspace: DEV_PATHS.depCtrl, shardKubeconfigs };
  const failure = await runUninstall(
    { ...settings, yes: !dryRun, dryRun, leaveTerminators: false, leave, output },
    {
      env: {},
      stdout: { isTerminal: false, write: (text) => void (printed.stdout += text) },
      stderr: { isTerminal, write: (text) => void (printed.stderr += text) },
      signal: options().signal,
    },
    { clock },
  ).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
  return { failure, ...printed };
}

describe('dep-ctrl uninstall', () => {
  it('given --dry-run, then it lists what would go and touches nothing', () =>
    onEmbeddedKcp(async (world) => {
      const { network } = await leftBehind(world);

      const { code, stdout } = await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig, '--dry-run', '-o', 'json']);

      expect(code).toBe(0);
      const { removals } = JSON.parse(stdout) as { removals: { path: string; action: string; state: string }[] };
      expect(removals.map(({ path, action, state }) => `${path} ${action} ${state}`).sort()).toEqual([
        'root:providers:compute delete-configuration planned',
        'root:providers:compute release-guard planned',
        'root:providers:network delete-configuration planned',
        'root:providers:network delete-guard planned',
      ]);
      expect(await left(network, GUARDS)).toEqual([GUARD_FINALIZER]);
    }));

  it('given neither --yes nor --dry-run, then it refuses and says how much it would remove', () =>
    onEmbeddedKcp(async (world) => {
      await leftBehind(world);

      expect(await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'error: --yes must be given to remove 4 objects in 2 workspaces; --dry-run lists them\n',
      });
    }));

  it("given --yes, then configurations and our guards are gone, and the provider's own guard stays without our finalizer", () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute } = await leftBehind(world);

      const { code, stdout } = await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig, '--yes']);

      expect(code).toBe(0);
      expect(stdout).toContain('no configuration and no guard of dep-ctrl is left\n');
      for (const client of [network, compute]) {
        expect(await getIfExists(client, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
      }
      expect(await getIfExists(network, GUARDS, { name: GUARD_NAME }, options())).toBeUndefined();
      const kept = await compute.get(GUARDS, { name: GUARD_NAME }, options());
      expect([kept['spec'], kept.metadata.finalizers ?? []]).toEqual([{ allowRulesFrom: [] }, []]);
      expect(kept['status']).toMatchObject({ conditions: [{ type: 'Ready', status: 'False', reason: 'Uninstalled' }] });
    }));

  it('given the configuration that has rules checked, then it goes before everything else; one of somebody else stays', () =>
    onEmbeddedKcp(async (world) => {
      const { owner } = await leftBehind(world);
      const home = world.admin.cluster(DEV_PATHS.depCtrl);
      const type = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', webhooks: [] };
      const named = { name: ADMISSION_CONFIGURATION };
      const make = (label: string) =>
        home.create(WEBHOOK_CONFIGURATIONS, { ...type, metadata: { ...named, labels: { [OWNER_LABEL]: label } } }, options());
      await make(owner);

      const planned = await uninstall(world, { clock: atOnce, dryRun: true });
      const { failure, stdout } = await uninstall(world, { clock: atOnce });

      const [first] = stdout.split('\n');
      expect(failure).toBeUndefined();
      expect(planned.stdout.split('\n')[0]).toBe(`root:dep-ctrl (${owner}): admission configuration would be removed`);
      expect(first).toBe(`root:dep-ctrl (${owner}): admission configuration removed`);
      expect(await getIfExists(home, WEBHOOK_CONFIGURATIONS, named, options())).toBeUndefined();
      await make('another-installation');
      expect((await uninstall(world, { clock: atOnce, shardKubeconfigs: await shardKubeconfigs(world) })).failure).toBeUndefined();
      expect(await getIfExists(home, WEBHOOK_CONFIGURATIONS, named, options())).toBeDefined();
    }));

  it('given a rule that says it is in force, then it stays and says that nothing is held for it', () =>
    onEmbeddedKcp(async (world) => {
      const { compute } = await leftBehind(world);
      await ruleInForce(compute);

      const { failure, stdout } = await uninstall(world, { clock: atOnce });

      expect(failure).toBeUndefined();
      expect(stdout).toMatch(/^root:providers:compute \(.+\): rule vms marked as Uninstalled$/m);
      const { status } = await compute.get(RULES, { name: 'vms' }, options());
      expect(status).toMatchObject({
        targetsInstalled: '0/1',
        conditions: [{ reason: 'Uninstalled' }, { type: 'InForce', status: 'False', reason: 'Uninstalled' }],
      });
    }));

  it('given a configuration that cannot be removed, then its guard stays, which lets a controller come back for it', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute } = await leftBehind(world);
      const configuration = await network.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options());
      const metadata = { ...configuration.metadata, finalizers: ['example.com/held'] };
      await network.replace(WEBHOOK_CONFIGURATIONS, { ...configuration, metadata }, options());

      const { failure, stdout } = await uninstall(world, { clock: impatient() });

      expect(failure).toMatch(
        /^2 of 4 could not be removed or looked at; to leave what tenants keep in their own workspaces, and remove the rest: --leave \w+$/,
      );
      expect(stdout).toMatch(/^root:providers:network \(.+\): guard not removed: its configuration is left$/m);
      expect(await left(network, GUARDS)).toEqual([GUARD_FINALIZER]);
      expect(await left(compute, GUARDS)).toEqual([]);

      const again = await uninstall(world, {
        clock: impatient(),
        leave: [logicalCluster(configuration.metadata.annotations?.['kcp.io/cluster'] ?? '')],
      });

      expect(again.failure).toBeUndefined();
      expect(again.stdout).toMatch(/^root:providers:network \(.+\): configuration not removed: /m);
      expect(again.stdout).not.toContain('no configuration and no guard');
    }));

  it('given a rule that says it is in force and neither --yes nor --dry-run, then it says that the rule would be marked', () =>
    onEmbeddedKcp(async (world) => {
      const { compute } = await leftBehind(world);
      await ruleInForce(compute);

      expect((await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig])).stderr).toBe(
        'error: --yes must be given to remove 4 objects and mark 1 rule as Uninstalled in 2 workspaces; --dry-run lists them\n',
      );
    }));

  it('given a controller that still runs, then a rule is not said to be out of force', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute } = await leftBehind(world);
      await ruleInForce(compute);

      const { failure, stdout } = await uninstall(world, { clock: timeOfAController(network) });

      expect(failure).toBe('2 of 5 could not be removed or looked at');
      expect(stdout).toMatch(/rule vms not marked as Uninstalled: it may be in force while something else is left$/m);
      expect(stdout).not.toContain('stays: ');
    }));

  it('given a configuration that is found behind an endpoint and on its shard, then it is one, and has one line', () =>
    onEmbeddedKcp(async (world) => {
      await leftBehind(world);
      const flags = ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', world.adminKubeconfig];

      const unsure = await runCli(uninstallCommand, flags);
      const { code, stdout } = await runCli(uninstallCommand, [...flags, '--yes']);

      expect(unsure.stderr).toBe('error: --yes must be given to remove 4 objects in 2 workspaces; --dry-run lists them\n');
      expect(code).toBe(0);
      expect(stdout.match(/: configuration removed$/gm)).toHaveLength(2);
      expect(stdout).toMatch(/^root:providers:network \(.+\): configuration removed$/m);
    }));

  it('given what is not removed, then each is named with the command that removes it, and nothing is said to be gone that is there', () =>
    onEmbeddedKcp(async (world) => {
      await leftBehind(world);
      await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig, '--yes']);

      const { stdout } = await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig]);

      expect(stdout).not.toContain('nothing of dep-ctrl is left');
      const { baseUrl } = world.admin;
      for (const path of [DEV_PATHS.network, DEV_PATHS.compute]) {
        expect(stdout).toContain(
          `and its DependencyRules: kubectl --kubeconfig ${world.adminKubeconfig} --server ${baseUrl}/clusters/${path} delete apibinding `,
        );
      }
      expect(stdout).toContain('kubectl delete clusterrolebinding,clusterrole dep-ctrl:read-dependents:');
      expect(stdout).toContain(
        `kubectl --kubeconfig ${world.adminKubeconfig} --server ${baseUrl}/clusters/root delete workspace dep-ctrl\n`,
      );
    }));

  it("given --shard-kubeconfig, then this installation's rights on the shard go, and another's stay", () =>
    onEmbeddedKcp(async (world) => {
      const flags = ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', world.adminKubeconfig];
      await runCli(bootstrapCommand, flags);
      await runCli(bootstrapCommand, [...flags, '--workspace', 'root:other']);

      const { code, stdout } = await runCli(uninstallCommand, [...flags, '--yes']);
      const other = await runCli(uninstallCommand, [...flags, '--workspace', 'root:other', '--dry-run', '-o', 'json']);

      expect(code).toBe(0);
      expect(stdout.match(/^ClusterRole(?:Binding)? dep-ctrl:.*: removed$/gm)).toHaveLength(4);
      const { removals } = JSON.parse(other.stdout) as { removals: { action: string }[] };
      expect(removals.map(({ action }) => action)).toEqual(Array(4).fill('delete-right'));
    }));

  it('given a controller that still runs, then the rights on shards stay: kcp still asks the webhook', () =>
    onEmbeddedKcp(async (world) => {
      const { adminKubeconfig } = world;
      const { network } = await leftBehind(world);
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig]);

      const { failure, stdout } = await uninstall(world, { clock: timeOfAController(network), shardKubeconfigs: [adminKubeconfig] });

      expect(failure).toBe('5 of 8 could not be removed or looked at');
      expect(stdout).toContain('a controller has made or written it again: stop the controller first\n');
      expect(stdout.match(/^ClusterRole(?:Binding)? dep-ctrl:.*: not removed: /gm)).toHaveLength(4);
    }));

  it('given a provider that takes back its claim, then the configuration that kcp hides is named with the command, and none is said to be gone', () =>
    onEmbeddedKcp(async (world) => {
      const { network } = await leftBehind(world);
      const [binding] = (await listAll(network, API_BINDINGS, {}, options())).objects.filter((each) => isBindingOf(each, EXPORT_NAME));
      const { permissionClaims } = binding?.['spec'] as { permissionClaims: object[] };
      const spec = { ...(binding?.['spec'] as object), permissionClaims: permissionClaims.map((each) => ({ ...each, state: 'Rejected' })) };
      await network.replace(API_BINDINGS, { ...binding, metadata: binding?.metadata ?? {}, spec }, options());
      const kubeconfig = ['--kubeconfig', world.adminKubeconfig];
      const hidden = `stays: the configuration in ${DEV_PATHS.network}, if there is one: kcp hides it`;

      const { code, stdout } = await runCli(uninstallCommand, [...kubeconfig, '--yes']);
      const swept = await runCli(uninstallCommand, [...kubeconfig, '--yes', '--shard-kubeconfig', world.adminKubeconfig]);

      expect(code).toBe(0);
      expect(stdout).toContain(hidden);
      expect(stdout).toContain(`/clusters/${DEV_PATHS.network} delete validatingwebhookconfiguration ${GUARD_NAME} --ignore-not-found\n`);
      expect(stdout).not.toContain('no configuration and no guard');
      expect(swept.stdout).toContain('): configuration removed\n');
      expect(swept.stdout).not.toContain(hidden);
      expect(await getIfExists(network, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
    }));

  it('given a provider that has left, then only the sweep of its shard finds the configuration', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute } = await leftBehind(world);
      for (const client of [network, compute]) {
        const guard = await client.get(GUARDS, { name: GUARD_NAME }, options());
        await client.replace(GUARDS, { ...guard, metadata: { ...guard.metadata, finalizers: [] } }, options());
        await unbindExport(client, depCtrlExport, options());
      }

      const swept = await runCli(uninstallCommand, [
        ...['--kubeconfig', world.adminKubeconfig, '--yes', '--shard-kubeconfig', world.adminKubeconfig],
      ]);

      expect(swept).toMatchObject({ code: 0, stderr: '' });
      expect(await getIfExists(network, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
      expect(await getIfExists(compute, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
    }));

  it('given a configuration of another installation on the shard, then it stays and is named, and no more is said to be gone than is', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute } = await leftBehind(world);
      const { metadata, ...rest } = await network.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options());
      await network.replace(WEBHOOK_CONFIGURATIONS, { ...rest, metadata: { ...metadata, labels: { [OWNER_LABEL]: 'gone1' } } }, options());
      const file = world.adminKubeconfig;

      const dry = await uninstall(world, { clock: atOnce, shardKubeconfigs: [file], dryRun: true, output: 'json' });
      const { failure, stdout } = await uninstall(world, { clock: atOnce, shardKubeconfigs: [file] });

      const what = 'the configuration in root:providers:network is of another installation, "gone1"';
      const removedBy = `if that is gone: dep-ctrl uninstall --workspace gone1 --shard-kubeconfig ${file} --yes --kubeconfig ${file}`;
      expect(failure).toBeUndefined();
      expect(stdout).toContain('no configuration and no guard of this installation is left\n');
      expect(stdout).toContain(`stays: ${what}: ${removedBy}\n`);
      const { others, stays } = JSON.parse(dry.stdout) as { others: unknown; stays: unknown };
      expect(others).toEqual([{ owner: 'gone1', workspaces: ['root:providers:network'] }]);
      expect(stays).toContainEqual({ what, removedBy });
      expect(await getIfExists(network, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeDefined();
      expect(await getIfExists(compute, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
    }));

  it('given a terminal, then it tells what takes long', () =>
    onEmbeddedKcp(async (world) => {
      const { compute } = await leftBehind(world);
      await ruleInForce(compute);

      const { stderr } = await uninstall(world, { clock: atOnce, isTerminal: true });
      const again = await uninstall(world, { clock: atOnce, isTerminal: true });

      expect(stderr).toBe(
        'removing 4 objects and marking 1 rule as Uninstalled in 2 workspaces …\nlooking again whether they stay away …\n',
      );
      expect(again.stderr).toBe('');
    }));

  it.each<{ given: string; wish: Omit<Wish, 'clock'> }>([
    { given: 'no terminal', wish: {} },
    { given: 'a terminal and -o json', wish: { isTerminal: true, output: 'json' } },
    { given: 'a terminal and --dry-run', wish: { isTerminal: true, dryRun: true } },
  ])('given $given, then it tells nothing but the result', ({ wish }) =>
    onEmbeddedKcp(async (world) => {
      await leftBehind(world);

      expect((await uninstall(world, { ...wish, clock: atOnce })).stderr).toBe('');
    }),
  );

  it('given the kubeconfig of one shard of two, then the other is named as not looked at', () =>
    onEmbeddedKcp(
      async (world) => {
        await leftBehind(world);
        const [file = ''] = await shardKubeconfigs(world);
        const other = world.kcp.shards[1]?.name ?? '';

        const { code, stdout } = await runCli(uninstallCommand, [
          ...['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', file, '--yes'],
        ]);

        expect(code).toBe(0);
        expect(stdout).toMatch(
          new RegExp(`^stays: what is left on shard "${other}" at https:.* was not looked at: no --shard-kubeconfig leads there; `, 'm'),
        );
      },
      { shards: 2 },
    ));

  it("given a shard's kubeconfig of somebody who is no admin there, then it says whose it must be, and nothing to delete is proposed", () =>
    onEmbeddedKcp(async (world) => {
      await leftBehind(world);
      const stranger = join(world.dir, 'stranger.kubeconfig');
      await writeFile(stranger, world.kcp.kubeconfig({ user: 'stranger' }));
      const flags = ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', stranger];

      const { code, stdout } = await runCli(uninstallCommand, [...flags, '--yes']);

      expect(code).toBe(1);
      const problems = stdout.split('\n').filter((line) => line.startsWith('cannot look at '));
      expect(problems).toHaveLength(1);
      const [problem = ''] = problems;
      expect(problem.startsWith(`cannot look at ${stranger}: --shard-kubeconfig ${JSON.stringify(stranger)} (context `)).toBe(true);
      expect(problem).toContain(") must be of an admin of the shard, at the shard's own address: give one kubeconfig per shard");
      expect(problem).toMatch(/then run uninstall again: .*: 403 Forbidden/);
      expect(stdout).not.toContain('stays: ');
    }));

  it('given a workspace that is not there, is not the one of dep-ctrl, or is named without a shard, then it says which, and what to give instead', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, pathOf('root:team'), options());
      const line = async (workspace: string) => {
        const { code, stderr } = await runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig, '--workspace', workspace, '--yes']);
        expect(code).toBe(1);
        return stderr;
      };
      const named = `the label dependencies.opendefense.cloud/export-cluster of leftover objects says it ("kubectl --kubeconfig ${world.adminKubeconfig} --server ${world.admin.baseUrl}/clusters/PROVIDER get `;

      const [none, team, gone] = [await line('root:none'), await line('root:team'), await line('gone1')];

      expect(none).toMatch(/^error: there is no workspace "root:none" \(--workspace\): /);
      expect(team).toMatch(/^error: workspace "root:team" \(--workspace\) is not the one of dep-ctrl: /);
      for (const each of [none, team]) expect(each).toContain(named);
      expect(gone).toContain('"gone1" (--workspace) may not exist');
      expect(gone).toContain('; if it is the logical cluster of a workspace of dep-ctrl that is gone, give --shard-kubeconfig too');
      expect(`${none}${team}${gone}`).not.toContain('bootstrap');
    }));
});
