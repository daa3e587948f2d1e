// One group, two types, each served in a version that the other has not; the guarded one is cluster-scoped.
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, ensureObject, ensureWorkspace, patiently } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bindExport } from '@dep-ctrl/exported-types';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { installConfiguration } from './spec-support/install-configuration.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });
const { depCtrl, compute, teamA } = DEV_PATHS;
const GROUP = 'compute.example.com';
const DISKS = { group: GROUP, version: 'v1alpha1', resource: 'disks' };
const MACHINES = { group: GROUP, version: 'v1beta1', resource: 'machines' };

const schema = (resource: string, kind: string, version: string) => ({
  apiVersion: 'apis.kcp.io/v1alpha1',
  kind: 'APIResourceSchema',
  metadata: { name: `v1.${resource}.${GROUP}` },
  spec: {
    group: GROUP,
    names: { plural: resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    scope: 'Cluster',
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        schema: { type: 'object', properties: { spec: { type: 'object', properties: { disk: { type: 'string' } } } } },
      },
    ],
  },
});

/** A machine refers to a disk, and a rule says so. */
async function installed({ admin, adminKubeconfig }: EmbeddedWorld): Promise<void> {
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  for (const path of [...DEV_PARENTS, compute, teamA]) await ensureWorkspace(admin, path, options());
  const [provider, team] = [admin.cluster(compute), admin.cluster(teamA)];
  await ensureObject(provider, API_RESOURCE_SCHEMAS, schema('disks', 'Disk', 'v1alpha1'), options());
  await ensureObject(provider, API_RESOURCE_SCHEMAS, schema('machines', 'Machine', 'v1beta1'), options());
  const resources = ['disks', 'machines'].map((name) => ({ group: GROUP, name, schema: `v1.${name}.${GROUP}`, storage: { crd: {} } }));
  const apiExport = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name: GROUP }, spec: { resources } };
  await ensureObject(provider, API_EXPORTS, apiExport, options());
  await bindDepCtrl(provider, { path: depCtrl, name: EXPORT_NAME }, options());
  await bindExport(team, { export: { path: compute, name: GROUP }, claims: [] }, options());
  const dependent = { apiExportName: GROUP, group: GROUP, version: 'v1beta1', kind: 'Machine', resource: 'machines' };
  const dependency = { apiExportRef: { path: compute, name: GROUP }, ...DISKS, fieldRef: { path: '.spec.disk' } };
  const rule = {
    apiVersion: `${RULES.group}/v1alpha1`,
    kind: 'DependencyRule',
    metadata: { name: 'disks' },
    spec: { dependent, dependencies: [dependency] },
  };
  await patiently('the rule', () => ensureObject(provider, RULES, rule, options()), options());
  await installConfiguration(admin, compute, DISKS, options());
  const disk = { apiVersion: `${GROUP}/v1alpha1`, kind: 'Disk', metadata: { name: 'd1' } };
  const machine = { apiVersion: `${GROUP}/v1beta1`, kind: 'Machine', metadata: { name: 'm1' }, spec: { disk: 'd1' } };
  await patiently('the disk', () => ensureObject(team, DISKS, disk, options()), options());
  await patiently('the machine', () => ensureObject(team, MACHINES, machine, options()), options());
}

describe('a group whose preferred version lacks one of its types', () => {
  it('given a disk that a machine of the other version refers to, then explain refuses it, without a namespace, and says so of the workspace', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      const where = ['--workspace', teamA, '--kubeconfig', world.adminKubeconfig];

      const one = await runCli(explainCommand, ['disks/d1', ...where]);
      const teardown = await runCli(explainCommand, where);

      expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: '' });
      expect(one.stdout).toMatch(
        /^disks\/d1 in root:teams:team-a: a delete would be refused\n {2}cannot delete disks\/d1: still referenced by Machine\/m1/,
      );
      expect({ code: teardown.code, stderr: teardown.stderr }).toEqual({ code: 0, stderr: '' });
      expect(teardown.stdout).toMatch(/\n {2}disks\/d1: cannot delete disks\/d1: still referenced by Machine\/m1/);
    }));

  it('given a disk that is not there, then it says so without a namespace', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);

      const { code, stderr } = await runCli(explainCommand, ['disks/none', '--workspace', teamA, '--kubeconfig', world.adminKubeconfig]);

      expect({ code, stderr }).toEqual({ code: 1, stderr: `error: there is no disks.${GROUP} "none"\n` });
    }));
});
