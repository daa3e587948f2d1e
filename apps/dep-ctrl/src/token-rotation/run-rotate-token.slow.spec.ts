import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, type Connection } from '@dep-ctrl/kcp-client';
import type { KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, ensureWorkspace, getIfExists, until } from '@dep-ctrl/kcp-objects';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { EXPORT_NAME, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { HOME_NAMESPACE } from '../bootstrap/manifests.js';
import { SECRETS, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { allCommand, controllerCommand } from '../commands/role-commands.js';
import { rotateTokenCommand } from '../commands/rotate-token-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VPCS } from '../dev/provider-manifests.js';
import { leads, onInstalledWorld, options, type InstalledWorld } from '../doctor/spec-support/installed-world.js';
import { installedUrls, statusOf } from '../installation/read-webhooks.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { connectTo, onEmbeddedKcp, shardKubeconfigs } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { runCli } from '../testing/run-cli.js';

// The roles look at the file every 10 s.
const WITHIN_MS = 90_000;
const ACCEPTED = 405;
const [HOLDING, HIDING] = [pathOf('root:providers:holding'), pathOf('root:providers:hiding')];
const HEALTH = ['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'];

const tokenFile = ({ dir }: InstalledWorld) => join(dir, 'tls', 'token');
const rotate = (world: InstalledWorld, ...flags: readonly string[]) =>
  runCli(rotateTokenCommand, ['--kubeconfig', world.adminKubeconfig, '--settle', '1ms', ...flags]);

/** The URLs that kcp is told to call for the network provider and for rules. */
async function urls({ admin }: InstalledWorld): Promise<readonly string[]> {
  const objects: readonly KubeObject[] = [
    await admin.cluster(DEV_PATHS.network).get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options()),
    await admin.cluster(DEV_PATHS.depCtrl).get(WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options()),
  ];
  return installedUrls(objects).map(({ url }) => url);
}

/** Runs a controller of its own beside, as the one of the world has stopped. */
async function withController<T>(world: InstalledWorld, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const { dir, port } = world;
  const running = runCli(
    controllerCommand,
    [
      ...['--kubeconfig', join(dir, 'controller.kubeconfig'), '--url-token-file', tokenFile(world), '--leader-elect=false'],
      ...['--webhook-url', `https://127.0.0.1:${String(port)}`, '--webhook-ca-bundle-path', join(dir, 'tls', 'ca.crt')],
      ...HEALTH,
    ],
    stop,
  );
  try {
    return await work();
  } finally {
    stop.abort();
    await running;
  }
}

describe('dep-ctrl rotate-token', () => {
  it(
    'given roles that run and a guarded delete that is tried all the time, then every answer is the refusal, every URL is new, and only the new secret stays',
    () =>
      onInstalledWorld((world) =>
        withController(world, async () => {
          const [before, old] = [await readFile(tokenFile(world), 'utf8'), await urls(world)];
          const team = world.admin.cluster(DEV_PATHS.teamA);
          const answers = new Set<string>();
          const over = new AbortController();
          const deletes = (async () => {
            while (!over.signal.aborted)
              answers.add(
                await team.delete(VPCS, { name: 'my-vpc', namespace: 'default' }, { ...options(), dryRun: true }).then(
                  () => 'allowed',
                  (error: unknown) => (error as Error).message.replace(/^.*?(still referenced by [\w/-]+).*$/s, '$1'),
                ),
              );
          })();

          const { code, stdout, stderr } = await rotate(world, '--url-token-file', tokenFile(world));
          over.abort();
          await deletes;

          expect([code, stderr]).toEqual([0, '']);
          expect(stdout.split('\n').map((line) => line.slice(0, 6))).toEqual(['1 of 3', '2 of 3', '      ', '3 of 3', '']);
          expect([...answers]).toEqual(['still referenced by VirtualMachine/my-vm']);
          const after = await readFile(tokenFile(world), 'utf8');
          expect(after).not.toContain(before.trim());
          expect([after.trim().split('\n').length, (await stat(tokenFile(world))).mode & 0o777]).toEqual([1, 0o644]);
          const made = await urls(world);
          expect(made.filter((url) => old.includes(url))).toEqual([]);
          for (const url of made) expect(await statusOf(url, options().signal)).toBe(ACCEPTED);
        }),
      ),
    WITHIN_MS,
  );

  it(
    'given "all", which keeps its token in a Secret, then that is rotated, and rules are checked by a URL of the new one',
    () =>
      onEmbeddedKcp(async (world) => {
        const { admin, adminKubeconfig, dir } = world;
        const shards = (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
        await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, '--kubeconfig-dir', dir, ...shards]);
        const home = admin.cluster(DEV_PATHS.depCtrl);
        const urlThere = async () => {
          const found = await getIfExists(home, WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options());
          return found === undefined ? undefined : installedUrls([found])[0]?.url;
        };
        const stop = new AbortController();
        const all = ['--kubeconfig', join(dir, 'all.kubeconfig'), '--webhook-port', '0', ...HEALTH];
        const running = runCli(allCommand, all, stop);
        try {
          const before = await until(
            'the configuration',
            async () => {
              const url = await urlThere();
              return url === undefined ? { waitingFor: 'it is not there' } : { done: url };
            },
            options(),
          );

          const { code, stdout, stderr } = await runCli(rotateTokenCommand, ['--kubeconfig', adminKubeconfig, '--settle', '1ms']);

          expect([code, stderr]).toEqual([0, '']);
          expect(stdout).toMatch(/^1 of 3: Secret default\/dep-ctrl-url-token has a new secret /);
          const after = (await urlThere()) ?? '';
          expect(after).not.toBe(before);
          expect(await statusOf(after, options().signal)).toBe(ACCEPTED);
          const secret = await home.get(SECRETS, { name: URL_TOKEN_SECRET, namespace: HOME_NAMESPACE }, options());
          const { token = '' } = secret['data'] as { readonly token?: string };
          expect(Buffer.from(token, 'base64').toString('utf8').trim().split('\n')).toHaveLength(1);
        } finally {
          stop.abort();
          await running;
        }
      }),
    WITHIN_MS,
  );

  it(
    'given tenants that keep an old URL in their own workspaces, then the rotation begins and ends, calls no address of theirs and names them, and an honest delete is refused as before',
    () =>
      onInstalledWorld((world) =>
        withController(world, async () => {
          const [before, old] = [await readFile(tokenFile(world), 'utf8'), await urls(world)];
          const callers: number[] = [];
          const listener = createServer((socket) => {
            callers.push(socket.remotePort ?? 0);
            socket.destroy();
          }).listen(0, '127.0.0.1');
          await once(listener, 'listening');
          const { port } = listener.address() as AddressInfo;
          await keepsItsUrl(world, HOLDING, `https://127.0.0.1:${String(port)}/validate/mine/mine`);
          await rejectsTheClaim(world, HIDING);

          const { code, stdout, stderr } = await rotate(world, '--url-token-file', tokenFile(world), '--timeout', '25s');
          listener.close();

          expect([code, callers, code === 0 ? '' : stderr]).toEqual([0, [], '']);
          expect(stdout).toMatch(
            /^1 of 3.*\n2 of 3.*\n +not waiting any longer for root:providers:holding; waiting.*\n3 of 3: the old secret is out/,
          );
          expect(stderr).toContain(`warning: kcp hides the configuration of ${HIDING}, where the claim of dep-ctrl is not accepted`);
          expect(stderr).toContain(`warning: the configuration of ${HOLDING} did not get the new URL`);
          const team = world.admin.cluster(DEV_PATHS.teamA);
          const deleted = team.delete(VPCS, { name: 'my-vpc', namespace: 'default' }, { ...options(), dryRun: true });
          await expect(deleted).rejects.toThrow('still referenced by VirtualMachine/my-vm');
          expect(await readFile(tokenFile(world), 'utf8')).not.toContain(before.trim());
          const made = await urls(world);
          expect(made.filter((url) => old.includes(url))).toEqual([]);
          for (const url of made) expect(await statusOf(url, options().signal)).toBe(ACCEPTED);
        }),
      ),
    WITHIN_MS,
  );

  it(
    'given what would leave a URL behind, then it begins nothing; given a controller that writes no URL, then both secrets stay accepted',
    () =>
      onInstalledWorld(async (world) => {
        const [before, old] = [await readFile(tokenFile(world), 'utf8'), await urls(world)];
        const file = ['--url-token-file', tokenFile(world)];
        const other = join(world.dir, 'other');
        await writeFile(other, 'the-secret-of-somebody-else\n');

        const [strange, unkept, unreadable] = [
          await rotate(world, '--url-token-file', other),
          await rotate(world),
          await rotate(world, '--url-token-file', join(world.dir, 'nowhere')),
        ];
        await leads(world, new Date(Date.now() - 2 * 3_600_000).toISOString());
        const leaderless = await rotate(world, ...file);
        await leads(world, new Date().toISOString());
        const unchanged = await readFile(tokenFile(world), 'utf8');
        const late = await rotate(world, ...file, '--timeout', '15s');

        expect([strange.code, strange.stderr]).toEqual([
          1,
          expect.stringMatching(/^error: the URL in dependency-admission in \S+ was not made by what is in .*; nothing was changed\n$/),
        ]);
        expect([unkept.code, unkept.stderr]).toEqual([
          1,
          expect.stringMatching(/^error: Secret default\/dep-ctrl-url-token holds nothing, .*give --url-token-file FILE/),
        ]);
        expect([unreadable.code, unreadable.stderr]).toEqual([
          2,
          expect.stringContaining('--url-token-file must be a file that can be read'),
        ]);
        expect([leaderless.code, leaderless.stderr]).toEqual([1, expect.stringContaining('no controller leads')]);
        expect(unchanged).toBe(before);
        expect([late.code, late.stderr]).toEqual([
          1,
          expect.stringMatching(
            /^error: the controller has not written the new URL into dependency-admission in \S+, after 15 s: old and new secret stay in .* are accepted/,
          ),
        ]);
        expect((await readFile(tokenFile(world), 'utf8')).endsWith(`\n${before}`)).toBe(true);
        for (const url of old) expect(await statusOf(url, options().signal)).toBe(ACCEPTED);
      }),
    WITHIN_MS,
  );
});

