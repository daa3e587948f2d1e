// The commands together, as an operator runs them: bootstrap's own identities, both roles, two shards, and everything taken back in the end.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import { until } from '@dep-ctrl/kcp-objects';
import type { Command } from '@dep-ctrl/command-settings';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { Made } from '../dev/made.js';
import { Narrator } from '../dev/narrator.js';
import { computeProvider, networkProvider } from '../dev/provider-manifests.js';
import { makeWorkspaces, setTheStage, tellTheStory } from '../dev/story.js';
import { HOME_NAMESPACE } from '../bootstrap/manifests.js';
import { CA_SECRET, SECRETS } from '../certificate/shared-secrets.js';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli, type CliRun } from '../testing/run-cli.js';
import { webhookFiles } from '../testing/webhook-files.js';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { allCommand, controllerCommand, webhookCommand } from '../commands/role-commands.js';
import { uninstallCommand } from '../commands/uninstall-command.js';

const WITHIN_MS = 60_000;
const HEALTH = ['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0', '--log-format', 'json'];

/** Bootstraps with identities of its own; the answer knows where their kubeconfigs are. */
async function bootstrap(world: EmbeddedWorld): Promise<(command: string) => string> {
  const { code, stderr } = await runCli(bootstrapCommand, [
    ...['--kubeconfig', world.adminKubeconfig, '--kubeconfig-dir', world.dir],
    ...(await shardFlags(world)),
  ]);
  if (code !== 0) throw new Error(stderr);
  return (command) => join(world.dir, `${command}.kubeconfig`);
}

