// Uninstalling while workspaces carry the terminator of the ordered teardown.
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { type LogicalClusterName, logicalCluster } from '@dep-ctrl/kcp-names';
import { getIfExists, LOGICAL_CLUSTERS, until, WORKSPACE_TYPES, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { connectShard } from '../command-line/connect.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_CONTEXTS, DEV_PATHS } from '../dev/dev-paths.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { adminOfHome } from '../testing/admin-of-home.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import type { UninstallResult } from './uninstall-result.js';

const options = () => ({ signal: AbortSignal.timeout(30_000), clock: systemClock, timeoutMs: 30_000 });
const root = ({ admin }: EmbeddedWorld) => admin.cluster(DEV_CONTEXTS.get('root')!);
const typeIn = ({ admin }: EmbeddedWorld) =>
  getIfExists(admin.cluster(DEV_PATHS.depCtrl), WORKSPACE_TYPES, { name: TEARDOWN_TYPE }, options());
const uninstall = ({ adminKubeconfig }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(uninstallCommand, ['--kubeconfig', adminKubeconfig, ...flags]);

/** An installation with ordered teardown; `names`: workspaces of its type below root. */
async function installed(world: EmbeddedWorld, ...names: readonly string[]): Promise<readonly LogicalClusterName[]> {
  const users = ['--controller-user', 'c', '--webhook-user', 'w'];
  const shard = ['--shard-kubeconfig', world.adminKubeconfig];
  const done = await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, ...shard, ...users, '--ordered-teardown']);
  if (done.code !== 0) throw new Error(done.stderr);
  const clusters: LogicalClusterName[] = [];
  for (const name of names) {
    const spec = { type: { name: TEARDOWN_TYPE, path: DEV_PATHS.depCtrl } };
    await root(world).create(WORKSPACES, { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec }, options());
    const ready = async (each: { readonly signal: AbortSignal }) => {
      const { spec: of, status } = await root(world).get(WORKSPACES, { name }, each);
      const { cluster } = of as { readonly cluster?: string };
      const { phase } = (status ?? {}) as { readonly phase?: string };
      return phase === 'Ready' && cluster !== undefined ? { done: cluster } : { waitingFor: phase ?? '' };
    };
    clusters.push(logicalCluster(await until(`workspace ${name}`, ready, options())));
  }
  return clusters;
}

/** A type in root that extends ours. */
async function extendedIn(world: EmbeddedWorld): Promise<void> {
  const spec = { extend: { with: [{ name: TEARDOWN_TYPE, path: DEV_PATHS.depCtrl }] } };
  const type = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: 'tenant' }, spec };
  await root(world).create(WORKSPACE_TYPES, type, options());
}

describe('dep-ctrl uninstall, with ordered teardown', () => {
  it('given workspaces that carry the terminator, then it stops, names the first few, and removes nothing', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world, 'a', 'b', 'c', 'd');

      const { code, stdout, stderr } = await uninstall(world, '--yes', '--shard-kubeconfig', world.adminKubeconfig);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^error: nothing was removed: 4 workspaces carry the terminator of dep-ctrl \(root:a, root:b, root:c and 1 more; --dry-run names all\): delete them while a controller runs, or give --leave-terminators: .*\n$/,
      );
      expect(await typeIn(world)).toBeDefined();
    }));

  it('given no shard to look at, then it stops too; given --dry-run, then it does not', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);

      const { code, stderr } = await uninstall(world, '--yes');
      const dry = await uninstall(world, '--dry-run');

      expect(code).toBe(1);
      expect(stderr).toContain(
        'nothing was removed: whether workspaces carry the terminator of dep-ctrl is not known: no shard was looked at',
      );
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('WorkspaceType dependency-ordered would be removed\n') });
      expect(dry.stdout).toMatch(/\nit would stop, and remove nothing: whether workspaces .*\n$/);
    }));

  it('given a type that extends it, then it stops; and goes on with --leave-terminators, and names the type', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      await extendedIn(world);
      const shard = ['--yes', '--shard-kubeconfig', world.adminKubeconfig];

      const stopped = await uninstall(world, ...shard);
      const done = await uninstall(world, ...shard, '--leave-terminators');

      expect(stopped).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('extends the one of the ordered teardown (tenant in root)'),
      });
      expect(done).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('stays: the WorkspaceType tenant in root, of which kcp makes no workspace'),
      });
    }));

  it('given an admin of the workspace of dep-ctrl alone, and of the shard, then the types that extend it are found as well', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      const alice = await adminOfHome(world);
      const shard = ['--kubeconfig', alice, '--shard-kubeconfig', world.adminKubeconfig, '--yes'];
      await extendedIn(world);

      const stopped = await runCli(uninstallCommand, shard);
      await root(world).delete(WORKSPACE_TYPES, { name: 'tenant' }, options());

      expect(stopped.stderr).toContain('extends the one of the ordered teardown (tenant in root)');
      expect(await runCli(uninstallCommand, shard)).toMatchObject({ code: 0 });
    }));

  it('given that no workspace carries it, then the type goes last', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);

      const { code, stdout } = await uninstall(world, '--yes', '--shard-kubeconfig', world.adminKubeconfig, '-o', 'json');

      const { removals } = JSON.parse(stdout) as UninstallResult;
      expect(code).toBe(0);
      expect(removals.length).toBeGreaterThan(1);
      expect(removals.at(-1)).toMatchObject({ action: 'delete-type', name: TEARDOWN_TYPE, state: 'done' });
      expect(await typeIn(world)).toBeUndefined();
    }));

  it('given --leave-terminators, then it goes on, says how to let each go, and what it says lets a workspace go that dies', () =>
    onEmbeddedKcp(async (world) => {
      const [cluster = logicalCluster('none')] = await installed(world, 'a');

      const { code, stdout } = await uninstall(world, '--yes', '--leave-terminators', '--shard-kubeconfig', world.adminKubeconfig);

      expect(code).toBe(0);
      expect(await typeIn(world)).toBeUndefined();
      const patch = /stays: the terminator of dep-ctrl in workspace root:a \(\w+\), which will wait for it .* --type json -p '(.*)'\n/.exec(
        stdout,
      )?.[1];
      await root(world).delete(WORKSPACES, { name: 'a' }, options());
      const { connection } = connectShard(world.adminKubeconfig);
      const body = JSON.parse(patch ?? '[]') as readonly object[];
      await connection
        .cluster(cluster)
        .patch(LOGICAL_CLUSTERS, { name: 'cluster', subresource: 'status' }, { kind: 'json', body }, options());
      await until(
        'the end of the workspace',
        async (each) =>
          (await getIfExists(root(world), WORKSPACES, { name: 'a' }, each)) === undefined ? { done: true } : { waitingFor: 'it is there' },
        options(),
      );
      await connection.close();
    }));
});
