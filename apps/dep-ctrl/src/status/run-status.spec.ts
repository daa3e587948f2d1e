import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { statusCommand } from '../commands/status-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { leads, onInstalledWorld, options } from '../doctor/spec-support/installed-world.js';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { runCli } from '../testing/run-cli.js';
import { runStatus } from './run-status.js';
import { STATUS_FIELDS } from './status-fields.js';
import type { StatusView } from './status-view.js';

const WITHIN_MS = 60_000;

/** The fields of an object, as the page writes them. */
function fieldsOf(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, each]) => fieldsOf(each, at === '' ? key : `${at}.${key}`));
}

/** Time in which one sleeps `times` times at once, and is told to stop then. */
function stopsAfter(times: number, stop: AbortController): Clock {
  let left = times;
  return {
    ...systemClock,
    sleep: () => {
      left -= 1;
      if (left < 0) stop.abort();
      return Promise.resolve();
    },
  };
}

describe('dep-ctrl status', () => {
  it(
    'given a whole installation, then all is well; when it breaks, then a watch shows each thing with its command and ends with 1',
    () =>
      onInstalledWorld(async (world) => {
        const { admin, adminKubeconfig } = world;
        const flags = ['--kubeconfig', adminKubeconfig];

        const well = await runCli(statusCommand, flags);
        const data = await runCli(statusCommand, [...flags, '-o', 'json']);
        await admin.cluster(DEV_PATHS.network).delete(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options());
        await leads(world, new Date(Date.now() - 2 * 3_600_000).toISOString());
        const stop = new AbortController();
        let watched = '';
        const world2 = {
          env: {},
          stdout: { isTerminal: false, write: (text: string) => void (watched += text) },
          stderr: { isTerminal: false, write: () => undefined },
          signal: stop.signal,
        };
        const settings = {
          kubeconfig: adminKubeconfig,
          context: undefined,
          workspace: DEV_PATHS.depCtrl,
          shardKubeconfigs: [],
          watch: true,
          output: 'json',
        } as const;
        const ended = await runStatus(settings, world2, { clock: stopsAfter(1, stop) }).catch((error: unknown) => error);

        expect([well.code, well.stderr]).toEqual([0, '']);
        expect(well.stdout).toMatch(
          /^dep-ctrl \S+ in root:dep-ctrl \(\w+\), kcp v.*\ncontroller  a-controller leads, version \S+, Lease renewed .*\nwebhook     https:\S+ answers from here, version \S+, named in 2 /,
        );
        expect(well.stdout).toMatch(/\nall is well\n$/);
        expect(well.stdout).toContain(
          `${DEV_PATHS.network}: vpcs.network.example.com held by 1 rule, configuration as wanted, guard ready\n`,
        );
        expect(well.stdout).toContain('rules       1 of 1 ready and in force\n');
        expect(JSON.parse(data.stdout)).toMatchObject({ well: true, problems: [], controller: { state: 'leads', holder: 'a-controller' } });
        const looks = watched
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as StatusView);
        expect(looks.map(({ well: isWell, problems }) => [isWell, problems.map(({ id }) => id)])).toEqual(
          Array(2).fill([false, ['controller-leads', 'configuration-there']]),
        );
        expect(looks[0]?.rules).toEqual([
          {
            workspace: DEV_PATHS.compute,
            name: 'vm-dependencies',
            ready: 'True',
            reason: 'Installed',
            inForce: 'no',
            fix: expect.any(String),
          },
        ]);
        expect(ended).toMatchObject({ message: '2 things are wrong' });
        for (const field of [data.stdout, ...watched.trimEnd().split('\n')].flatMap((text) => fieldsOf(JSON.parse(text)))) {
          expect(Object.keys(STATUS_FIELDS)).toContain(field);
        }
      }),
    WITHIN_MS,
  );

  it('given somebody with few rights, then what may not be read is named with the role that is missing, and nothing is called well', () =>
    onEmbeddedKcp(async ({ kcp, dir, admin, adminKubeconfig }) => {
      const { code } = await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
      const home = admin.cluster(DEV_PATHS.depCtrl);
      const rules = [
        { nonResourceURLs: ['/'], verbs: ['access'] },
        { apiGroups: ['apis.kcp.io'], resources: ['apiexportendpointslices'], verbs: ['get'] },
      ];
      const [named, roleRef] = [{ metadata: { name: 'eve' } }, { apiGroup: rbac.group, kind: 'ClusterRole', name: 'eve' }];
      await home.create(
        { ...rbac, resource: 'clusterroles' },
        { apiVersion: `${rbac.group}/v1`, kind: 'ClusterRole', ...named, rules },
        options(),
      );
      const subjects = [{ kind: 'User', apiGroup: rbac.group, name: 'eve' }];
      const binding = { apiVersion: `${rbac.group}/v1`, kind: 'ClusterRoleBinding', ...named, roleRef, subjects };
      await home.create({ ...rbac, resource: 'clusterrolebindings' }, binding, options());
      const file = join(dir, 'eve.kubeconfig');
      await writeFile(file, kcp.kubeconfig({ user: 'eve' }));

      const seen = await runCli(statusCommand, ['--kubeconfig', file]);

      expect(code).toBe(0);
      expect(seen).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: \d+ things could not be looked at\n$/) });
      expect(seen.stdout).toMatch(
        /^not looked at: rights of the roles in root:dep-ctrl: role missing: list on roles, .* in root:dep-ctrl, which cluster-admin has there$/m,
      );
      expect(seen.stdout).not.toContain('all is well');
    }));

  it('given two shards of which one is away, then that one is named, and what is on the other is shown', () =>
    onEmbeddedKcp(
      async ({ kcp, admin, adminKubeconfig }) => {
        const { depCtrl, network, compute } = DEV_PATHS;
        await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
        for (const path of DEV_PARENTS) await ensureWorkspace(admin, path, { ...options(), shard: 'root' });
        await ensureWorkspace(admin, network, { ...options(), shard: 'root' });
        await ensureWorkspace(admin, compute, { ...options(), shard: 'shard-1' });
        for (const path of [network, compute]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
        const [, away] = kcp.shards;
        await away?.stop();

        const { code, stdout } = await runCli(statusCommand, ['--kubeconfig', adminKubeconfig]);

        expect(code).toBe(1);
        expect(stdout).toContain(`endpoint    ${away?.url ?? ''}/services/apiexport/`);
        expect(stdout).toMatch(/^endpoint .*: could not be read$/m);
        expect(stdout).toMatch(/^endpoint .*: 1 binding, 0 rules/m);
        expect(stdout).toContain(`WRONG  ${away?.url ?? ''} does not answer: connection refused\n`);
        expect(stdout).toContain(`workspace   ${network}: `);
      },
      { shards: 2 },
    ));

  it.each([
    {
      given: 'nobody who listens',
      change: async (text: string) => text.replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, `https://127.0.0.1:${String(await freePort())}`),
      says: 'does not answer: connection refused',
    },
    {
      given: 'credentials that nobody knows',
      change: (text: string) => Promise.resolve(text.replaceAll(/token: .*/g, 'token: nobody')),
      says: 'does not accept the credentials of the kubeconfig',
    },
    {
      given: 'a CA of somebody else',
      change: (text: string) => Promise.resolve(text.replaceAll(/ *certificate-authority-data: .*\n/g, '')),
      says: 'shows a certificate of "',
    },
  ])('given $given, then there is one line, and exit code 1', ({ change, says }) =>
    onEmbeddedKcp(async ({ kcp, dir }) => {
      const file = join(dir, 'other.kubeconfig');
      await writeFile(file, await change(kcp.kubeconfig()));

      const { code, stdout, stderr } = await runCli(statusCommand, ['--kubeconfig', file]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^error: kcp at https:\/\/127\.0\.0\.1:\d+ .*\n$/);
      expect(stderr).toContain(says);
    }),
  );

  it.each([
    {
      given: 'a workspace that is not there',
      workspace: 'root:nowhere',
      says: 'there is no workspace "root:nowhere"',
      at: ' --workspace root:nowhere',
    },
    { given: 'a workspace without dep-ctrl', workspace: 'root', says: 'workspace "root" (--workspace) has no export', at: '' },
  ])(
    'given $given, then there is one line that says so, and asks for the right path before it proposes to install',
    ({ workspace, says, at }) =>
      onEmbeddedKcp(async ({ adminKubeconfig }) => {
        const { code, stdout, stderr } = await runCli(statusCommand, ['--kubeconfig', adminKubeconfig, '--workspace', workspace]);

        expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
        expect(stderr).toContain(says);
        const install = `dep-ctrl bootstrap --kubeconfig-dir identities${at} --kubeconfig ${adminKubeconfig}\n`;
        expect(stderr).toContain(
          `; if dep-ctrl is in another workspace, give that as --workspace; if it is not installed yet, run: ${install}`,
        );
      }),
  );
});
