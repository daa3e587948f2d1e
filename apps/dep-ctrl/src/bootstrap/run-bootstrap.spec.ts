import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
import { splitWorkspacePath } from '@dep-ctrl/kcp-names';
import { parseAllDocuments } from 'yaml';
import { parseUrlSecrets } from '@dep-ctrl/admission-server';
import {
  API_EXPORT_ENDPOINT_SLICES,
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  ensureWorkspace,
  getIfExists,
  WORKSPACES,
} from '@dep-ctrl/kcp-objects';
import { connectShard } from '../command-line/connect.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_CONTEXTS, DEV_PATHS } from '../dev/dev-paths.js';
import { SECRETS } from '../certificate/shared-secrets.js';
import { LEASES } from '../own-objects/current-leader.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { HOME_NAMESPACE, LEASE_NAME, OWN_SECRETS } from './manifests.js';

const DEP_CTRL = splitWorkspacePath(DEV_PATHS.depCtrl) ?? { parent: DEV_PATHS.depCtrl, name: '' };
const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const home = ({ admin }: EmbeddedWorld) => admin.cluster(DEV_PATHS.depCtrl);
const bootstrap = ({ adminKubeconfig }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, ...flags]);

describe('dep-ctrl bootstrap', () => {
  it('given a new kcp, then workspace, API, identities and rights are made, and a second run writes nothing', () =>
    onEmbeddedKcp(async (world) => {
      const first = await bootstrap(world, '--shard-kubeconfig', world.adminKubeconfig, '-o', 'json');
      const second = await bootstrap(world, '--shard-kubeconfig', world.adminKubeconfig);

      expect(first).toMatchObject({ code: 0, stderr: '' });
      const { objects } = JSON.parse(first.stdout) as { objects: { kind: string; change: string }[] };
      expect(new Set(objects.filter(({ change }) => change === 'created').map(({ kind }) => kind))).toEqual(
        new Set([
          'Workspace',
          'APIResourceSchema',
          'APIExport',
          'ServiceAccount',
          'Secret',
          'ClusterRole',
          'ClusterRoleBinding',
          'Role',
          'RoleBinding',
        ]),
      );
      expect(second).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`: ${String(objects.length)} objects, all as they should be\n`),
      });
    }));

  it('given --shard-kubeconfig of somebody who is no admin of the shard, then one line says so, and which file it is', () =>
    onEmbeddedKcp(async (world) => {
      const file = join(world.dir, 'nobody.kubeconfig');
      await writeFile(file, world.kcp.kubeconfig({ user: 'nobody' }));

      const { code, stdout, stderr } = await bootstrap(world, '--shard-kubeconfig', file);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const start = `error: --shard-kubeconfig ${JSON.stringify(file)} (context "`;
      expect(stderr.slice(0, start.length)).toBe(start);
      expect(stderr).toMatch(/ must be of an admin of the shard, .*system:masters.*\n$/);
    }));

  it('given a context of system:masters for a new workspace, then it is not made, as it would never get ready', () =>
    onEmbeddedKcp(async (world) => {
      const { code, stderr } = await bootstrap(world, '--context', 'shard-base');

      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^error: workspace "root:dep-ctrl" cannot be made: kcp keeps no owner for what a member of system:masters makes; use .*\n$/,
        ),
      });
      const compared = await bootstrap(world, '--context', 'shard-base', '--diff');
      expect({ code: compared.code, stderr: compared.stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^error: not compared: workspace "root:dep-ctrl" cannot be made: kcp keeps no owner /),
      });
      const { name } = DEP_CTRL;
      expect(await getIfExists(world.admin.cluster(DEP_CTRL.parent), WORKSPACES, { name }, options())).toBeUndefined();
    }));

  it('given --kubeconfig-dir, then three private kubeconfigs are written, and each gets as far as it should', () =>
    onEmbeddedKcp(async (world) => {
      const dir = join(world.dir, 'out');

      await bootstrap(world, '--kubeconfig-dir', dir);

      for (const command of ['controller', 'webhook', 'all']) {
        const file = join(dir, `${command}.kubeconfig`);
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        const connection = connectTo(await readFile(file, 'utf8'));
        expect(connection.workspace).toBe('root:dep-ctrl');
        expect((await listAll(connection.ownWorkspace(), API_EXPORT_ENDPOINT_SLICES, {}, options())).objects).toHaveLength(1);
        await expect(listAll(connection.ownWorkspace(), API_EXPORTS, {}, options())).rejects.toMatchObject({ code: 'forbidden' });
        await connection.close();
      }
    }));

  it('given --kubeconfig-dir, then there is a URL token for roles that run apart, private, and the same after a second run', () =>
    onEmbeddedKcp(async (world) => {
      const dir = join(world.dir, 'out');
      const file = join(dir, 'url-token');

      const { stdout } = await bootstrap(world, '--kubeconfig-dir', dir);
      const token = await readFile(file, 'utf8');
      await bootstrap(world, '--kubeconfig-dir', dir);

      expect(stdout).toContain(`next: start both roles in one process: dep-ctrl all --kubeconfig ${dir}/all.kubeconfig\nnext: or apart: `);
      expect(stdout).toContain(`dep-ctrl webhook --kubeconfig ${dir}/webhook.kubeconfig --url-token-file ${file} --tls-cert-dir`);
      expect(parseUrlSecrets(token).ok).toBe(true);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readFile(file, 'utf8')).toBe(token);
    }));

  it.each([
    { given: 'a place that takes no folders', dirIn: () => '/proc/foo', reason: 'no folder can be made there' },
    { given: 'a file', dirIn: ({ dir }: EmbeddedWorld) => join(dir, 'file'), reason: 'it is a file' },
    { given: 'a folder below a file', dirIn: ({ dir }: EmbeddedWorld) => join(dir, 'file', 'out'), reason: 'a file is in its way' },
  ])('given --kubeconfig-dir that is $given, then one line names the flag, and nothing was written', ({ dirIn, reason }) =>
    onEmbeddedKcp(async (world) => {
      await writeFile(join(world.dir, 'file'), '');
      const dir = dirIn(world);

      expect(await bootstrap(world, '--kubeconfig-dir', dir)).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: --kubeconfig-dir must be a folder to write into, not ${JSON.stringify(dir)}: ${reason}\n`,
      });
      expect((await listAll(world.admin.cluster(DEV_CONTEXTS.get('root')!), WORKSPACES, {}, options())).objects).toEqual([]);
    }),
  );

  it('given the workspace, then it is said to be in its parent', () =>
    onEmbeddedKcp(async (world) => {
      expect((await bootstrap(world)).stdout).toContain('created Workspace dep-ctrl in root\n');
    }));

  it('given an export that points at older schemas, then the new ones are added and the export is pointed at them', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const [schema] = apiResourceSchemas();
      const suffix = schema!.metadata.name!.replace(/^[^.]+/, '');
      const old = { ...schema!, metadata: { name: `v0${suffix}` } };
      await home(world).create(API_RESOURCE_SCHEMAS, old, options());
      const name = apiExport().metadata.name!;
      const current = await home(world).get(API_EXPORTS, { name }, options());
      const spec = current['spec'] as { resources: { name: string; schema: string }[] };
      const resources = spec.resources.map((each) =>
        old.metadata.name.includes(each.name) ? { ...each, schema: old.metadata.name } : each,
      );
      await home(world).replace(API_EXPORTS, { ...current, spec: { ...spec, resources } }, options());

      const upgraded = await bootstrap(world);

      expect(upgraded.stdout).toContain('updated APIExport dependencies.opendefense.cloud');
      const { resources: after } = (await home(world).get(API_EXPORTS, { name }, options()))['spec'] as typeof spec;
      expect(after.map((each) => each.schema)).toContain(schema!.metadata.name);
      expect(await getIfExists(home(world), API_RESOURCE_SCHEMAS, old.metadata, options())).toBeDefined();
    }));

  it('given an export that somebody else made, then it is refused, and taken over with --adopt', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const { metadata } = apiExport();
      await home(world).create(API_EXPORTS, { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata, spec: {} }, options());

      const refused = await bootstrap(world);
      const adopted = await bootstrap(world, '--adopt');

      expect(refused).toMatchObject({
        code: 1,
        stderr: 'error: APIExport "dependencies.opendefense.cloud" exists and was not made by dep-ctrl: give --adopt to take it over\n',
      });
      expect(adopted.code).toBe(0);
    }));

  it.each([
    { where: 'the workspace of dep-ctrl', kind: 'ClusterRole', nameOf: () => 'dep-ctrl:webhook', isOnShard: false },
    { where: 'system:admin', kind: 'ClusterRole', nameOf: (cluster: string) => `dep-ctrl:read-dependents:${cluster}`, isOnShard: true },
    { where: 'system:admin', kind: 'ClusterRole', nameOf: (cluster: string) => `dep-ctrl:resolve-workspaces:${cluster}`, isOnShard: true },
  ])(
    'given a $kind of that name in $where that somebody else made, then it stays as it is, and --adopt takes it over',
    ({ kind, nameOf, isOnShard }) =>
      onEmbeddedKcp(async (world) => {
        const { cluster } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
        const name = nameOf(cluster);
        const shard = connectShard(world.adminKubeconfig);
        const client = isOnShard ? shard.systemAdmin : home(world);
        const type = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
        const rules = [{ apiGroups: ['example.com'], resources: ['theirs'], verbs: ['get'] }];
        await client.create(type, { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, rules }, options());

        const refused = await bootstrap(world, '--shard-kubeconfig', world.adminKubeconfig);
        const after = await client.get(type, { name }, options());
        const adopted = await bootstrap(world, '--shard-kubeconfig', world.adminKubeconfig, '--adopt');
        const taken = await client.get(type, { name }, options());
        await shard.connection.close();

        expect([refused.code, refused.stderr]).toEqual([
          1,
          `error: ${kind} "${name}" exists and was not made by dep-ctrl: give --adopt to take it over\n`,
        ]);
        expect([after['rules'], adopted.code]).toEqual([rules, 0]);
        expect(taken['rules']).not.toEqual(rules);
      }),
  );

  it('given users instead of ServiceAccounts, then no account is made and the users are bound', () =>
    onEmbeddedKcp(async (world) => {
      const { code, stdout } = await bootstrap(world, '--controller-user', 'ctl', '--webhook-user', 'hook', '-o', 'json');

      expect(code).toBe(0);
      expect(stdout).not.toContain('ServiceAccount');
      const binding = await home(world).get(
        { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' },
        { name: 'dep-ctrl:webhook' },
        options(),
      );
      expect(binding['subjects']).toEqual([expect.objectContaining({ kind: 'User', name: 'hook' })]);
    }));

  it('given a second installation on the same shards, then the rights of the first one stay as they are', () =>
    onEmbeddedKcp(async (world) => {
      const shard = ['--shard-kubeconfig', world.adminKubeconfig];
      await bootstrap(world, ...shard, '--controller-user', 'first', '--webhook-user', 'first');

      const second = await bootstrap(
        world,
        ...shard,
        '--workspace',
        'root:second',
        '--controller-user',
        'other',
        '--webhook-user',
        'other',
      );
      const again = await bootstrap(world, ...shard, '--controller-user', 'first', '--webhook-user', 'first');

      expect(second).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toMatch(/: \d+ objects, all as they should be\n/);
    }));

  it('given Secrets that were filled since, by hand even, when it runs again, then they keep what is in them', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      for (const name of OWN_SECRETS) {
        const ref = { name, namespace: HOME_NAMESPACE };
        await home(world).delete(SECRETS, ref, options());
        const filled = { apiVersion: 'v1', kind: 'Secret', metadata: ref, data: { token: 'a2VwdA==' } };
        await home(world).create(SECRETS, filled, options());
      }

      const again = await bootstrap(world);

      expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/: \d+ objects, all as they should be\n/) });
      for (const name of OWN_SECRETS) {
        const secret = await home(world).get(SECRETS, { name, namespace: HOME_NAMESPACE }, options());
        expect(secret['data']).toEqual({ token: 'a2VwdA==' });
      }
    }));

  it('given a controller that leads, when it runs again, then the roles are to be restarted; given one that stopped, then to be started', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: LEASE_NAME, namespace: HOME_NAMESPACE } };
      const renewTime = new Date().toISOString().replace('Z', '000Z');
      const spec = { holderIdentity: 'host_1', leaseDurationSeconds: 3_600, renewTime };
      const held = await home(world).create(LEASES, { ...lease, spec }, options());

      const running = await bootstrap(world);
      await home(world).replace(LEASES, { ...held, spec: { ...spec, holderIdentity: '' } }, options());
      const stopped = await bootstrap(world, '--kubeconfig-dir', world.dir);

      expect(running.stdout).toMatch(/^next: the roles run already \(host_1 leads\): if .*, restart each /m);
      expect(running.stdout).not.toContain('start both roles');
      expect(stopped.stdout).toMatch(/^next: start both roles in one process: /m);
    }));

  it('given --dry-run, then the manifests are printed and nothing is written', () =>
    onEmbeddedKcp(async (world) => {
      const { code, stdout } = await bootstrap(world, '--dry-run', '-o', 'yaml');

      expect(code).toBe(0);
      const kinds = parseAllDocuments(stdout).map((document) => document.get('kind'));
      expect(kinds).toEqual(expect.arrayContaining(['APIResourceSchema', 'APIExport', 'ClusterRole', 'ClusterRoleBinding']));
      expect((await listAll(world.admin.cluster(DEV_CONTEXTS.get('root')!), WORKSPACES, {}, options())).objects).toEqual([]);
    }));
});
