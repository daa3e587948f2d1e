import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { ensureWorkspace, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { networkProvider } from '../dev/provider-manifests.js';
import { TEARDOWN_TYPE, teardownType } from '../teardown-type/teardown-type.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli } from '../testing/run-cli.js';
import type { DoctorResult } from './print-doctor.js';

describe('dep-ctrl doctor', () => {
  it('given a type that lost what it permits, then doctor says so, and what it says to run mends it', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock, timeoutMs: 20_000 });
      const connection = ['--kubeconfig', adminKubeconfig];
      const users = ['--controller-user', 'c', '--webhook-user', 'w'];
      await runCli(bootstrapCommand, [...connection, ...users, '--ordered-teardown']);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(admin, path, options());
      await exportType(admin.cluster(DEV_PATHS.network), networkProvider(), options());
      await runCli(bindCommand, [...connection, DEV_PATHS.network]);
      const home = admin.cluster(DEV_PATHS.depCtrl);
      const teardownFindings = async (): Promise<readonly string[]> => {
        const { stdout } = await runCli(doctorCommand, [...connection, '-o', 'json']);
        const { broken } = JSON.parse(stdout) as DoctorResult;
        return broken.filter(({ id }) => id.startsWith('teardown-')).map(({ id, says }) => `${id} ${says}`);
      };
      const whole = await teardownFindings();
      const type = await home.get(WORKSPACE_TYPES, { name: TEARDOWN_TYPE }, options());
      await home.replace(WORKSPACE_TYPES, { ...type, spec: teardownType({ kind: 'listed', types: [] })['spec'] }, options());

      const lost = await teardownFindings();
      await runCli(bootstrapCommand, [...connection, ...users]);

      expect(whole).toEqual([]);
      expect(lost).toEqual(['teardown-permissions does not permit vpcs.network.example.com']);
      expect(await teardownFindings()).toEqual([]);
    }));
});
