// Every command of an operator against a kcp that cannot be reached or not be believed: one line that says what is wrong, and soon.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { parse, stringify } from 'yaml';
import { operatorCommands } from '../testing/operator-commands.js';
import { runCli } from '../testing/run-cli.js';

/** What people hand over for a kubeconfig, made from one that is right; undefined: there is no such file. */
type Spoil = (right: string) => string | undefined;

interface Kubeconfig {
  readonly clusters: { readonly name: string; readonly cluster: object }[];
  readonly users: { readonly name: string; readonly user: object }[];
}

const withUsers =
  (user: object): Spoil =>
  (right) => {
    const read = parse(right) as Kubeconfig;
    return stringify({ ...read, users: read.users.map(({ name }) => ({ name, user })) });
  };

const withClusters =
  (more: object): Spoil =>
  (right) => {
    const read = parse(right) as Kubeconfig;
    const without = ({ 'certificate-authority-data': _, ...rest }: Readonly<Record<string, unknown>>) => rest;
    const clusters = read.clusters.map(({ name, cluster }) => ({ name, cluster: { ...without({ ...cluster }), ...more } }));
    return stringify({ ...read, clusters });
  };

async function runAll(text: (kcp: EmbeddedKcp) => string | undefined) {
  const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-'));
  const kcp = await EmbeddedKcp.start({ delays: 0 });
  try {
    const [file, written] = [join(dir, 'some.kubeconfig'), text(kcp)];
    if (written !== undefined) await writeFile(file, written);
    const lines = await operatorCommands(dir);
    return await Promise.all(
      lines.map(async ({ line, command, argv }) => {
        const { code, stdout, stderr } = await runCli(command, [...argv, '--kubeconfig', file], { signal: AbortSignal.timeout(BOUND_MS) });
        return { line, code, stderr, all: stdout + stderr };
      }),
    );
  } finally {
    await kcp.stop();
    await rm(dir, { recursive: true });
  }
}

// What was 10 and 20 s: shorter than those, and more than twice what is promised, for a machine that does other things besides.
const BOUND_MS = 9_500;

/** The line of any command says so; a doctor and a status say it of kcp instead. */
function expectOneLine(runs: Awaited<ReturnType<typeof runAll>>, { code, says }: { readonly code: number; readonly says: RegExp }): void {
  for (const run of runs) {
    const { line, stderr, all } = run;
    expect({ line, code: run.code, lines: stderr.split('\n').length }).toEqual({ line, code, lines: 2 });
    expect({ line, stderr }).toEqual({ line, stderr: expect.stringMatching(/^error: (?!.*\bat \w+ \()/) });
    expect({ line, all }).toEqual({ line, all: expect.stringMatching(says) });
  }
}

describe('every command of an operator', () => {
  it.each<{ given: string; serve: ((socket: Socket) => void) | undefined; says: RegExp }>([
    { given: 'no server', serve: undefined, says: /connection refused/ },
    { given: 'a server that says nothing', serve: () => undefined, says: /no answer within 4|no connection in time/ },
    { given: 'a server that hangs up', serve: (socket) => socket.destroy(), says: /the connection was (?:reset|closed)/ },
    { given: 'a server that speaks no TLS', serve: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), says: /does not speak TLS/ },
  ])('given $given, then one line says so within a few seconds, and the exit code is 1', async ({ serve, says }) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      serve?.(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const at = `https://127.0.0.1:${portOf(server)}`;
    if (serve === undefined) server.close();

    const runs = await runAll((kcp) => kcp.kubeconfig().replaceAll(kcp.baseUrl, at));

    expectOneLine(runs, { code: 1, says });
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('given a server whose certificate another authority signed, then one line says so, and the exit code is 1', async () => {
    const other = await EmbeddedKcp.start({ delays: 0 });
    try {
      const runs = await runAll((kcp) => other.kubeconfig().replaceAll(other.baseUrl, kcp.baseUrl));

      expectOneLine(runs, { code: 1, says: /not signed by the configured certificate authority|which the kubeconfig does not trust/ });
    } finally {
      await other.stop();
    }
  });

  it.each<{ given: string; spoil: Spoil; code: number; says: RegExp }>([
    { given: 'no such file', spoil: () => undefined, code: 2, says: /--kubeconfig: .* cannot be read: there is no such file/ },
    {
      given: 'a file that was written half',
      spoil: (right) => right.slice(0, 300),
      code: 2,
      says: /--kubeconfig: .* has no context "root"/,
    },
    { given: 'a file that is no YAML', spoil: () => 'clusters: [', code: 2, says: /--kubeconfig: .* is not valid YAML/ },
    {
      given: 'a current context that there is none of',
      spoil: (right) => right.replace(/current-context: .*/, 'current-context: gone'),
      ...{ code: 2, says: /--kubeconfig: .* has no context "gone"; it has: base, root/ },
    },
    {
      given: 'an authority in a file that is not there',
      spoil: withClusters({ 'certificate-authority': '/nowhere/ca.crt' }),
      ...{ code: 2, says: /--kubeconfig: .* the certificate authority cannot be read from "\/nowhere\/ca.crt": there is no such file/ },
    },
    {
      given: 'a client certificate in a file that is not there',
      spoil: withUsers({ 'client-certificate': '/nowhere/tls.crt', 'client-key': '/nowhere/tls.key' }),
      ...{ code: 2, says: /--kubeconfig: .* cannot be read from "\/nowhere\/tls.crt": there is no such file/ },
    },
    {
      given: 'a token that kcp does not know',
      spoil: withUsers({ token: 'unknown' }),
      ...{ code: 1, says: /the credentials were refused, renew them|does not accept the credentials/ },
    },
  ])('given $given in place of a kubeconfig, then one line says so, and the exit code is $code', async ({ spoil, code, says }) => {
    expectOneLine(await runAll((kcp) => spoil(kcp.kubeconfig())), { code, says });
  });
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
}
