import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { removeWorkspace, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { DEV_CONTEXTS, DEV_PATHS } from '../../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../../testing/embedded-world.js';
import { runCli } from '../../testing/run-cli.js';
import { runBootstrapDiff } from './run-bootstrap-diff.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
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
