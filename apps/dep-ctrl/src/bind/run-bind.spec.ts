import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { apiVersionOf } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_FINALIZER, GUARD_NAME, GUARDS, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { API_BINDINGS, ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { bindingManifest } from '@dep-ctrl/exported-types';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });

async function bootstrapped(world: EmbeddedWorld): Promise<void> {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
  for (const path of [...DEV_PARENTS, DEV_PATHS.network, DEV_PATHS.compute]) await ensureWorkspace(world.admin, path, options());
}

describe('dep-ctrl bind', () => {
  it('given providers, then both bind with the claim accepted, and a second run changes nothing', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrapped(world);
      const bind = () => runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.network, DEV_PATHS.compute]);

      const first = await bind();
      const second = await bind();

      expect(first).toEqual({
        code: 0,
        stdout: 'root:providers:network: binding created\nroot:providers:compute: binding created\n',
        stderr: '',
      });
      expect(second.stdout).toBe('root:providers:network: binding unchanged\nroot:providers:compute: binding unchanged\n');
      const { objects } = await listAll(world.admin.cluster(DEV_PATHS.network), API_BINDINGS, {}, options());
      const binding = objects.find(({ metadata }) => metadata.name === EXPORT_NAME);
      expect(binding?.['spec']).toMatchObject({ permissionClaims: [{ ...PERMISSION_CLAIM, state: 'Accepted' }] });
    }));

  it('given a workspace that is not there before one that is, then both have their line, and the exit code is 1', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrapped(world);

      const { code, stdout, stderr } = await runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, 'root:none', DEV_PATHS.network]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: 'root:none: binding failed\nroot:providers:network: binding created\n' });
      expect(stderr).toMatch(/^error: cannot bind workspace "root:none": there is no workspace "root:none" \(PATH\): /);
    }));

  it('given a binding under another name with the claim rejected, then that one is completed', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrapped(world);
      const network = world.admin.cluster(DEV_PATHS.network);
      const claims = [{ ...PERMISSION_CLAIM, selector: { matchAll: true }, state: 'Rejected' }];
      const { spec, ...rest } = bindingManifest('mine', { export: { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, claims: [] });
      await network.create(API_BINDINGS, { ...rest, spec: { ...(spec as object), permissionClaims: claims } }, options());

      const { stdout } = await runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.network]);

      expect(stdout).toBe('root:providers:network: binding updated\n');
      expect((await network.get(API_BINDINGS, { name: 'mine' }, options()))['spec']).toMatchObject({
        permissionClaims: [{ ...PERMISSION_CLAIM, state: 'Accepted' }],
      });
    }));

  it('given a binding that is being deleted and waits for its guard, then it is not "unchanged", and it says who takes the guard back', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrapped(world);
      const bind = () => runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.network]);
      await bind();
      const network = world.admin.cluster(DEV_PATHS.network);
      const metadata = { name: GUARD_NAME, finalizers: [GUARD_FINALIZER] };
      await network.create(GUARDS, { apiVersion: apiVersionOf(GUARDS), kind: 'DependencyGuard', metadata }, options());
      await network.delete(API_BINDINGS, { name: EXPORT_NAME }, options());

      const { code, stdout, stderr } = await bind();

      expect({ code, stdout }).toEqual({ code: 1, stdout: 'root:providers:network: binding failed\n' });
      expect(stderr).toBe(
        'error: cannot bind workspace "root:providers:network": binding "dependencies.opendefense.cloud" is being deleted; it waits for the guard "dependency-controller" and its configuration: start the controller, which takes them back, or run dep-ctrl uninstall; bind again once it is gone\n',
      );
    }));

  it.each([
    { given: 'no PATH', argv: [], line: 'error: PATH is missing: give the workspaces to bind, such as root:providers:network\n' },
    { given: 'a PATH that is none', argv: ['root:'], line: 'error: PATH must be a workspace path such as "root:dep-ctrl", not "root:"\n' },
  ])('given $given, then one line says what to write', async ({ argv, line }) => {
    expect(await runCli(bindCommand, argv)).toEqual({ code: 2, stdout: '', stderr: line });
  });
});
