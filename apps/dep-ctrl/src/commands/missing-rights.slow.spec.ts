// Ordinary people run the commands, and are told at once what is refused and which role to ask for. kcp refuses a request without the right in the words that
// it has for what it does not know yet, and that is waited for: each run here ends sooner than any such wait.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { Command } from '@dep-ctrl/command-settings';
import { apiVersionOf, type GroupVersionResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies } from '../dev/provider-manifests.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli, type CliRun } from '../testing/run-cli.js';
import { backupCommand } from './backup-commands.js';
import { bindCommand } from './bind-command.js';
import { bootstrapCommand } from './bootstrap-command.js';
import { doctorCommand } from './doctor-command.js';
import { deleteNamespaceCommand } from './delete-namespace-command.js';
import { explainCommand } from './explain-command.js';
import { graphCommand } from './graph-command.js';
import { statusCommand } from './status-command.js';
import { uninstallCommand } from './uninstall-command.js';

// Half of the shortest wait there is for something that kcp may not know yet, and many times what the answer takes.
const ENDS_WITHIN_MS = 7_500;

const { depCtrl, network, compute, teamA, teamB } = DEV_PATHS;
const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });
const RBAC = 'rbac.authorization.k8s.io';
const CLUSTER_ROLE_BINDINGS: GroupVersionResource = { group: RBAC, version: 'v1', resource: 'clusterrolebindings' };

/** A user who has a ClusterRole in each of these workspaces, and nothing else. */
type Grants = Readonly<Partial<Record<WorkspacePath, string>>>;

async function kubeconfigOf({ kcp, admin, dir }: EmbeddedWorld, name: string, grants: Grants): Promise<string> {
  for (const [path, role] of Object.entries(grants) as [WorkspacePath, string][]) {
    const binding = {
      apiVersion: apiVersionOf(CLUSTER_ROLE_BINDINGS),
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', apiGroup: RBAC, name }],
    };
    await admin.cluster(path).create(CLUSTER_ROLE_BINDINGS, binding, options());
  }
  const file = join(dir, `${name}.kubeconfig`);
  await writeFile(file, kcp.kubeconfig({ user: name, groups: ['system:authenticated'] }));
  return file;
}

