import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME, GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });

/** A workspace that binds one export, ours, with one object of its type, and a ConfigMap. */
async function asked(world: EmbeddedWorld) {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
  for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
  const client = world.admin.cluster(DEV_PATHS.network);
  await bindDepCtrl(client, { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
  await client.create(
    GUARDS,
    { apiVersion: `${GUARDS.group}/${GUARDS.version}`, kind: 'DependencyGuard', metadata: { name: GUARD_NAME } },
    options(),
  );
  const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' } }, options());
  return (subject: string) => runCli(explainCommand, [subject, '--kubeconfig', world.adminKubeconfig, '--workspace', DEV_PATHS.network]);
}

describe('what explain takes for a type', () => {
  it('given every name that kubectl takes, then it is the type; given one that nothing has, then it says that, not that nothing guards it', () =>
    onEmbeddedKcp(async (world) => {
      const explain = await asked(world);
      const names = [
        'dependencyguards',
        'dependencyguard',
        'DependencyGuard',
        'guard',
        `guards.${GUARDS.group}`,
        `guard.v1alpha1.${GUARDS.group}`,
      ];

      for (const name of names) {
        expect(await explain(`${name}/${GUARD_NAME}`)).toEqual({
          code: 0,
          stdout: `dependencyguards/${GUARD_NAME} in ${DEV_PATHS.network}: a delete would go through (no rule guards its type)\n`,
          stderr: '',
        });
      }
      const wrong = await explain(`gard/${GUARD_NAME}`);
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`serves no type "gard": kubectl api-resources lists`) });
      expect(wrong.stderr).not.toContain('guard it');
    }));

  it('given no --workspace and a type that the workspace of the kubeconfig does not serve, then --workspace is named', () =>
    onEmbeddedKcp(async ({ adminKubeconfig }) => {
      expect(await runCli(explainCommand, ['vpcs/my-vpc', '--kubeconfig', adminKubeconfig])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/serves no type "vpcs": .*; if the object is in another workspace, give --workspace PATH\n$/),
      });
    }));

  it('given resource and name as kubectl takes them, then the text says how to write them here', async () => {
    expect(await runCli(explainCommand, ['vpcs', 'my-vpc'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('RESOURCE/NAME must be one word with a slash: vpcs/my-vpc\n'),
    });
  });

  it('given a type of kcp itself, which no rule guards, then the answer is that of an exported type which no rule guards', () =>
    onEmbeddedKcp(async (world) => {
      const explain = await asked(world);

      expect(await explain('cm/x')).toEqual({
        code: 0,
        stdout: `configmaps/x in ${DEV_PATHS.network}, namespace default: a delete would go through (no rule guards its type)\n`,
        stderr: '',
      });
    }));

  it('given an object that is not there, then it says so of its type, with the namespace where the type has one', () =>
    onEmbeddedKcp(async (world) => {
      const explain = await asked(world);

      expect((await explain('guard/nosuch')).stderr).toBe(`error: there is no dependencyguards.${GUARDS.group} "nosuch"\n`);
      expect((await explain('cm/nosuch')).stderr).toBe('error: there is no configmaps "nosuch" in namespace "default"\n');
    }));
});
