// What the commands print if a wrong workspace is named, and that they print it at once if that is sure.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { instantClock, sleepless } from '@dep-ctrl/kcp-client/testing';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import { runBind } from '../bind/run-bind.js';
import { runBootstrap } from '../bootstrap/run-bootstrap.js';
import { runExplain } from '../explain/run-explain.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });
const nowhere = { isTerminal: false, write: () => undefined };
const EXPORT = 'dependencies.opendefense.cloud';

/** The commands of a user; each returns the line with which it fails. */
function commandsOf(kubeconfig: string, clock: Clock) {
  const connection = { kubeconfig, context: undefined, output: undefined };
  const quiet = { logFormat: undefined, logLevel: undefined };
  const users = { controllerUser: 'controller', webhookUser: 'webhook', kubeconfigDir: undefined, shardKubeconfigs: [] };
  const line = async (run: (world: World) => Promise<void>) => {
    const world = { env: {}, stdout: nowhere, stderr: nowhere, signal: options().signal };
    return run(world).then(() => 'it did not fail', describeFailure);
  };
  return {
    bind: (workspace: string, path: string) =>
      line((world) =>
        runBind({ ...connection, workspace: pathOf(workspace), paths: [pathOf(path)], shardKubeconfigs: [], rulesAreBack: false }, world, {
          clock,
        }),
      ),
    bootstrap: (workspace: string) =>
      line((world) => {
        const flags = {
          readAccess: 'wildcard',
          protectWorkspace: false,
          orderedTeardown: false,
          adopt: false,
          dryRun: false,
          diff: false,
        } as const;
        return runBootstrap({ ...connection, ...users, ...flags, workspace: pathOf(workspace) }, world, { clock });
      }),
    explain: (workspace: string, depCtrlWorkspace: string, subject?: 'vpcs/my-vpc') =>
      line((world) => {
        const asked = subject === undefined ? undefined : { resource: 'vpcs', name: 'my-vpc', namespace: 'default' };
        const paths = { workspace: pathOf(workspace), depCtrlWorkspace: pathOf(depCtrlWorkspace) };
        return runExplain({ ...connection, ...quiet, ...paths, subject: asked, all: false }, world, { clock });
      }),
  };
}

/** A team without dep-ctrl, and a workspace that only its admin may see. */
async function makeWorkspaces({ admin }: EmbeddedWorld): Promise<void> {
  for (const path of ['root:team', 'root:closed']) await ensureWorkspace(admin, pathOf(path), options());
}

/** The kubeconfig of a user who is admin of the team's workspace and nothing else. */
async function adminOfTheTeam({ admin, kcp, dir }: EmbeddedWorld): Promise<string> {
  const apiGroup = 'rbac.authorization.k8s.io';
  await admin.cluster(pathOf('root:team')).create(
    { group: apiGroup, version: 'v1', resource: 'clusterrolebindings' },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'anna' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup, kind: 'User', name: 'anna' }],
    },
    options(),
  );
  const file = join(dir, 'anna.kubeconfig');
  await writeFile(file, kcp.kubeconfig({ user: 'anna' }));
  return file;
}

