import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { ensureObject, patiently, until } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies, VPCS } from '../dev/provider-manifests.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { readInstallation } from '../uninstall/find-removals.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });

/** A VPC that a virtual machine refers to, and the rule about it; the network provider has left dep-ctrl, and the rule's status says so. */
async function afterTheProviderLeft({ admin, adminKubeconfig }: EmbeddedWorld): Promise<void> {
  const { depCtrl, network, compute } = DEV_PATHS;
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  await makeReferringMachine(admin);
  await bindDepCtrl(admin.cluster(compute), { path: depCtrl, name: EXPORT_NAME }, options());
  const rule = await admin.cluster(compute).create(RULES, vmDependencies(network), options());
  const left = { type: 'Ready', status: 'False', reason: 'NotBound', message: 'it has left', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await admin.cluster(compute).replaceStatus(RULES, { ...rule, status: { conditions: [left] } }, options());
  await until(
    'the endpoint of the export',
    async (each) => {
      const { endpoints } = await readInstallation(admin.cluster(depCtrl), each);
      return endpoints.length > 0 ? { done: true } : { waitingFor: 'nobody is said to have bound it' };
    },
    options(),
  );
}

/** A VPC that a virtual machine refers to, and the rule about it, which no controller has seen: no role was ever started. */
async function beforeTheRolesStart({ admin, adminKubeconfig }: EmbeddedWorld): Promise<void> {
  const { depCtrl, network, compute } = DEV_PATHS;
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  await makeReferringMachine(admin);
  for (const path of [network, compute]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
  await patiently('the rule', () => ensureObject(admin.cluster(compute), RULES, vmDependencies(network), options()), options());
}

/** The kubeconfig of somebody who is an admin there and nowhere else. */
async function adminOf({ kcp, admin, dir }: EmbeddedWorld, places: readonly WorkspacePath[]): Promise<string> {
  const group = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'eve' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', apiGroup: group, name: 'eve' }],
  };
  for (const path of places)
    await admin.cluster(path).create({ group, version: 'v1', resource: 'clusterrolebindings' }, binding, options());
  const file = join(dir, 'eve.kubeconfig');
  await writeFile(file, kcp.kubeconfig({ user: 'eve' }));
  return file;
}

describe('a rule that no controller has seen', () => {
  it('given an object that is referred to, then explain says that a delete goes through and why, and it goes through', () =>
    onEmbeddedKcp(async (world) => {
      await beforeTheRolesStart(world);
      const { teamA, compute } = DEV_PATHS;
      const where = ['--kubeconfig', world.adminKubeconfig, '--workspace', teamA];

      const one = await runCli(explainCommand, ['vpcs/my-vpc', ...where]);
      const whole = await runCli(explainCommand, where);
      const deleted = await world.admin
        .cluster(teamA)
        .delete(VPCS, { name: 'my-vpc', namespace: 'default' }, options())
        .then(() => 'through', String);

      expect(deleted).toBe('through');
      expect(one).toEqual({
        code: 0,
        stdout: [
          `vpcs/my-vpc in ${teamA}, namespace default: a delete would go through (it is referred to, and kcp does not ask dep-ctrl: no configuration is installed for the rule)`,
          `  rule ${compute}/vm-dependencies (Deny): VirtualMachine/default/my-vm .spec.vpcRef.name`,
          `  but rule ${compute}/vm-dependencies has no status: no controller has looked at it`,
          '',
        ].join('\n'),
        stderr: '',
      });
      expect(whole).toEqual({ code: 0, stdout: `${teamA} is not being deleted, and nothing would hold it\n`, stderr: '' });
    }));

  it('given somebody who may not read whether there is a configuration, then explain says what dep-ctrl would answer and that kcp may not ask', () =>
    onEmbeddedKcp(async (world) => {
      await beforeTheRolesStart(world);
      const { depCtrl, teamA } = DEV_PATHS;
      const file = await adminOf(world, [depCtrl, teamA]);

      const { code, stdout } = await runCli(explainCommand, ['vpcs/my-vpc', '--kubeconfig', file, '--workspace', teamA]);

      expect(code).toBe(0);
      expect(stdout).toContain('a delete would be refused');
      expect(stdout).toMatch(/^ {2}but rule \S+\/vm-dependencies has no status: no controller has looked at it$/m);
      expect(stdout).toContain('to see that of kcp, run: kubectl ');
    }));
});

describe('a provider that has left dep-ctrl', () => {
  it('given an object of it that is referred to, then explain says that a delete goes through, and that it holds no teardown', () =>
    onEmbeddedKcp(async (world) => {
      await afterTheProviderLeft(world);
      const where = ['--kubeconfig', world.adminKubeconfig, '--workspace', DEV_PATHS.teamA];

      const one = await runCli(explainCommand, ['vpcs/my-vpc', ...where]);
      const whole = await runCli(explainCommand, where);

      expect(one).toMatchObject({ code: 0, stderr: '' });
      expect(one.stdout).toBe(
        [
          `vpcs/my-vpc in ${DEV_PATHS.teamA}, namespace default: a delete would go through (it is referred to, and kcp does not ask dep-ctrl: no configuration is installed for the rule)`,
          `  rule ${DEV_PATHS.compute}/vm-dependencies (Deny): VirtualMachine/default/my-vm .spec.vpcRef.name`,
          `  but rule ${DEV_PATHS.compute}/vm-dependencies is not ready (NotBound): it has left`,
          '',
        ].join('\n'),
      );
      expect(whole).toEqual({ code: 0, stdout: `${DEV_PATHS.teamA} is not being deleted, and nothing would hold it\n`, stderr: '' });
    }));
});