/** dep-ctrl with a rule, and a team whose machine refers to its VPC. */
async function installed(world: EmbeddedWorld): Promise<void> {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
  await makeReferringMachine(world.admin);
  await ensureWorkspace(world.admin, teamB, options());
  for (const path of [network, compute]) await bindDepCtrl(world.admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
  await world.admin.cluster(compute).create(RULES, vmDependencies(network), options());
}

async function runAs(world: EmbeddedWorld, grants: Grants, command: Command, argv: readonly string[]): Promise<CliRun> {
  const kubeconfig = await kubeconfigOf(world, 'alice', grants);
  return runCli(command, ['--kubeconfig', kubeconfig, ...argv], { signal: AbortSignal.timeout(ENDS_WITHIN_MS) });
}

const asAdmin = (path: WorkspacePath): Grants => ({ [path]: 'cluster-admin' });

describe('somebody who lacks a right', () => {
  it.each<{ given: string; grants: Grants; command: Command; argv: readonly string[]; says: string; role: string; path: string }>([
    {
      given: 'a consumer with its own workspace who asks explain',
      grants: asAdmin(teamA),
      command: explainCommand,
      argv: ['vpcs/my-vpc', '--workspace', teamA],
      says: 'these credentials may not read the rules there',
      ...{ role: 'dep-ctrl:webhook', path: depCtrl },
    },
    {
      given: 'a consumer who asks what the teardown of its workspace waits for',
      grants: asAdmin(teamA),
      command: explainCommand,
      argv: ['--workspace', teamA],
      says: 'these credentials may not read the rules there',
      ...{ role: 'dep-ctrl:webhook', path: depCtrl },
    },
    {
      given: 'somebody who may enter the workspace that explain is asked about, and no more',
      grants: { [teamA]: 'system:kcp:workspace:access' },
      command: explainCommand,
      argv: ['vpcs/my-vpc', '--workspace', teamA],
      says: 'cannot list apibindings.apis.kcp.io in "root:teams:team-a"',
      ...{ role: 'cluster-admin', path: teamA },
    },
    {
      given: 'somebody who may enter the workspace of dep-ctrl, and no more,',
      grants: { ...asAdmin(teamA), [depCtrl]: 'system:kcp:workspace:access' },
      command: explainCommand,
      argv: ['vpcs/my-vpc', '--workspace', teamA],
      says: 'these credentials may not read the rules there',
      ...{ role: 'dep-ctrl:webhook', path: depCtrl },
    },
    {
      given: 'somebody who may enter the workspace of the namespace to delete, and no more',
      grants: { [teamA]: 'system:kcp:workspace:access' },
      command: deleteNamespaceCommand,
      argv: ['default', '--ordered', '--workspace', teamA],
      says: 'cannot get namespaces',
      ...{ role: 'cluster-admin', path: teamA },
    },
    {
      given: 'a provider who is not an admin of its workspace and binds',
      grants: { [teamB]: 'system:kcp:workspace:access' },
      command: bindCommand,
      argv: [teamB],
      says: 'cannot list apibindings.apis.kcp.io in "root:teams:team-b"',
      ...{ role: 'cluster-admin', path: teamB },
    },
    {
      given: 'a provider who may read its workspace, and binds',
      grants: { [teamB]: 'reads-bindings' },
      command: bindCommand,
      argv: [teamB],
      says: 'cannot create apibindings.apis.kcp.io in "root:teams:team-b"',
      ...{ role: 'cluster-admin', path: teamB },
    },
    {
      given: 'a provider who may not bind the export',
      grants: asAdmin(teamB),
      command: bindCommand,
      argv: [teamB],
      says: 'these credentials may not bind its export',
      ...{ role: 'dep-ctrl:bind', path: depCtrl },
    },
    {
      given: 'somebody who asks for a graph',
      grants: {},
      command: graphCommand,
      argv: [],
      says: 'these credentials may not read the rules there',
      ...{ role: 'dep-ctrl:webhook', path: depCtrl },
    },
    ...[
      { command: statusCommand, argv: [] },
      { command: doctorCommand, argv: [] },
      { command: backupCommand, argv: [] },
    ].map(({ command, argv }) => ({
      given: `somebody who asks for ${command.name}`,
      grants: {},
      ...{ command, argv },
      says: 'these credentials may not read the export of dep-ctrl there',
      ...{ role: 'cluster-admin', path: depCtrl },
    })),
    {
      given: 'somebody who runs uninstall',
      grants: {},
      command: uninstallCommand,
      argv: ['--yes'],
      says: 'these credentials may not read it',
      ...{ role: 'cluster-admin', path: depCtrl },
    },
    {
      given: 'somebody who runs bootstrap where dep-ctrl is',
      grants: {},
      command: bootstrapCommand,
      argv: [],
      says: 'cannot get logicalclusters.core.kcp.io "cluster" in "root:dep-ctrl"',
      ...{ role: 'cluster-admin', path: depCtrl },
    },
    {
      given: 'somebody who runs bootstrap where nothing is',
      grants: {},
      command: bootstrapCommand,
      argv: ['--workspace', 'root:another'],
      says: 'cannot create workspaces.tenancy.kcp.io in "root"',
      ...{ role: 'cluster-admin', path: 'root' },
    },
  ])('given $given, then one line says at once what is refused, and which role an admin grants', async (row) =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      const reads = { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['get', 'list'] };
      const enters = { nonResourceURLs: ['/'], verbs: ['access'] };
      const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'reads-bindings' }, rules: [reads, enters] };
      await world.admin.cluster(teamB).create({ ...CLUSTER_ROLE_BINDINGS, resource: 'clusterroles' }, role, options());

      const { code, stdout, stderr } = await runAs(world, row.grants, row.command, row.argv);

      expect(code).toBe(1);
      expect(stderr.split('\n')).toEqual([expect.stringMatching(/^error: /), '']);
      const said = row.command === doctorCommand ? stdout : stderr;
      expect(said).toContain(row.says);
      expect(said).toContain(
        `role missing: ${row.role} in ${row.path}, which an admin there grants: kubectl --server ${world.admin.baseUrl}/clusters/${row.path} create clusterrolebinding ${row.role}:NAME --clusterrole ${row.role} --user NAME`,
      );
    }),
  );

  it('given the role that explain names, then it answers', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      const grants = { ...asAdmin(teamA), [depCtrl]: 'dep-ctrl:webhook' };

      const { code, stdout } = await runAs(world, grants, explainCommand, ['vpcs/my-vpc', '--workspace', teamA]);

      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('still referenced by VirtualMachine/my-vm') });
    }));

  it('given the role that bind names, and no way into the workspace of dep-ctrl, then it binds', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);
      await kubeconfigOf(world, 'alice', { [depCtrl]: 'dep-ctrl:bind' });

      const { stdout } = await runAs(world, asAdmin(teamB), bindCommand, [teamB]);

      expect(stdout).toBe('root:teams:team-b: binding created\n');
    }));

  it('given a consumer whom explain has nothing to tell, then it names the command that asks kcp', () =>
    onEmbeddedKcp(async (world) => {
      await installed(world);

      const { stderr } = await runAs(world, asAdmin(teamA), explainCommand, ['vpcs/my-vpc', '--workspace', teamA]);

      const asks = `--server ${world.admin.baseUrl}/clusters/${teamA} delete vpcs.network.example.com my-vpc -n default --dry-run=server`;
      expect(stderr).toMatch(new RegExp(`; without that role ask kcp itself: kubectl --kubeconfig .* ${asks}\\n$`));
    }));
});