describe('a workspace that surely is not there', () => {
  const doors = {
    'the front-proxy': ({ kcp }: EmbeddedWorld) => kcp.baseUrl,
    'the shard': ({ kcp }: EmbeddedWorld) => kcp.shards[0]!.url,
  };

  it.each<{ door: keyof typeof doors }>([{ door: 'the front-proxy' }, { door: 'the shard' }])(
    'given $door, then every command says at once which one, named by which flag, and what to do',
    ({ door }) =>
      onEmbeddedKcp(async (world) => {
        await makeWorkspaces(world);
        const server = doors[door](world);
        const file = join(world.dir, 'door.kubeconfig');
        await writeFile(file, world.kcp.kubeconfig().replaceAll(world.kcp.baseUrl, server));
        const { bind, bootstrap, explain } = commandsOf(file, sleepless);
        const list = (parent: string) =>
          `"kubectl get workspaces --kubeconfig ${file} --server ${server}/clusters/${parent}" lists what there is`;
        const install = (flag: string, path: string) =>
          `if dep-ctrl is in another workspace, give that as ${flag}; if it is not installed yet, run: dep-ctrl bootstrap --workspace ${path} --kubeconfig ${file}`;
        const notOurs = (flag: string, lacks: string) =>
          `workspace "root:team" (${flag}) is not the one of dep-ctrl: it has no ${lacks}/${EXPORT}; ${install(flag, 'root:team')}`;

        expect({
          'bind --workspace root:no': await bind('root:no', 'root:team'),
          'bind --workspace root:no:a': await bind('root:no:a', 'root:team'),
          'bind --workspace root:team': await bind('root:team', 'root:team'),
          'bootstrap --workspace root:no:a': await bootstrap('root:no:a'),
          'bootstrap --workspace root:team:no:a': await bootstrap('root:team:no:a'),
          'explain --workspace root:no': await explain('root:no', 'root:team'),
          'explain vpcs/my-vpc --workspace root:no': await explain('root:no', 'root:team', 'vpcs/my-vpc'),
          'explain --dep-ctrl-workspace root:no': await explain('root:team', 'root:no'),
          'explain --dep-ctrl-workspace root:team': await explain('root:team', 'root:team'),
        }).toEqual({
          'bind --workspace root:no': `there is no workspace "root:no" (--workspace): ${list('root')}; ${install('--workspace', 'root:no')}`,
          'bind --workspace root:no:a': `there is no workspace "root:no", and so no "root:no:a" (--workspace): ${list('root')}`,
          'bind --workspace root:team': notOurs('--workspace', 'apiexports'),
          'bootstrap --workspace root:no:a': `there is no workspace "root:no" (the parent of --workspace): ${list('root')}`,
          'bootstrap --workspace root:team:no:a': `there is no workspace "root:team:no" (the parent of --workspace): ${list('root:team')}`,
          'explain --workspace root:no': `there is no workspace "root:no" (--workspace): ${list('root')}`,
          'explain vpcs/my-vpc --workspace root:no': `there is no workspace "root:no" (--workspace): ${list('root')}`,
          'explain --dep-ctrl-workspace root:no': `there is no workspace "root:no" (--dep-ctrl-workspace): ${list('root')}; ${install('--dep-ctrl-workspace', 'root:no')}`,
          'explain --dep-ctrl-workspace root:team': notOurs('--dep-ctrl-workspace', 'apiexportendpointslices'),
        });
      }),
  );
});

describe('a workspace of which nobody can tell whether it is there', () => {
  it('given the name of a logical cluster, then it is waited for a few seconds at most, and the failure says what it may be, or which role is missing', () =>
    onEmbeddedKcp(async (world) => {
      await makeWorkspaces(world);
      const clock = instantClock({ atLeastMs: 1_000 });
      const { bind, bootstrap, explain } = commandsOf(world.adminKubeconfig, clock);
      const doubt = (flag: string, may: string) =>
        `logical cluster "no" (${flag}) may not exist, or these credentials may not ${may}; a path begins with "root", as "root:no"`;

      const start = clock.monotonic();
      const bootstrapped = await bootstrap('no');
      const bound = await bind('no', 'root:team');
      const boundBelow = await bind('no:a', 'root:team');
      const explained = await explain('no', 'root:team');
      const tookMs = clock.monotonic() - start;

      expect(tookMs).toBeLessThan(20_000);
      expect(bootstrapped).toBe(`an answer of "no" did not happen within 3 s: ${doubt('--workspace', 'enter it')}`);
      expect(bound).toContain(
        `cannot bind workspace "root:team": ${doubt('--workspace', 'bind its export')}; role missing: dep-ctrl:bind in no, which `,
      );
      expect(boundBelow).toContain('cannot bind workspace "root:team": workspace "no:a" (--workspace) may not exist, or ');
      expect(boundBelow).toContain('; a path begins with "root", as "root:no:a"; role missing: dep-ctrl:bind in no:a, which ');
      expect(explained).toContain(`${doubt('--workspace', 'enter it')}: cannot `);
    }));

  it('given a path under a parent that may not be read, then it may not exist, or a role is missing', () =>
    onEmbeddedKcp(async (world) => {
      await makeWorkspaces(world);
      const { bind, explain } = commandsOf(await adminOfTheTeam(world), instantClock({ atLeastMs: 1_000 }));
      const doubt = (flag: string, may: string) =>
        `workspace "root:closed:no" (${flag}) may not exist, or these credentials may not ${may}`;

      const bound = await bind('root:closed:no', 'root:team');
      const explained = await explain('root:team', 'root:closed:no');

      expect(bound).toContain(`${doubt('--workspace', 'bind its export')}; role missing: dep-ctrl:bind in root:closed:no, which `);
      expect(explained).toMatch(/^reading the rules did not happen within 15 s: /);
      expect(explained).toContain(doubt('--dep-ctrl-workspace', 'read the rules there'));
      expect(await explain('root:closed:no', 'root:team')).toContain(`${doubt('--workspace', 'enter it')}: cannot `);
    }));
});
