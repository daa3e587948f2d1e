// The workspace of dep-ctrl was deleted before `uninstall`: nothing of its export is left to look through.
import { describe, expect, it } from '@jest/globals';
import { listAll } from '@dep-ctrl/kcp-client';
import { clusterOf, splitWorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS, ensureWorkspace, getIfExists, removeWorkspace, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { connectShard } from '../command-line/connect.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { connectTo, onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { unbindExport } from '@dep-ctrl/exported-types';
import { left, leftBehind, options, depCtrlExport, ruleInForce } from './spec-support/left-behind.js';
import { sweepBound, wasBoundTo } from './sweep-bound.js';

/** Guards and a rule of an installation whose workspace is deleted. */
async function homeless(world: EmbeddedWorld) {
  const found = await leftBehind(world);
  await ruleInForce(found.compute);
  await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
  return found;
}

const shardAdmin = ({ adminKubeconfig }: EmbeddedWorld) => ['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig];

describe('dep-ctrl uninstall, given that the workspace of dep-ctrl is gone', () => {
  it('given guards that no virtual workspace shows any more, then they are released and rules are marked, and providers can unbind', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute, owner } = await homeless(world);

      const { code, stdout } = await runCli(uninstallCommand, [...shardAdmin(world), '--workspace', owner, '--yes']);

      expect(code).toBe(0);
      expect(stdout).toMatch(/^root:providers:network \(.+\): guard removed$/m);
      expect(stdout).toMatch(/^root:providers:compute \(.+\): provider's guard released$/m);
      expect(stdout).toMatch(/^root:providers:compute \(.+\): rule vms marked as Uninstalled$/m);
      expect(stdout).toContain(`no configuration and no guard of the installation "${owner}" is left\n`);
      expect(stdout).toContain(`clusters/${DEV_PATHS.network} delete apibinding `);
      expect(await getIfExists(network, GUARDS, { name: GUARD_NAME }, options())).toBeUndefined();
      expect(await left(compute, GUARDS)).toEqual([]);
      expect(await getIfExists(compute, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
      const { status } = await compute.get(RULES, { name: 'vms' }, options());
      expect(status).toMatchObject({
        conditions: [{ reason: 'Uninstalled' }, { type: 'InForce', status: 'False', reason: 'Uninstalled' }],
      });
      await unbindExport(network, depCtrlExport, options());
    }));

  it('given the logical cluster of another installation, then its guards are not ours to release', () =>
    onEmbeddedKcp(async (world) => {
      const { network, owner } = await homeless(world);

      const { code, stdout } = await runCli(uninstallCommand, [...shardAdmin(world), '--workspace', 'nobody', '--yes']);

      const [said, stays, end] = stdout.split('\n');
      expect({ code, said, end }).toEqual({ code: 0, said: 'no configuration and no guard of the installation "nobody" is left', end: '' });
      expect(stays).toMatch(
        new RegExp(
          `^stays: the configurations in root:providers:compute, root:providers:network are of another installation, "${owner}": if that is gone: dep-ctrl uninstall --workspace ${owner} `,
        ),
      );
      expect(await left(network, GUARDS)).toEqual([GUARD_FINALIZER]);
    }));

  it('given two shards and the kubeconfig of one, then the other is named and nothing is said to be gone; given both, everything is', () =>
    onEmbeddedKcp(
      async (world) => {
        const [rootShard, otherShard] = world.kcp.shards.map(({ name }) => name);
        for (const path of DEV_PARENTS) await ensureWorkspace(world.admin, path, options());
        await ensureWorkspace(world.admin, DEV_PATHS.network, { ...options(), shard: otherShard ?? '' });
        await ensureWorkspace(world.admin, DEV_PATHS.compute, { ...options(), shard: rootShard ?? '' });
        const { network, compute, owner } = await homeless(world);
        const files = await shardKubeconfigs(world);
        const uninstall = (given: readonly string[]) => {
          const flags = given.flatMap((file) => ['--shard-kubeconfig', file]);
          return runCli(uninstallCommand, ['--kubeconfig', world.adminKubeconfig, ...flags, '--workspace', owner, '--yes']);
        };

        const half = await uninstall(files.slice(0, 1));
        const halfLeft = await Promise.all([network, compute].map((client) => left(client, GUARDS)));
        const whole = await uninstall(files);

        expect(half.code).toBe(1);
        expect(half.stdout).toContain(`cannot look at shard "${otherShard ?? ''}" at https://`);
        expect(half.stdout).toContain(': no --shard-kubeconfig leads there; give one of its admin too\n');
        expect(half.stdout).toMatch(/^root:providers:compute \(.+\): configuration removed$/m);
        expect(half.stdout).toMatch(/rule vms not marked as Uninstalled: it may be in force while something else is left$/m);
        expect(half.stdout).not.toContain('no configuration and no guard');
        expect(halfLeft).toEqual([[GUARD_FINALIZER], []]);
        expect(whole.code).toBe(0);
        expect(whole.stdout).toContain(`no configuration and no guard of the installation "${owner}" is left\n`);
        expect(await getIfExists(network, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options())).toBeUndefined();
        expect(await getIfExists(network, GUARDS, { name: GUARD_NAME }, options())).toBeUndefined();
        await removeWorkspace(world.admin, DEV_PATHS.network, options());
      },
      { shards: 2 },
    ));

  it('given a provider workspace that is being deleted, then its guard is released, and a rule that goes with the workspace is no failure', () =>
    onEmbeddedKcp(async (world) => {
      const { owner } = await homeless(world);
      const parent = splitWorkspacePath(DEV_PATHS.compute);
      if (parent === undefined) throw new Error(`${DEV_PATHS.compute} has no parent`);
      await world.admin.cluster(parent.parent).delete(WORKSPACES, { name: parent.name }, options());

      const { code, stdout } = await runCli(uninstallCommand, [...shardAdmin(world), '--workspace', owner, '--yes']);
      await removeWorkspace(world.admin, DEV_PATHS.compute, options());

      expect(stdout).toContain(`no configuration and no guard of the installation "${owner}" is left\n`);
      expect(code).toBe(0);
    }));

  it('given a workspace that cannot be looked into, then it is named with the command that releases its guard', () =>
    onEmbeddedKcp(async (world) => {
      const { network, compute, owner } = await homeless(world);
      const binding = (await listAll(network, API_BINDINGS, {}, options())).objects.find((each) => wasBoundTo(each, owner));
      const closed = clusterOf(binding ?? { metadata: {} });
      const stranger = connectTo(world.kcp.kubeconfig({ user: 'stranger' }));
      const { admin } = world;
      const shard = connectShard(world.adminKubeconfig);
      const connection = {
        baseUrl: admin.baseUrl,
        wildcard: () => shard.connection.wildcard(),
        cluster: (name: Parameters<typeof admin.cluster>[0]) => (closed.ok && name === closed.value ? stranger : admin).cluster(name),
      };

      const { place, problems } = await sweepBound({ connection, file: 'shard.kubeconfig' }, owner, options());

      expect(place.removals.map(({ action }) => action)).toEqual(['release-guard', 'mark-rule']);
      expect(await left(compute, GUARDS)).toEqual([GUARD_FINALIZER]);
      expect(problems).toEqual([
        expect.stringMatching(
          /^guard and rules in \w+: .*403.*; a guard there with the finalizer .* kubectl --kubeconfig shard.kubeconfig --server https?:.* patch dependencyguards\./,
        ),
      ]);
      await Promise.all([stranger, shard.connection].map((each) => each.close()));
    }));
});
