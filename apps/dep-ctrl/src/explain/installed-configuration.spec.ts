import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VPCS } from '../dev/provider-manifests.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { installConfiguration } from './spec-support/install-configuration.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });

describe('dep-ctrl explain right after dep-ctrl was made anew, before its providers are bound', () => {
  it('given a configuration of the installation before, then explain does not promise that a delete goes through, and names the command that asks kcp', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { network, teamA } = DEV_PATHS;
      await makeReferringMachine(admin);
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      const asked = ['--kubeconfig', adminKubeconfig, '--workspace', teamA];
      const without = await runCli(explainCommand, ['vpcs/my-vpc', ...asked]);
      await installConfiguration(admin, network, VPCS, options());

      const guarded = await runCli(explainCommand, ['vpcs/my-vpc', ...asked]);
      const other = await runCli(explainCommand, ['virtualmachines/my-vm', ...asked]);

      expect(guarded.stdout).toContain('warning: kcp still asks dep-ctrl about its type, because a configuration is installed');
      expect(guarded.stdout).toContain(`/clusters/${teamA} delete vpcs.network.example.com my-vpc -n default --dry-run=server`);
      expect(without.stdout + other.stdout).not.toContain('warning');
    }));
});