/** A workspace that binds dep-ctrl, and the connection of its admin. */
async function tenantOf({ kcp, admin }: InstalledWorld, path: WorkspacePath): Promise<Connection> {
  await ensureWorkspace(admin, path, options());
  await bindDepCtrl(admin.cluster(path), { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
  const roleRef = { apiGroup: rbac.group, kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ kind: 'User', apiGroup: rbac.group, name: 'eve' }];
  const binding = { apiVersion: `${rbac.group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'eve' }, roleRef, subjects };
  await admin.cluster(path).create(rbac, binding, options());
  return connectTo(kcp.kubeconfig({ user: 'eve' }));
}

/** The controller deletes what guards nothing; the finalizer keeps it. */
async function keepsItsUrl(world: InstalledWorld, path: WorkspacePath, url: string): Promise<void> {
  const eve = await tenantOf(world, path);
  const entry = { name: 'e.example.com', failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'], rules: [] };
  const metadata = { name: GUARD_NAME, labels: { [OWNER_LABEL]: world.home }, finalizers: ['example.com/held'] };
  const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };
  await eve.cluster(path).create(WEBHOOK_CONFIGURATIONS, { ...kind, metadata, webhooks: [{ ...entry, clientConfig: { url } }] }, options());
  await eve.close();
}

async function rejectsTheClaim(world: InstalledWorld, path: WorkspacePath): Promise<void> {
  const eve = await tenantOf(world, path);
  const client = eve.cluster(path);
  const { objects } = await listAll(client, API_BINDINGS, {}, options());
  const found = objects.find((each) => isBindingOf(each, EXPORT_NAME));
  const spec = found?.['spec'] as { readonly permissionClaims: readonly object[] };
  const permissionClaims = spec.permissionClaims.map((claim) => ({ ...claim, state: 'Rejected' }));
  const body = { spec: { permissionClaims } };
  await client.patch(API_BINDINGS, { name: found?.metadata.name ?? '' }, { kind: 'merge', body }, options());
  await eve.close();
}