async function shardFlags(world: EmbeddedWorld): Promise<readonly string[]> {
  return (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
}

/** Tells the story as the admin, with providers that were bound by the command; throws when a step is not as it should be. */
async function story(world: EmbeddedWorld): Promise<string> {
  const { admin, adminKubeconfig } = world;
  let told = '';
  const narrator = new Narrator({ write: (text) => void (told += text), clock: systemClock });
  const depCtrlExport = { path: DEV_PATHS.depCtrl, name: EXPORT_NAME };
  const stage = {
    connection: admin,
    depCtrlExport,
    narrator,
    made: new Made(),
    clock: systemClock,
    signal: AbortSignal.timeout(WITHIN_MS),
  };
  await makeWorkspaces(stage);
  await exportType(admin.cluster(DEV_PATHS.network), networkProvider(), { ...stage, timeoutMs: WITHIN_MS });
  await exportType(admin.cluster(DEV_PATHS.compute), computeProvider(), { ...stage, timeoutMs: WITHIN_MS });
  const providers = [DEV_PATHS.network, DEV_PATHS.compute];
  const bound = await runCli(bindCommand, ['--kubeconfig', adminKubeconfig, ...(await shardFlags(world)), ...providers]);
  if (bound.code !== 0) throw new Error(bound.stderr);
  await setTheStage(stage);
  await tellTheStory(stage);
  return told;
}

/** Runs commands beside `work`, stops them, and answers how they ended. */
async function beside(commands: readonly (readonly [Command, readonly string[]])[], work: () => Promise<void>): Promise<readonly CliRun[]> {
  const stop = new AbortController();
  const running = commands.map(([command, argv]) => runCli(command, [...argv, ...HEALTH], { signal: stop.signal }));
  try {
    const ended = Promise.race(running).then(({ stderr }) => Promise.reject(new Error(`a command ended: ${stderr}`)));
    await Promise.race([work(), ended]);
  } finally {
    stop.abort();
  }
  return Promise.all(running);
}

describe('the commands together', () => {
  it(
    'given controller and webhook on two shards, then the story is true, explain says what deletes would be told, and uninstall leaves nothing',
    () =>
      onEmbeddedKcp(
        async (world) => {
          const kubeconfigOf = await bootstrap(world);
          const port = await freePort();
          const tls = await webhookFiles(world.dir);
          const token = ['--url-token-file', tls.token];
          let explained: CliRun | undefined;

          const runs = await beside(
            [
              [
                webhookCommand,
                ['--kubeconfig', kubeconfigOf('webhook'), '--webhook-port', String(port), '--tls-cert-dir', tls.dir, ...token],
              ],
              [
                controllerCommand,
                [
                  ...['--kubeconfig', kubeconfigOf('controller'), '--webhook-url', `https://127.0.0.1:${String(port)}`],
                  ...['--webhook-ca-bundle-path', tls.ca, ...token],
                ],
              ],
            ],
            async () => {
              expect(await story(world)).toContain('cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm');
              explained = await runCli(explainCommand, [
                ...['vpcs/my-vpc', '--kubeconfig', world.adminKubeconfig, '--workspace', DEV_PATHS.teamB, '-o', 'json'],
              ]);
              const whole = await runCli(explainCommand, [
                ...['--kubeconfig', world.adminKubeconfig, '--workspace', DEV_PATHS.teamB, '-o', 'json'],
              ]);
              expect(JSON.parse(whole.stdout)).toEqual({
                workspace: DEV_PATHS.teamB,
                terminators: [],
                held: [
                  {
                    object: 'vpcs/my-vpc',
                    namespace: 'default',
                    because: 'refused',
                    message: expect.stringMatching(/^cannot delete vpcs\/my-vpc: still referenced by VirtualMachine\/my-vm, says rule /),
                  },
                ],
                cutTypes: [],
                left: expect.arrayContaining([{ type: 'vpcs.network.example.com', count: 1, isMore: false }]),
                ending: [],
              });
            },
          );
          const uninstall = () => runCli(uninstallCommand, ['--kubeconfig', kubeconfigOf('controller'), '--yes']);
          const uninstalled = await uninstall();
          const again = await uninstall();

          expect(runs.map(({ code }) => code)).toEqual([0, 0]);
          expect(JSON.parse(explained?.stdout ?? '')).toMatchObject({
            allowed: false,
            because: 'in-use',
            message: expect.stringMatching(/^cannot delete vpcs\/my-vpc: still referenced by VirtualMachine\/my-vm, says rule /),
            blockers: [
              {
                rule: `${DEV_PATHS.compute}/vm-dependencies`,
                kind: 'VirtualMachine',
                name: 'my-vm',
              },
            ],
          });
          expect(uninstalled.stderr).toBe('');
          expect(uninstalled).toMatchObject({
            code: 0,
            stdout: expect.stringMatching(
              /^root:dep-ctrl \(\w+\): admission configuration removed\nroot:providers:network \(\w+\): configuration removed\nroot:providers:network \(\w+\): guard removed\nroot:providers:compute \(\w+\): rule vm-dependencies marked as Uninstalled\nno configuration and no guard of dep-ctrl is left\nstays: /,
            ),
          });
          expect(again.stdout).toMatch(/^no configuration and no guard of dep-ctrl is left\nstays: /);
          expect(runs.map(({ stderr }) => stderr.includes('no --url-token-file'))).toEqual([false, false]);
        },
        { shards: 2 },
      ),
    WITHIN_MS,
  );

  it(
    'given all without a certificate, then it makes one, keeps its CA for the next start, and refuses deletes with it',
    () =>
      onEmbeddedKcp(async (world) => {
        const kubeconfigOf = await bootstrap(world);
        const all = [allCommand, ['--kubeconfig', kubeconfigOf('all'), '--webhook-port', '0']] as const;

        const [first] = await beside([all], async () => {
          await story(world);
        });
        const caAfterFirst = await storedCa(world);
        const [second] = await beside([all], () => caIsThere(world));

        expect([first?.code, second?.code]).toEqual([0, 0]);
        expect(caAfterFirst).toMatch(/^-----BEGIN CERTIFICATE-----/);
        expect(await storedCa(world)).toBe(caAfterFirst);
      }),
    WITHIN_MS,
  );

  it.each([
    {
      given: 'an unreadable CA',
      flags: ['--webhook-ca-bundle-path', '/none'],
      starts: '--webhook-ca-bundle-path must be a file that can be read',
    },
    { given: 'a CA file without a certificate', flags: ['--webhook-ca-bundle-path', 'TOKEN'], starts: '--webhook-ca-bundle-path' },
    { given: 'an unreadable token file', flags: ['--url-token-file', '/none'], starts: '--url-token-file must be a file that can be read' },
    { given: 'a kubeconfig without a workspace', flags: ['--context', 'base'], starts: '--kubeconfig: the server must name the workspace' },
    { given: 'a kubeconfig that is not there', flags: ['--kubeconfig', '/none'], starts: '--kubeconfig: ' },
  ])('given $given, then the controller is refused at the start with one line', ({ flags, starts }) =>
    onEmbeddedKcp(async (world) => {
      const { token } = await webhookFiles(world.dir);
      const argv = ['--kubeconfig', world.adminKubeconfig, '--webhook-url', 'https://127.0.0.1:9443', ...HEALTH, ...flags];

      const { code, stderr } = await runCli(
        controllerCommand,
        argv.map((flag) => (flag === 'TOKEN' ? token : flag)),
      );

      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(new RegExp(`^error: ${starts}.*\n$`)) });
    }),
  );

  it('given controller and webhook without a token file, then each warns once at the start', () =>
    onEmbeddedKcp(async (world) => {
      const { dir } = await webhookFiles(world.dir);
      const stopped = AbortSignal.timeout(500);
      const common = ['--kubeconfig', world.adminKubeconfig, '--context', 'root', ...HEALTH];

      const runs = await Promise.all([
        runCli(controllerCommand, [...common, '--webhook-url', 'https://127.0.0.1:9443'], { signal: stopped }),
        runCli(webhookCommand, [...common, '--tls-cert-dir', dir, '--webhook-port', '0'], { signal: stopped }),
      ]);

      for (const { stderr } of runs) expect(stderr.match(/no --url-token-file: /g)).toHaveLength(1);
    }));

  it('given a key that does not belong to its certificate, then the webhook is refused at the start with one line', () =>
    onEmbeddedKcp(async (world) => {
      const { dir } = await webhookFiles(world.dir);
      const other = await mintServingPair(await mintAuthority(Date.now()), ['127.0.0.1'], Date.now());
      await writeFile(join(dir, 'tls.key'), other.key);

      const { code, stderr } = await runCli(webhookCommand, [
        ...['--kubeconfig', world.adminKubeconfig, '--tls-cert-dir', dir, '--webhook-port', '0', ...HEALTH],
      ]);

      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `error: --tls-cert-dir ${JSON.stringify(dir)} must hold tls.crt and tls.key: the key does not belong to the certificate\n`,
      });
    }));
});

async function storedCa({ admin }: EmbeddedWorld): Promise<string> {
  const ref = { name: CA_SECRET, namespace: HOME_NAMESPACE };
  const secret = await admin.cluster(DEV_PATHS.depCtrl).get(SECRETS, ref, { signal: AbortSignal.timeout(WITHIN_MS) });
  const { 'tls.crt': certificate = '' } = (secret['data'] ?? {}) as { readonly 'tls.crt'?: string };
  return Buffer.from(certificate, 'base64').toString('utf8');
}

async function caIsThere(world: EmbeddedWorld): Promise<void> {
  const probe = async () => ((await storedCa(world)) === '' ? { waitingFor: 'it is empty' } : { done: undefined });
  await until('the CA', probe, { clock: systemClock, timeoutMs: WITHIN_MS, signal: AbortSignal.timeout(WITHIN_MS) });
}
