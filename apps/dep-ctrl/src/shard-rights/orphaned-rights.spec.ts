import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { ensureWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { connectShard } from '../command-line/connect.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { runCli } from '../testing/run-cli.js';
import { installedRights, rightType } from './installed-rights.js';
import { findOrphans } from './orphaned-rights.js';

const options = () => ({ signal: AbortSignal.timeout(30_000), clock: systemClock });
const OTHER = pathOf('root:other');

/** Bootstraps for every shard. */
async function bootstrap(world: EmbeddedWorld, ...flags: readonly string[]) {
  const shards = (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
  return runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, ...shards, ...flags]);
}

/** An installation whose workspace is gone; answers its logical cluster. */
async function goneInstallation(world: EmbeddedWorld): Promise<string> {
  await bootstrap(world);
  const { cluster } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
  await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
  return cluster;
}

/** The installations of which rights are on the first shard, once for each right. */
async function installationsOn(world: EmbeddedWorld, work: (file: string) => Promise<unknown> = () => Promise.resolve()) {
  const [file = ''] = await shardKubeconfigs(world);
  await work(file);
  const { connection, systemAdmin } = connectShard(file);
  const rights = await installedRights(systemAdmin, options());
  await connection.close();
  return rights.map(({ installation }) => installation).sort();
}

describe(findOrphans, () => {
  it('given rights of an installation whose workspace is gone, when bootstrap runs, then it removes them and says so, and those of living ones stay', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--workspace', OTHER);
      const { cluster: living } = await ensureWorkspace(world.admin, OTHER, options());
      const gone = await goneInstallation(world);

      const again = await bootstrap(world);

      const { cluster: own } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const removed = again.stdout.split('\n').filter((line) => line.startsWith('removed '));
      expect(removed.map((line) => line.replace(/ in system:admin .*/, '')).sort()).toEqual(
        ['ClusterRole', 'ClusterRoleBinding'].flatMap((kind) =>
          ['read-dependents', 'resolve-workspaces'].map((name) => `removed ${kind} dep-ctrl:${name}:${gone}`),
        ),
      );
      expect(again.stdout).toMatch(/: \d+ objects: \d+ written, 1 was right before, 4 removed\n|: \d+ objects written, 4 removed\n/);
      expect(await installationsOn(world)).toEqual([...Array<string>(4).fill(living), ...Array<string>(4).fill(own)].sort());
      expect((await bootstrap(world)).stdout).toMatch(/: \d+ objects, all as they should be\n/);
    }));

  it('given such a name on an object that does not say it is of dep-ctrl, then it stays', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const object = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'dep-ctrl:read-dependents:gone' },
      };
      const write = async (file: string) => {
        const { connection, systemAdmin } = connectShard(file);
        await systemAdmin.create(rightType(object), object, options());
        await connection.close();
      };

      const before = await installationsOn(world, write);
      await bootstrap(world);

      expect(before).toContain('gone');
      expect(await installationsOn(world)).toEqual(before);
    }));

  it('given two shards and the kubeconfig of one, then nobody can tell what is gone: rights stay, and a note names the shard', () =>
    onEmbeddedKcp(
      async (world) => {
        const gone = await goneInstallation(world);
        const [file = ''] = await shardKubeconfigs(world);

        const { code, stdout } = await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', file]);

        expect(code).toBe(0);
        expect(stdout).toContain(
          `note: rights of the installation "${gone}" stay in system:admin, as nobody can tell whether it is gone: shard "shard-1" at `,
        );
        expect(await installationsOn(world)).toContain(gone);
      },
      { shards: 2 },
    ));

  it('given another installation whose workspace is gone, when uninstall runs, then its rights go too', () =>
    onEmbeddedKcp(async (world) => {
      await goneInstallation(world);
      await bootstrap(world, '--workspace', OTHER);
      const gone = await goneInstallation(world);
      const shards = (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
      const before = await installationsOn(world);

      const { code, stdout } = await runCli(uninstallCommand, [
        ...['--kubeconfig', world.adminKubeconfig, '--workspace', OTHER, ...shards, '--yes'],
      ]);

      expect(before).toContain(gone);
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(
          `dep-ctrl:read-dependents:${gone}, shard of ${shards[1] ?? ''}, of an installation whose workspace is gone: removed`,
        ),
      ]);
      expect(await installationsOn(world)).toEqual([]);
    }));
});
