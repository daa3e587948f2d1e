import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { devCommand } from '../cli/dev-command.js';
import { getIfExists } from '../kcp-objects/ensure-object.js';
import { ensureWorkspace } from '../kcp-objects/ensure-workspace.js';
import { WORKSPACES } from '../kcp-objects/types.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { DEV_CONTEXTS, DEV_PARENTS, DEV_PATHS } from './dev-paths.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const root = ({ admin }: EmbeddedWorld) => admin.cluster(DEV_CONTEXTS.get('root')!);
const against = ({ adminKubeconfig, dir }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(devCommand, ['--against', adminKubeconfig, '--once', '--dir', join(dir, 'dev'), ...flags]);

describe('dep-ctrl dev --against', () => {
  it('given a kcp, then the story is told there as its admin, and afterwards nothing of it is left', () =>
    onEmbeddedKcp(async (world) => {
      const { code, stdout, stderr } = await against(world);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('still referenced by VirtualMachine/my-vm');
      expect(stdout).toContain('everything that was made is removed again');
      expect((await listAll(root(world), WORKSPACES, {}, options())).objects).toEqual([]);
    }));

  it('given a workspace of the same name, then it is not touched', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());

      const { code, stderr } = await against(world);

      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          'error: workspace "root:dep-ctrl" exists already, and dev would delete it in the end: remove it, or give --adopt to let dev have it\n',
      });
      expect(await getIfExists(root(world), WORKSPACES, { name: 'dep-ctrl' }, options())).toBeDefined();
    }));

  it('given --adopt, then workspaces of the same names are taken over, but parents that were there stay', () =>
    onEmbeddedKcp(async (world) => {
      for (const path of [DEV_PATHS.depCtrl, ...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());

      const { code } = await against(world, '--adopt');

      expect(code).toBe(0);
      const { objects } = await listAll(root(world), WORKSPACES, {}, options());
      expect(objects.map(({ metadata }) => metadata.name).sort()).toEqual(['providers', 'teams']);
    }));

  it('given a file that is no kubeconfig, then one line says so', () =>
    onEmbeddedKcp(async (world) => {
      expect(await runCli(devCommand, ['--against', join(world.dir, 'none')])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^error: --against must be a kubeconfig that can be read, not /),
      });
    }));
});
