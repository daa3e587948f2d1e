import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, getIfExists, until } from '@dep-ctrl/kcp-objects';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { EXPORT_NAME, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
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
import { onEmbeddedKcp, shardKubeconfigs } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';

// The roles look at the file every 10 s.
const WITHIN_MS = 90_000;
const ACCEPTED = 405;
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
        const undo = await claimRejected(world);
        const hidden = await rotate(world, ...file);
        await undo();
        const unchanged = await readFile(tokenFile(world), 'utf8');
        const late = await rotate(world, ...file, '--timeout', '15s');

        expect([strange.code, strange.stderr]).toEqual([
          1,
          expect.stringMatching(/^error: the URL installed in \S+ was not made by what is in .*; nothing was changed\n$/),
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
        expect([hidden.code, hidden.stderr]).toEqual([
          1,
          expect.stringContaining(`kcp hides the configuration of ${DEV_PATHS.network}, where the claim of dep-ctrl is not accepted`),
        ]);
        expect(unchanged).toBe(before);
        expect([late.code, late.stderr]).toEqual([
          1,
          expect.stringMatching(
            /^error: the controller has not written the new URL into \S+ and 1 more, after 15 s: old and new secret stay in .* are accepted/,
          ),
        ]);
        expect((await readFile(tokenFile(world), 'utf8')).endsWith(`\n${before}`)).toBe(true);
        for (const url of old) expect(await statusOf(url, options().signal)).toBe(ACCEPTED);
      }),
    WITHIN_MS,
  );
});

async function claimRejected({ admin }: InstalledWorld): Promise<() => Promise<unknown>> {
  const client = admin.cluster(DEV_PATHS.network);
  const page = client.list(API_BINDINGS, {}, options());
  for await (const part of page) {
    const found = part.objects().find((each) => isBindingOf(each, EXPORT_NAME));
    if (found === undefined) continue;
    const spec = found['spec'] as { readonly permissionClaims: readonly object[] };
    const ref = { name: found.metadata.name ?? '' };
    const write = async (state: string) => {
      const now = await client.get(API_BINDINGS, ref, options());
      const permissionClaims = spec.permissionClaims.map((claim) => ({ ...claim, state }));
      await client.replace(API_BINDINGS, { ...now, spec: { ...spec, permissionClaims } }, options());
    };
    await write('Rejected');
    return () => write('Accepted');
  }
  throw new Error('network does not bind dep-ctrl');
}
