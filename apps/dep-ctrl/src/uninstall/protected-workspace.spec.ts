import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { WORKSPACES, getIfExists } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { statusCommand } from '../commands/status-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { adminOfHome } from '../testing/admin-of-home.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { PROTECTION_PLACE, PROTECTION_TYPES } from '../own-objects/home-protection.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const root = ({ admin }: EmbeddedWorld) => admin.cluster(PROTECTION_PLACE);
const bootstrap = ({ adminKubeconfig }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, ...flags]);
const uninstall = ({ adminKubeconfig }: EmbeddedWorld) => runCli(uninstallCommand, ['--kubeconfig', adminKubeconfig, '--yes']);

const deleteHome = (world: EmbeddedWorld) => root(world).delete(WORKSPACES, { name: 'dep-ctrl' }, options());
const isProtected = async ({ adminKubeconfig }: EmbeddedWorld): Promise<unknown> => {
  const { stdout } = await runCli(statusCommand, ['--kubeconfig', adminKubeconfig, '-o', 'json']);
  return (JSON.parse(stdout) as { readonly home: { readonly protected: unknown } }).home.protected;
};

describe('bootstrap --protect-workspace', () => {
  it('given it, then kcp refuses to delete the workspace and says the way out, other workspaces go, and after uninstall this one goes too', () =>
    onEmbeddedKcp(async (world) => {
      const plain = await bootstrap(world);
      expect(plain.code).toBe(0);
      expect(await isProtected(world)).toBe('no');

      const said = await bootstrap(world, '--protect-workspace');

      expect(said.stdout.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(/^created ValidatingAdmissionPolicy dep-ctrl-workspace-\w+ in root$/),
        expect.stringMatching(/^created ValidatingAdmissionPolicyBinding dep-ctrl-workspace-\w+ in root$/),
      ]);
      expect(await isProtected(world)).toBe('yes');
      await expect(deleteHome(world)).rejects.toThrow(
        'every rule of dep-ctrl would go with it: run "dep-ctrl uninstall" for this workspace first',
      );
      const other = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'other' }, spec: {} };
      await root(world).create(WORKSPACES, other, options());
      await root(world).delete(WORKSPACES, { name: 'other' }, options());

      const gone = await uninstall(world);

      expect(gone).toMatchObject({ code: 0 });
      expect(gone.stdout).toMatch(/^root: ValidatingAdmissionPolicyBinding dep-ctrl-workspace-\w+ removed$/m);
      for (const type of Object.values(PROTECTION_TYPES)) {
        const { objects } = await listAll(root(world), type, {}, options());
        expect(objects).toEqual([]);
      }
      await deleteHome(world);
    }));

  it('given somebody who may not read policies in root, then uninstall says that it may stay, and how it goes', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--protect-workspace');

      const byAlice = await runCli(uninstallCommand, ['--kubeconfig', await adminOfHome(world), '--yes']);
      const byAdmin = await uninstall(world);

      const hidden = 'stays: the policy in root that keeps the workspace of dep-ctrl from being deleted';
      expect(byAlice).toMatchObject({ code: 0 });
      expect(byAlice.stdout).toMatch(
        new RegExp(
          `^${hidden}, if bootstrap was told to write one: these credentials may not read policies there: an admin of root: kubectl .*/clusters/root delete validatingadmissionpolicybindings,validatingadmissionpolicies dep-ctrl-workspace-\\w+ --ignore-not-found$`,
          'm',
        ),
      );
      expect(byAdmin.stdout).toMatch(/^root: ValidatingAdmissionPolicyBinding dep-ctrl-workspace-\w+ removed$/m);
      expect(byAdmin.stdout).not.toContain(hidden);
    }));

  it('given a bootstrap without it after one with it, then the protection stays; where somebody took its binding away, a bootstrap with it writes that again', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--protect-workspace');
      const again = await bootstrap(world);
      expect(again.stdout).toContain('objects, all as they should be');
      expect(await isProtected(world)).toBe('yes');
      const type = PROTECTION_TYPES.ValidatingAdmissionPolicyBinding;
      const [name = ''] = (await listAll(root(world), type, {}, options())).objects.map(({ metadata }) => metadata.name);
      await root(world).delete(type, { name }, options());

      const diff = await bootstrap(world, '--protect-workspace', '--diff');
      expect(await isProtected(world)).toBe('no');
      await bootstrap(world, '--protect-workspace');

      expect(diff).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(`^ValidatingAdmissionPolicyBinding ${name} in root would be created\n`),
      });
      expect(await getIfExists(root(world), type, { name }, options())).toBeDefined();
      expect(await isProtected(world)).toBe('yes');
    }));

  it('given --dry-run, then both objects are printed for root, and without the flag neither is', () =>
    onEmbeddedKcp(async (world) => {
      const [with_, without] = [await bootstrap(world, '--dry-run', '--protect-workspace'), await bootstrap(world, '--dry-run')];

      expect(with_.stdout).toMatch(
        /# workspace root\n---\n[^#]*kind: ValidatingAdmissionPolicy\n[^#]*kind: ValidatingAdmissionPolicyBinding\n/,
      );
      expect(without.stdout).not.toContain('ValidatingAdmissionPolicy');
    }));
});
