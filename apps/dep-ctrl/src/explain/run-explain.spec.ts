import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { ensureObject, patiently } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { virtualMachine, VIRTUAL_MACHINES, vmDependencies, vpc, VPCS } from '../dev/provider-manifests.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { installConfiguration } from './spec-support/install-configuration.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });

describe('a delete that goes through', () => {
  it('given an object of a guarded type that nobody refers to, then explain prints the command that asks kcp, with the kubeconfig it was given itself', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { teamA } = DEV_PATHS;
      await makeReferredVpc({ admin, adminKubeconfig });
      await ensureObject(admin.cluster(teamA), VPCS, vpc('free'), options());
      const where = ['--kubeconfig', adminKubeconfig, '--workspace', teamA];

      const free = await runCli(explainCommand, ['vpcs/free', ...where]);
      const referred = await runCli(explainCommand, ['vpcs/my-vpc', ...where]);
      const unguarded = await runCli(explainCommand, ['virtualmachines/my-vm', ...where]);

      const kubectl = `kubectl --kubeconfig ${adminKubeconfig} --server ${admin.baseUrl}/clusters/${teamA}`;
      expect(free).toEqual({
        code: 0,
        stdout: [
          `vpcs/free in ${teamA}, namespace default: a delete would go through (nothing refers to it)`,
          `  this is the answer of dep-ctrl; to see that of kcp, run: ${kubectl} delete vpcs.network.example.com free -n default --dry-run=server`,
          '',
        ].join('\n'),
        stderr: '',
      });
      expect(referred.stdout).toContain('a delete would be refused');
      expect(unguarded.stdout).toContain('no rule guards its type');
      expect(referred.stdout + unguarded.stdout).not.toContain('--dry-run');
    }));

  it('given more machines than a refusal names, then explain names ten and says that there may be more, and with --all each of them', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { teamA } = DEV_PATHS;
      await makeReferredVpc({ admin, adminKubeconfig });
      const names = Array.from({ length: 40 }, (_, at) => `vm-${String(at)}`);
      for (const name of names) await ensureObject(admin.cluster(teamA), VIRTUAL_MACHINES, virtualMachine(name, 'my-vpc'), options());
      const asked = ['vpcs/my-vpc', '--kubeconfig', adminKubeconfig, '--workspace', teamA];

      const some = await runCli(explainCommand, asked);
      const all = await runCli(explainCommand, [...asked, '--all']);

      const namedIn = ({ stdout }: { readonly stdout: string }): number =>
        stdout.match(/^ {2}rule .*VirtualMachine\/default\/(?:my-)?vm/gm)?.length ?? 0;
      expect([namedIn(some), namedIn(all)]).toEqual([10, names.length + 1]);
      expect(some.stdout).toContain(' and possibly more, says rule ');
    }));
});

/** A VPC to which a virtual machine refers, the rule that guards it, and the configuration. No role runs. */
async function makeReferredVpc({ admin, adminKubeconfig }: Pick<EmbeddedWorld, 'admin' | 'adminKubeconfig'>): Promise<void> {
  const { depCtrl, network, compute } = DEV_PATHS;
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  await makeReferringMachine(admin);
  for (const path of [network, compute]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
  const rule = () => ensureObject(admin.cluster(compute), RULES, vmDependencies(network), options());
  await patiently('the rule', rule, options());
  await installConfiguration(admin, network, VPCS, options());
}
