// A role that cannot reach kcp at its start: it says why, once, is not ready, and keeps trying, as kcp may only be late. What a flag or a file names wrongly
// ends it at once (roles.spec.ts).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { systemClock } from '@dep-ctrl/kcp-client';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { until } from '@dep-ctrl/kcp-objects';
import type { Command } from '@dep-ctrl/command-settings';
import { parse, stringify } from 'yaml';
import { allCommand, controllerCommand, webhookCommand } from '../commands/role-commands.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';

const WITHIN_MS = 60_000;

interface Role {
  readonly command: Command;
  readonly argv: (dir: string) => readonly string[];
}

const ROLES: readonly Role[] = [
  { command: allCommand, argv: () => ['--webhook-port', '0'] },
  { command: controllerCommand, argv: () => ['--webhook-url', 'https://127.0.0.1:9443'] },
  { command: webhookCommand, argv: (dir) => ['--webhook-port', '0', '--tls-cert-dir', dir] },
];

const unreachable = (world: EmbeddedWorld): string =>
  world.kcp.kubeconfig({ workspace: DEV_PATHS.depCtrl }).replaceAll(world.kcp.baseUrl, 'https://127.0.0.1:1');

const unknown = ({ kcp }: EmbeddedWorld): string => {
  const read = parse(kcp.kubeconfig({ workspace: DEV_PATHS.depCtrl })) as { readonly users: readonly { readonly name: string }[] };
  return stringify({ ...read, users: read.users.map(({ name }) => ({ name, user: { token: 'unknown' } })) });
};

async function untrusted({ kcp }: EmbeddedWorld): Promise<string> {
  const other = await EmbeddedKcp.start({ delays: 0 });
  await other.stop();
  return other.kubeconfig({ workspace: DEV_PATHS.depCtrl }).replaceAll(other.baseUrl, kcp.baseUrl);
}

describe.each(ROLES.map((role) => ({ ...role, name: role.command.name })))('dep-ctrl $name that cannot reach kcp', ({ command, argv }) => {
  it.each<{ given: string; kubeconfig: (world: EmbeddedWorld) => string | Promise<string>; says: RegExp }>([
    { given: 'no server', kubeconfig: unreachable, says: /connection refused/ },
    { given: 'a server of another authority', kubeconfig: untrusted, says: /not signed by the configured certificate authority/ },
    { given: 'a token that kcp does not know', kubeconfig: unknown, says: /the credentials were refused, renew them/ },
  ])(
    'given $given, then it says so, is not ready and stays, and ends with 0 when it is told to',
    ({ kubeconfig, says }) =>
      onEmbeddedKcp(async (world) => {
        const file = join(world.dir, 'role.kubeconfig');
        await writeFile(file, await kubeconfig(world));
        const pair = await mintServingPair(await mintAuthority(Date.now()), ['127.0.0.1'], Date.now());
        await writeFile(join(world.dir, 'tls.crt'), pair.certificate);
        await writeFile(join(world.dir, 'tls.key'), pair.key);
        const port = await freePort();
        const stop = new AbortController();
        const health = [
          '--health-probe-bind-address',
          `127.0.0.1:${port}`,
          '--metrics-bind-address',
          '127.0.0.1:0',
          '--log-format',
          'json',
        ];
        const running = runCli(command, ['--kubeconfig', file, ...argv(world.dir), ...health], { signal: stop.signal });

        const ready = async () => {
          try {
            const answer = await fetch(`http://127.0.0.1:${port}/readyz?verbose`);
            const text = await answer.text();
            return says.test(text) ? { done: { status: answer.status, text } } : { waitingFor: text };
          } catch (error) {
            return { waitingFor: String(error) };
          }
        };
        const patience = { clock: systemClock, timeoutMs: WITHIN_MS, signal: AbortSignal.timeout(WITHIN_MS) };
        const answered = await until('the reason', ready, patience);
        stop.abort();
        const { code, stderr } = await running;

        expect(answered.status).toBe(503);
        expect(code).toBe(0);
        const lines = stderr.split('\n').filter((line) => says.test(line));
        expect(lines.length).toBeGreaterThan(0);
        for (const line of stderr.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
      }),
    WITHIN_MS,
  );
});
