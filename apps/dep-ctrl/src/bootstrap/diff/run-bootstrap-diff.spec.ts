import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { clusterOf } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS, removeWorkspace, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { DEV_CONTEXTS, DEV_PATHS } from '../../dev/dev-paths.js';
import { readerRoleName } from '../../shard-rights/right-names.js';
import { connectTo, onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../../testing/embedded-world.js';
import { runCli } from '../../testing/run-cli.js';
import { runBootstrapDiff } from './run-bootstrap-diff.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const RIGHTS = "the rights in system:admin of kcp's shards";
const NO_SHARD = 'no --shard-kubeconfig was given, and without it bootstrap leaves them alone; give one of each shard to compare them';
const homeOf = async ({ admin }: EmbeddedWorld) => {
  const cluster = clusterOf(await admin.cluster(DEV_PATHS.depCtrl).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options()));
  if (!cluster.ok) throw new Error(cluster.problem);
  return cluster.value;
};
const bootstrap = ({ adminKubeconfig }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig, ...flags]);

describe(runBootstrapDiff, () => {
  it('given a new kcp, then every object would be created, which is exit 1, and none is', () =>
    onEmbeddedKcp(async (world) => {
      const diff = await bootstrap(world, '--diff', '-o', 'json');
      const { objects: left } = await listAll(world.admin.cluster(DEV_CONTEXTS.get('root')!), WORKSPACES, {}, options());
      const made = await bootstrap(world, '-o', 'json');

      const { differences } = JSON.parse(diff.stdout) as { differences: readonly { kind: string; change: string }[] };
      const { objects } = JSON.parse(made.stdout) as { objects: readonly { kind: string; change: string }[] };
      const created = (some: readonly { kind: string; change: string }[]) => some.map(({ kind, change }) => `${change} ${kind}`).sort();
      expect([diff.code, diff.stderr]).toEqual([1, `error: bootstrap would change ${String(objects.length)} objects\n`]);
      expect(created(differences)).toEqual(created(objects));
      expect(left).toEqual([]);
    }));

  it('given what bootstrap made, then nothing would change, which is exit 0', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);

      expect(await bootstrap(world, '--diff')).toEqual({ code: 0, stdout: 'nothing would change\n', stderr: '' });
    }));

  it('given no kubeconfig of a shard, then what changed there is not told, and that it was not looked at is', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const admin = connectTo(world.kcp.kubeconfig(), { context: 'system:admin' });
      await admin.ownWorkspace().delete(CLUSTER_ROLES, { name: readerRoleName(await homeOf(world)) }, options());
      await admin.close();
      const withoutShard = (...flags: readonly string[]) =>
        runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, '--diff', ...flags]);

      const whole = await bootstrap(world, '--diff');
      const text = await withoutShard();
      const data = await withoutShard('-o', 'json');

      expect([whole.code, whole.stderr]).toEqual([1, 'error: bootstrap would change 1 object\n']);
      expect(text).toEqual({
        code: 0,
        stdout: `not looked at: ${RIGHTS}: ${NO_SHARD}\nnothing would change in what was looked at\n`,
        stderr: '',
      });
      expect(JSON.parse(data.stdout)).toEqual({ differences: [], notes: [], notLookedAt: [{ where: RIGHTS, why: NO_SHARD }] });
    }));

  it('given the kubeconfig of one shard of two, then the other is named', () =>
    onEmbeddedKcp(
      async (world) => {
        const [file = ''] = await shardKubeconfigs(world);
        const flags = ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', file];
        await runCli(bootstrapCommand, flags);

        const { code, stdout } = await runCli(bootstrapCommand, [...flags, '--diff']);

        expect(code).toBe(0);
        expect(stdout).toMatch(
          /^not looked at: the rights in system:admin of shard "shard-1" at https:\S+: no --shard-kubeconfig leads there; give one of its admin too\nnothing would change in what was looked at\n$/,
        );
      },
      { shards: 2 },
    ));

  it('given a right that was changed, one of somebody else, and rights that nobody uses, then each is named', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const remake = await bootstrap(world, '--diff', '-o', 'json');
      await bootstrap(world);
      const home = world.admin.cluster(DEV_PATHS.depCtrl);
      const role = await home.get(CLUSTER_ROLES, { name: 'dep-ctrl:bind' }, options());
      const [rule] = role['rules'] as readonly object[];
      await home.replace(CLUSTER_ROLES, { ...role, rules: [{ ...rule, verbs: ['bind', 'get'] }] }, options());
      const webhook = await home.get(CLUSTER_ROLES, { name: 'dep-ctrl:webhook' }, options());
      await home.replace(CLUSTER_ROLES, { ...webhook, metadata: { ...webhook.metadata, labels: {} } }, options());
      const { code, stdout, stderr } = await bootstrap(world, '--diff');

      const { differences } = JSON.parse(remake.stdout) as { differences: readonly { change: string }[] };
      expect(differences.filter(({ change }) => change === 'removed')).toHaveLength(4);
      expect([code, stderr]).toEqual([1, 'error: bootstrap would change 2 objects\n']);
      expect(stdout).toMatch(
        /^ClusterRole dep-ctrl:bind in root:dep-ctrl would be changed\n@@ .* @@\n(?: .*\n)*-.*- get\n(?: .*\n)*ClusterRole dep-ctrl:webhook in root:dep-ctrl was not made by dep-ctrl: bootstrap would end there, or take it over with --adopt\n$/,
      );
    }));

  it('given a shard or a kcp that refuses, or flags that exclude each other, then exit 2 tells that from a difference', () =>
    onEmbeddedKcp(async (world) => {
      const file = join(world.dir, 'nobody.kubeconfig');
      await writeFile(file, world.kcp.kubeconfig({ user: 'nobody' }));

      const refused = await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', file, '--diff']);
      const both = await bootstrap(world, '--diff', '--dry-run');

      expect([refused.code, refused.stdout, refused.stderr]).toEqual([
        2,
        '',
        expect.stringMatching(/^error: not compared: .* must be of an admin of the shard.*\n$/),
      ]);
      expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--diff and --dry-run exclude each other')]);
    }));
});
